"""The thin thread: a draft is dropped, understood, and its hits are shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ("/", "/results", "/reading", "/chart", "/review", "/map", "/corpus", "/evaluate", "/api-docs")


def test_a_draft_becomes_hits(page: Page, draft_file: Path) -> None:
    page.set_input_files("#file", draft_file)
    page.wait_for_selector("#understood:not([hidden])")
    page.goto(page.url.split("#")[0].rstrip("/") + "/results")
    page.wait_for_selector("#hits li")
    assert page.locator("#hits li").count() > 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_axe_finds_nothing_serious(open_context, desk, scheme: str, width: int) -> None:  # type: ignore[no-untyped-def]
    from axe_playwright_python.sync_playwright import Axe

    context = open_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    found = context.new_page()
    found.goto(f"{desk.address}#{desk.token}")
    faults = []
    for path in PAGES:
        found.goto(desk.address.rstrip("/") + path)
        found.wait_for_load_state("networkidle")
        # Preloading would copy imported styles into the page, which its policy forbids.
        report = Axe().run(found, options={"preload": False})
        faults += [
            (path, one["id"], [node["target"] for node in one["nodes"]])
            for one in report.response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert found.evaluate("document.documentElement.scrollWidth") <= width, path
    assert faults == []
