"""Every look of the desk: each page empty and filled, with its dialogs open; in the order in which they are opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from desk_session import go
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

Step = Callable[["Page"], None]
EMPTY = ("/", "/results", "/reading", "/chart", "/review", "/map", "/api-docs")


def looks(page: Page, desk: Serving, draft: str, hits: list[str], *, matter: str) -> Iterator[str]:
    """Yields the name of each look when the page shows it; `matter` is the name of a new one."""
    for path in EMPTY:
        page.goto(desk.address.rstrip("/") + path)
        page.wait_for_load_state("networkidle")
        yield f"{path.strip('/') or 'start'}-empty"
    desk.ask("PUT", f"/api/drafts/{draft}/workspace", {"references": hits[:3]})
    for name, steps in STEPS.items():
        go(page, desk, "/" if name == "start" else f"/{name}", asked={"draft": draft}, hits=hits, document=hits[0])
        if name == "review":
            _make_matter(page, matter)
        for look, step in steps.items():
            step(page)
            yield f"{name}-{look}" if look else name


def _click(target: str, found: str) -> Step:
    def step(page: Page) -> None:
        page.locator(target).first.click()
        page.locator(found).first.wait_for()

    return step


def _press(key: str, found: str) -> Step:
    def step(page: Page) -> None:
        page.keyboard.press(key)
        page.locator(found).first.wait_for()

    return step


def _wait(*found: str) -> Step:
    def step(page: Page) -> None:
        for one in found:
            page.locator(one).first.wait_for()
        page.wait_for_load_state("networkidle")

    return step


def _close_then(step: Step) -> Step:
    def closed(page: Page) -> None:
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
        step(page)

    return closed


def _keys(page: Page) -> None:
    """The dialog of the keys, from the button: a field may have the focus."""
    page.click("#show-keys")
    page.wait_for_selector("#keys[open]")


def _make_matter(page: Page, name: str) -> None:
    page.fill("#rater", "ann")
    page.press("#rater", "Tab")
    page.fill("[name=name]", name)
    page.click("#new-matter button")
    page.wait_for_selector("#texts details")


def _facets(page: Page) -> None:
    """On a narrow screen they are in a drawer."""
    if page.is_hidden("#facets"):
        page.keyboard.press("f")
    page.wait_for_selector("#facets .histogram")


def _more(page: Page) -> None:
    page.keyboard.press("Escape")  # the drawer
    page.click("#hits [aria-controls=more-1]")
    page.wait_for_selector("#more-1:visible")


def _compared(page: Page) -> None:
    for place in (0, 1):
        page.locator("#hits .mark input").nth(place).check()
    page.click("#do-compare")
    page.wait_for_selector("#compare[open]")
    page.wait_for_load_state("networkidle")


def _judged(page: Page) -> None:
    page.focus("#document")
    for number, key in enumerate("rrmi", start=1):
        page.keyboard.press(key)
        page.wait_for_selector(f"#count:has-text('in {number} read')")
    page.keyboard.press("e")
    page.keyboard.press("n")
    page.wait_for_load_state("networkidle")


def _evaluated(page: Page) -> None:
    page.fill("#draw input[name=citing]", "4")
    page.click("#draw button")
    page.wait_for_selector("#evaluation table", timeout=120_000)
    page.click("#new-set summary")


STEPS: Mapping[str, Mapping[str, Step]] = {
    "start": {
        "": _wait("#to-results"),
        "narrowed": _click("#narrow-more summary", "#narrow .histogram"),
        "sections": _click("#correct-sections", "#section-editor[open]"),
        "keys": _close_then(_keys),
    },
    "results": {
        "": _wait("#hits > li"),
        "facets": _facets,
        "more": _more,
        "compare": _compared,
        "keys": _close_then(_keys),
    },
    "reading": {
        "": _wait("#standing .badge", "#passages .chip"),
        "claims": _click("#tab-claims", "#panel-claims:visible"),
        "citations": _click("#tab-citations", "#panel-citations:visible"),
        "family": _click("#tab-family", "#panel-family:visible"),
        "figures": _click("#tab-figures", "#panel-figures:visible"),
        "reasons": _click("#tab-reasons", "#panel-reasons:visible"),
        "highlights": _click("#highlight", "#highlights[open]"),
        "keys": _close_then(_keys),
    },
    "chart": {
        "": _wait("#matrix [data-row]"),
        "quotes": _click("#matrix [data-row='1'][data-column='0']", ".quotes-panel blockquote"),
        "hits": _click("#choose-hits", "#hit-list[open]"),
        "keys": _close_then(_keys),
    },
    "review": {
        "": _judged,
        "judged": _click("#tab-judged", "#judged-list li"),
        "report": _click("#tab-report", "#report-form:visible"),
        "about": _click("#tab-about", "#view-about:visible"),
        "keys": _keys,
    },
    "map": {
        "": _wait(".dot"),
        "group": _click("#legend button", "#selection:visible, .dot"),
        "rows": _click("#rows summary", "#rows tbody tr"),
        "keys": _keys,
    },
    "corpus": {"": _wait("#plots figure"), "keys": _keys},
    "evaluate": {"": _wait("#sets > *"), "figures": _evaluated, "keys": _keys},
}
