"""A browser page of the desk with a draft and its hits already asked for, as after Start and Results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMPACTS = ("serious", "critical")


def upload(desk: Serving, data: bytes, *, k: int = 6, name: str = "draft.txt") -> tuple[str, list[str]]:
    """The id of a new draft and its hits."""
    status, draft = desk.ask("POST", f"/api/drafts?name={name}", data)
    assert status == 200, draft
    hits = desk.ask("POST", "/api/search", {"draft": draft["draft"], "k": k})[1]["hits"]
    return draft["draft"], [hit["id"] for hit in hits]


def go(page: Page, desk: Serving, path: str, **session: Any) -> None:
    """Opens a page with these values in the storage of the tab."""
    for name, value in session.items():
        text = value if isinstance(value, str) else json.dumps(value)
        page.evaluate("([name, text]) => sessionStorage.setItem(name, text)", [name, text])
    page.goto(desk.address.rstrip("/") + path)
    ready(page)


def ready(page: Page) -> None:
    """Waits until the page has what it shows first."""
    page.wait_for_selector("body[data-ready]")


def faults(page: Page) -> list[Any]:
    """What axe finds serious or critical, and a page that is wider than its window."""
    from axe_playwright_python.sync_playwright import Axe

    # Preloading would copy imported styles into the page, which its policy forbids.
    report = Axe().run(page, options={"preload": False})
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [
        (one["id"], [node["target"] for node in one["nodes"]])
        for one in report.response["violations"]
        if one["impact"] in IMPACTS
    ] + ([("wide", page.evaluate("document.documentElement.scrollWidth"))] if wide else [])
