"""The sample corpus as a library for tools."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from foreart import SAMPLE, Library

# Without the extra `mcp` there is nothing to test here. Not `find_spec("mcp")`: this folder has that name.
if find_spec("mcp_types") is None:
    collect_ignore_glob = ["test_*.py"]

DRAFT = (SAMPLE / "drafts" / "insulin-pump.txt").read_text("utf-8")


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the sample corpus; never written to."""
    folder = tmp_path_factory.mktemp("tools") / "sample"
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    return folder


@pytest.fixture
def library(sample: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(sample, tmp_path / "library"))


@pytest.fixture(scope="session")
def pump() -> str:
    """The text of a sample draft."""
    return DRAFT
