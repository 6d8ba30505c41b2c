"""Every page and exported page of a corpus and a draft made of scripts: nothing is executed, no policy is violated."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from hostile_corpus import DRAFT_NAME, HUGE, PRODUCT, TRICKS, hostile_draft, hostile_matter
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PAGES = ("/", "/results", "/reading", "/chart", "/review", "/map", "/corpus", "/evaluate")


@pytest.fixture(scope="module")
def uploaded(hostile_desk: Serving) -> dict[str, Any]:
    """The state that pages find in `sessionStorage`: the hostile draft, hits with hostile ids, kept things."""
    from urllib.parse import quote

    status, found = hostile_desk.ask("POST", f"/api/drafts?name={quote(DRAFT_NAME)}", hostile_draft())
    assert status == 200
    asked = {"draft": found["draft"], "k": 60, "keep": TRICKS[0][:100]}
    ids = [hit["id"] for hit in hostile_desk.ask("POST", "/api/search", asked)[1]["hits"]]
    grade = {"row": "1.0", "reference": ids[0], "grade": 3}
    assert hostile_desk.ask("PUT", f"/api/drafts/{found['draft']}/grades", grade)[0] == 200
    references = {"references": ids[:6]}
    assert hostile_desk.ask("PUT", f"/api/drafts/{found['draft']}/workspace", references)[0] == 200
    hostile_matter(lambda path, body: hostile_desk.ask("POST", path, body)[1], found["draft"])
    return {"draft": found["draft"], "hits": ids}


@pytest.fixture
def watched(
    open_context: Callable[..., BrowserContext], hostile_desk: Serving, uploaded: dict[str, Any]
) -> Iterator[Page]:
    """A page that is signed in and has asked for the hostile draft; no dialog may have opened at the end."""
    context = open_context()
    found = context.new_page()
    dialogs: list[str] = []
    failed: list[str] = []
    found.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    found.on("pageerror", lambda error: failed.append(str(error)))
    found.goto(f"{hostile_desk.address}#{hostile_desk.token}")
    found.wait_for_load_state("networkidle")
    found.evaluate(
        """([draft, hits]) => {
            sessionStorage.setItem("asked", JSON.stringify({ draft }));
            sessionStorage.setItem("hits", JSON.stringify(hits));
            sessionStorage.setItem("marked", JSON.stringify(hits.slice(0, 4)));
            sessionStorage.setItem("document", hits[0]);
            sessionStorage.setItem("matter", "tricks");
            localStorage.setItem("rater", "ann");
        }""",
        [uploaded["draft"], uploaded["hits"]],
    )
    yield found
    assert dialogs == []
    assert failed == []


def harmless(page: Page) -> None:
    """Nothing of the corpus or the draft was executed, or became an element."""
    assert page.evaluate("window.__hacked") is None
    assert page.evaluate("Object.prototype.hasOwnProperty.call(Object.prototype, 'polluted')") is False
    found = page.evaluate(
        """() => [...document.querySelectorAll("*")]
            .filter((one) => one.matches("iframe, base, object, embed, a[href^='javascript:'], img[src='x']")
                || [...one.attributes].some((attribute) => attribute.name.startsWith("on")))
            .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert found == []
    assert PRODUCT not in page.locator("body").inner_text()


@pytest.mark.parametrize("path", PAGES)
def test_pages_execute_nothing(watched: Page, hostile_desk: Serving, path: str) -> None:
    watched.goto(hostile_desk.address.rstrip("/") + path)
    watched.wait_for_load_state("networkidle")
    watched.wait_for_timeout(300)
    harmless(watched)
    # Every control that opens something is opened, as far as it leaves the page where it is.
    for summary in watched.locator("main summary, main [role=tab], main button[aria-expanded]").all()[:12]:
        if summary.is_visible() and summary.is_enabled():
            summary.evaluate("control => control.click()")  # whatever bar may lie over it
    watched.wait_for_timeout(200)
    harmless(watched)


def test_a_dropped_hostile_file_executes_nothing(watched: Page, hostile_desk: Serving) -> None:
    watched.goto(hostile_desk.address)
    watched.set_input_files("#file", {"name": DRAFT_NAME, "mimeType": "text/plain", "buffer": hostile_draft()})
    watched.wait_for_selector("#understood:not([hidden])")
    watched.wait_for_load_state("networkidle")
    harmless(watched)
    assert watched.evaluate("document.documentElement.scrollWidth") < 20_000


def test_every_part_of_a_hostile_matter_executes_nothing(watched: Page, hostile_desk: Serving) -> None:
    watched.goto(hostile_desk.address.rstrip("/") + "/review")
    watched.wait_for_selector("#texts details")
    assert TRICKS[0] in watched.inner_text("#matter-title")
    for _ in range(6):
        before = watched.inner_text("#document-facts")
        harmless(watched)
        for summary in watched.locator("#view-read summary").all():
            if summary.is_visible():
                summary.evaluate("control => control.click()")
        watched.keyboard.press("j")
        watched.wait_for_function(
            "before => document.querySelector('#document-facts').innerText !== before", arg=before
        )
    for view in ("judged", "report", "about"):
        watched.click(f"#tab-{view}")
        watched.wait_for_load_state("networkidle")
        harmless(watched)
    watched.click("#to-matters")
    watched.wait_for_selector("#matter-list li")
    harmless(watched)


def test_documents_with_hostile_ids_are_read(watched: Page, hostile_desk: Serving, uploaded: dict[str, Any]) -> None:
    tricky = [number for number in uploaded["hits"] if not number.startswith("XX")][:4]
    huge = [number for number in uploaded["hits"] if number.endswith("000039A1")]
    for number in tricky + huge:
        watched.evaluate("id => sessionStorage.setItem('document', id)", number)
        watched.goto(hostile_desk.address.rstrip("/") + "/reading")
        watched.wait_for_load_state("networkidle")
        harmless(watched)
    assert len(HUGE) == 1_000_000


@pytest.mark.parametrize("path", ["search/file?form=html", "chart/file?form=html", "matters/tricks/export"])
def test_exported_pages_execute_nothing(
    watched: Page, hostile_desk: Serving, uploaded: dict[str, Any], path: str
) -> None:
    import urllib.request

    chart = {"numbers": uploaded["hits"][:8], "all_claims": True} if path.startswith("chart") else {"k": 30}
    asked = {"form": "html"} if path.startswith("matters") else {"draft": uploaded["draft"], **chart}
    request = urllib.request.Request(
        hostile_desk.address + "api/" + path,
        json.dumps(asked).encode(),
        {"Authorization": f"Bearer {hostile_desk.token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        page = answer.read()
    watched.route("**/exported", lambda route: route.fulfill(body=page, content_type="text/html; charset=utf-8"))
    watched.goto(hostile_desk.address + "exported")
    watched.wait_for_timeout(300)
    harmless(watched)
    assert TRICKS[0] in watched.locator("body").inner_text()


# Texts of our own beside those of documents and drafts: all of their letters stand from left to right.
REORDERED = """() => {
  const foreign = /[\\u0590-\\u08ff\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f]/;
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const found = [];
  let seen = 0;
  for (let text; (text = walker.nextNode());) {
    const parent = text.parentElement;
    if (!parent.closest(".by, .side, .quiet, .count, .badge, small") || parent.closest("bdi, mark")) continue;
    const letters = text.data.trim().length;
    if (!parent.checkVisibility() || letters < 2 || letters > 300 || foreign.test(text.data)) continue;
    seen += 1;
    const range = document.createRange();
    let before = null;
    for (let place = 0; place < text.data.length; place += 1) {
      range.setStart(text, place); range.setEnd(text, place + 1);
      const box = range.getBoundingClientRect();
      if (!box.width) continue;
      if (before && Math.abs(box.top - before.top) < 2 && box.left < before.left - 1) { found.push(text.data); break; }
      before = box;
    }
  }
  return [seen, found];
}"""


@pytest.mark.parametrize("path", ["/", "/results", "/reading", "/chart", "/review", "/map"])
def test_marks_of_right_to_left_text_reorder_nothing_beside_them(
    watched: Page, hostile_desk: Serving, path: str
) -> None:
    watched.goto(hostile_desk.address.rstrip("/") + path)
    watched.wait_for_selector("body[data-ready]")
    watched.wait_for_load_state("networkidle")
    seen, reordered = watched.evaluate(REORDERED)
    assert seen > 3
    assert reordered == []


def test_an_applicant_with_such_a_mark_stays_beside_its_date(watched: Page, hostile_desk: Serving) -> None:
    watched.evaluate(
        """() => {
            const asked = JSON.parse(sessionStorage.getItem("asked"));
            sessionStorage.setItem("asked", JSON.stringify({ ...asked, k: 60 }));
        }"""
    )
    watched.goto(hostile_desk.address.rstrip("/") + "/results")
    watched.wait_for_selector("#hits li")
    assert watched.locator(".by", has_text="never closed").count() > 0
    assert watched.evaluate(REORDERED)[1] == []
