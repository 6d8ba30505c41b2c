"""The sample corpus behind a server: in the test's own process, and in a real one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foreart import SAMPLE, Library
from foreart.server import ServerSettings
from server_world import BASE, TOKEN, Serving

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

# Without the extra `server` and the tools of development there is nothing to test here.
if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "httpx2")):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def sample_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the sample corpus; never written to."""
    folder = tmp_path_factory.mktemp("server") / "sample"
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    return folder


@pytest.fixture(scope="session")
def client(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client with the token, of a server with the sample, an empty library, and one for hostile files."""
    from fastapi.testclient import TestClient

    from foreart.server.application import make_app

    folder = tmp_path_factory.mktemp("served") / "sample"
    shutil.copytree(sample_library, folder)
    settings = ServerSettings(
        libraries=(folder, *(folder.parent / name for name in ("empty", "hostile"))), token=TOKEN, workers=1
    )
    with TestClient(make_app(settings), base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}) as found:
        yield found


@pytest.fixture(scope="session")
def draft(client: TestClient) -> str:
    """The id of a sample draft."""
    data = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
    answer = client.post("/api/drafts", params={"name": "insulin-pump.txt"}, content=data).json()
    assert answer["ok"] is True
    return str(answer["draft"])


@pytest.fixture
def serving(sample_library: Path, tmp_path: Path) -> Iterator[Serving]:
    """A real process on a copy of the sample, started by the test."""
    folder = tmp_path / "library"
    shutil.copytree(sample_library, folder)
    process = Serving(folder)
    yield process
    process.stop()
