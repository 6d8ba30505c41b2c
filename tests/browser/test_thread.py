"""The thin thread: a draft is dropped, understood, and its hits are shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_draft_becomes_hits(page: Page, draft_file: Path) -> None:
    page.set_input_files("#file", draft_file)
    page.wait_for_selector("#understood:not([hidden])")
    page.goto(page.url.split("#")[0].rstrip("/") + "/results")
    page.wait_for_selector("#hits li")
    assert page.locator("#hits li").count() > 5
