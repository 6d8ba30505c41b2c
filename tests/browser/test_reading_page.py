"""Reading: what is picked in the draft brings its passages; everything by keyboard, and nothing is ever markup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desk_session import faults, go, ready, upload
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

WIDE_LIGHT, NARROW_DARK = (1280, "light"), (380, "dark")


@pytest.fixture
def asked(desk: Serving, draft_file: Path) -> tuple[str, list[str]]:
    return upload(desk, draft_file.read_bytes())


def passages_shown(page: Page) -> str:
    page.wait_for_selector("#passages .chip")
    return str(page.locator("#passages .chip").first.inner_text())


def test_an_element_brings_its_passages_verbatim(page: Page, desk: Serving, asked: tuple[str, list[str]]) -> None:
    draft, hits = asked
    body = {"draft": draft, "numbers": [hits[0]], "all_claims": True, "quotes": 5}
    cells = desk.ask("POST", "/api/chart", body)[1]["cells"]
    cell = max(cells, key=lambda one: (len(one["quotes"]), one["coverage"]))
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    passages_shown(page)
    page.click(f'[data-pick="element:{cell["row"]}"]')
    chips = page.locator("#passages .chip")
    assert chips.count() == len(cell["quotes"]) > 1
    for place, quote in enumerate(cell["quotes"]):
        if place:
            page.keyboard.press("]")
        assert chips.nth(place).get_attribute("aria-pressed") == "true"
        assert quote["place"] in chips.nth(place).inner_text()
        marks = page.locator(f".q{place}")
        assert "".join(marks.all_text_contents()) == quote["text"]
        assert marks.first.is_visible()
        assert "current" in str(marks.first.get_attribute("class"))
    words = {match["word"] for match in cell["quotes"][0]["matches"]}
    assert page.locator("mark.q0.hit").count() >= len(words) > 0
    assert page.locator("#ticks .passage").count() >= 1
    page.keyboard.press("[")
    assert chips.nth(len(cell["quotes"]) - 2).get_attribute("aria-pressed") == "true"


def test_a_paragraph_brings_its_passages_and_a_reload_keeps_the_place(
    page: Page, desk: Serving, asked: tuple[str, list[str]]
) -> None:
    draft, hits = asked
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    paragraphs = desk.ask("GET", f"/api/drafts/{draft}")[1]["paragraphs"]
    longest = max(range(len(paragraphs)), key=lambda place: len(paragraphs[place]["text"]))
    page.click(f'[data-pick="paragraph:{longest}"]')
    page.wait_for_selector("#passages .chip:not(:has(b))")
    before = passages_shown(page)
    page.reload()
    ready(page)
    assert passages_shown(page) == before
    assert hits[0] in page.inner_text("#document-facts")
    assert page.get_attribute(f'[data-pick="paragraph:{longest}"]', "aria-selected") == "true"


def test_all_by_keyboard(page: Page, desk: Serving, asked: tuple[str, list[str]]) -> None:
    draft, hits = asked
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    passages_shown(page)
    page.keyboard.press("3")
    assert page.evaluate("document.activeElement.dataset.pick") == "element:1.2"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-pick="element:1.1"][aria-selected="true"]')
    page.keyboard.press("e")
    assert page.get_attribute("#tab-reasons", "aria-selected") == "true"
    for name in ("family", "citations", "figures"):
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.id") == f"tab-{name}"
        assert page.is_visible(f"#panel-{name}")
    assert "fig" in page.inner_text("#panel-figures").lower()
    page.keyboard.press("a")
    page.wait_for_selector('#to-chart[aria-pressed="true"]')
    assert page.inner_text("#to-chart") == "Remove from chart"
    page.wait_for_function("() => document.getElementById('said').textContent.includes('in the chart')")
    assert desk.ask("GET", f"/api/drafts/{draft}/workspace")[1]["references"] == [hits[0]]


def test_reasons_sum_to_the_score(page: Page, desk: Serving, asked: tuple[str, list[str]]) -> None:
    draft, hits = asked
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    page.wait_for_selector("#standing .badge")
    page.keyboard.press("e")
    figures = [
        float(text.replace("−", "-")) for text in page.locator(".channel-list .line .figure").all_text_contents()
    ]
    total = page.inner_text(".reasons .sum")
    assert sum(figures) == pytest.approx(float(total.rpartition(" ")[2]), abs=0.0006 * len(figures))
    assert page.inner_text("#why").startswith("Why: ")
    assert "rank 1 of" in page.inner_text("#standing")


def test_the_next_documents_are_there_before_they_are_asked_for(
    page: Page, desk: Serving, asked: tuple[str, list[str]]
) -> None:
    draft, hits = asked
    requested: list[str] = []
    page.on("request", lambda request: requested.append(f"{request.url} {request.post_data or ''}"))
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])

    def about(number: str) -> int:
        return sum(number in one for one in requested)

    for _ in range(200):
        if about(hits[3]) == 4:
            break
        page.wait_for_timeout(50)
    page.wait_for_load_state("networkidle")
    assert [about(number) for number in hits] == [4, 4, 4, 4, 0, 0]
    page.keyboard.press("j")
    page.wait_for_function("id => document.getElementById('document-facts').textContent.includes(id)", arg=hits[1])
    page.wait_for_selector("#standing .badge")
    assert about(hits[1]) == 4
    page.keyboard.press("k")
    page.wait_for_function("id => document.getElementById('document-facts').textContent.includes(id)", arg=hits[0])
    assert about(hits[0]) == 4
    assert page.is_disabled("#previous")
    assert page.evaluate("JSON.parse(sessionStorage.getItem('seen'))") == hits[:2]


def test_a_citation_opens_and_shows_the_way_back(page: Page, desk: Serving, asked: tuple[str, list[str]]) -> None:
    draft, hits = asked
    around = {number: desk.ask("GET", f"/api/documents/{number}/citations")[1] for number in hits}
    number = next(one for one in hits if around[one]["cites"] or around[one]["cited_by"])
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=number)
    page.wait_for_selector("#standing .badge")
    page.click("#tab-citations")
    link = page.locator("#panel-citations button.link").first
    other = link.inner_text()
    link.click()
    page.wait_for_function("id => document.getElementById('document-facts').textContent.includes(id)", arg=other)
    assert page.inner_text("#way-back").startswith(f"Opened from {number}.")
    page.reload()
    ready(page)
    assert other in page.inner_text("#document-facts")
    page.click("#way-back button")
    page.wait_for_function("id => document.getElementById('document-facts').textContent.includes(id)", arg=number)
    assert page.is_hidden("#way-back")


def test_own_highlights_are_kept_with_the_draft(page: Page, desk: Serving, asked: tuple[str, list[str]]) -> None:
    draft, hits = asked
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    page.wait_for_selector("#standing .badge")
    page.click("#highlight")
    page.fill(".highlight input >> nth=0", "<img src=x onerror=alert(1)>")
    page.fill(".group-words", "pump, <b>, insulin")
    page.select_option(".highlight select", "3")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.getElementById('said').textContent === 'saved'")
    page.keyboard.press("Escape")
    marks = page.locator("mark.own.h3")
    assert {text.lower() for text in marks.all_text_contents()} <= {"pump", "insulin"}
    assert (count := marks.count()) > 0
    assert page.inner_text(".group").startswith("<img src=x onerror=alert(1)>")
    page.keyboard.press("h")
    assert marks.count() == 0
    page.keyboard.press("h")
    page.wait_for_load_state("networkidle")
    page.reload()
    page.wait_for_selector("mark.own.h3", state="attached")
    assert marks.count() == count
    kept = desk.ask("GET", f"/api/drafts/{draft}/workspace")[1]["highlights"]
    assert kept[0]["words"] == ["pump", "<b>", "insulin"]
    page.click("#highlight")
    page.click(".highlight button")
    page.wait_for_selector("#groups", state="hidden")


def test_what_is_missing_is_said_with_the_way_out(page: Page, desk: Serving, asked: tuple[str, list[str]]) -> None:
    draft, hits = asked
    go(page, desk, "/reading", asked={"draft": "unknown"}, hits=hits, document=hits[0])
    assert "upload it again" in page.inner_text("#empty")
    assert page.get_attribute("#empty a", "href") == "/"
    go(page, desk, "/reading", asked={"draft": draft}, document="US0")
    assert "US0 is not in the corpus" in page.inner_text("#empty")
    assert page.get_attribute("#empty a", "href") == "/results"
    bare, found = upload(
        desk, b"A pump\n\nDescription\n\nAn insulin pump has a reservoir and a plunger that is driven."
    )
    go(page, desk, "/reading", asked={"draft": bare}, hits=found, document=found[0])
    assert "No claims were found" in page.inner_text("#draft-list")
    page.locator('[data-pick^="paragraph:"]').first.click()
    assert passages_shown(page)


def test_hostile_text_is_only_text(page: Page, desk: Serving) -> None:
    claim = "1. A <img src=x onerror=alert(1)> pump comprising: a {{7*7}} reservoir; and a \U0001f600 plunger."
    text = f"<script>alert(1)</script> pump\n\nClaims\n\n{claim}"
    draft, hits = upload(desk, text.encode())
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    page.wait_for_selector("#standing .badge")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#draft-list")
    assert page.locator("main script, main img").count() == 0


@pytest.mark.parametrize(("width", "scheme"), [WIDE_LIGHT, NARROW_DARK])
def test_it_can_be_read_by_everyone(
    open_context: Callable[..., BrowserContext], desk: Serving, asked: tuple[str, list[str]], width: int, scheme: Any
) -> None:
    page = open_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    page.goto(f"{desk.address}#{desk.token}")
    ready(page)
    draft, hits = asked
    groups = [{"name": "pumps", "words": ["pump", "the"], "colour": 4, "on": True}]
    desk.ask("PUT", f"/api/drafts/{draft}/workspace", {"highlights": groups})
    go(page, desk, "/reading", asked={"draft": draft}, hits=hits, document=hits[0])
    passages_shown(page)
    page.wait_for_selector("#standing .badge")
    assert faults(page) == []
    page.keyboard.press("e")
    assert faults(page) == []
    if width < 900:
        page.click("#show-draft")
        assert page.is_hidden("#document-pane")
        assert faults(page) == []
        page.click('[data-pick="element:1.1"]')
        assert page.is_hidden("#draft-pane")
    page.click("#highlight")
    assert faults(page) == []
