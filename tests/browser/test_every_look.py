"""Every page, empty and filled, and every dialog: axe finds nothing serious, and nothing is wider than the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desk_looks import EMPTY, STEPS, looks
from desk_session import faults, upload
from foreart import SAMPLE, Library
from foreart.server.routes.page_routes import PAGES
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


@pytest.fixture(scope="module")
def own_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with matters of its own."""
    folder = tmp_path_factory.mktemp("looks") / "library"
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    process = Serving(folder).start()
    yield process
    process.stop()


def test_no_page_is_left_out() -> None:
    pages = {path for path, *_ in PAGES}
    assert {"/" if name == "start" else f"/{name}" for name in STEPS} == pages
    assert pages - set(EMPTY) == {"/corpus", "/evaluate"}  # they need no draft


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_axe_finds_nothing_serious_in_any_look(
    open_context: Callable[..., BrowserContext], own_desk: Serving, draft_file: Path, scheme: Any, width: int
) -> None:
    page = open_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    page.goto(f"{own_desk.address}#{own_desk.token}")
    page.wait_for_selector("body[data-ready]")
    draft, hits = upload(own_desk, draft_file.read_bytes(), k=20)
    shown = looks(page, own_desk, draft, hits, matter=f"look-{scheme}-{width}")
    assert {name: found for name in shown if (found := faults(page))} == {}
