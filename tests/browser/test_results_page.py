"""Results: hits, facets, sort, comparison, kept searches, files; by keyboard alone, narrow, and without a draft."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page


@pytest.fixture
def results(page: Page, desk: Serving, draft_file: Path) -> Page:
    """The results of the sample draft."""
    page.set_input_files("#file", draft_file)
    page.wait_for_selector("#to-results")
    return shown(page, desk)


def shown(page: Page, desk: Serving) -> Page:
    page.goto(f"{desk.address}results")
    page.wait_for_selector("#hits li")
    page.wait_for_selector("body[data-ready]")
    return page


def ids(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#hits > li", "rows => rows.map(row => row.dataset.id)")
    return found


def test_a_row_says_what_a_hit_is(results: Page, desk: Serving) -> None:
    draft = results.evaluate("JSON.parse(sessionStorage.getItem('asked')).draft")
    expected = desk.ask("POST", "/api/search", {"draft": draft})[1]
    assert ids(results) == [hit["id"] for hit in expected["hits"]]
    row = results.locator("#hits > li").first
    hit = expected["hits"][0]
    for told in (hit["title"], hit["id"], hit["applicants"][0], hit["published"], hit["status"], "family 2"):
        assert told in row.inner_text()
    assert row.locator(".shares rect").count() == len([one for one in hit["shares"] if one["contribution"] > 0])
    assert "cut-off 2014-03-10" in (row.locator(".timeline").get_attribute("aria-label") or "")
    row.get_by_role("button", name="more about").click()
    assert hit["rule"] in row.inner_text()
    assert hit["passage"]["text"] in row.inner_text()
    assert row.locator(".passage mark").count() == len(hit["passage"]["marks"])
    assert "1 document" in results.inner_text("#asides h2")


def test_facets_filter_before_ranking(results: Page) -> None:
    results.locator("#facets summary", has_text="Language").click()
    results.check("#facets [data-at='languages de']")
    expect(results.locator("#hits > li")).to_have_count(1)
    assert results.inner_text("#filtered").startswith(
        "Filters removed 49 of 50 documents before ranking (language de: 49"
    )
    # The other languages can still be chosen, and the box keeps the focus.
    assert results.locator("#facets [data-at='languages en']").count() == 1
    assert results.evaluate("document.activeElement.dataset.at") == "languages de"
    results.click("#chips .filter-chip")
    expect(results.locator("#hits > li")).to_have_count(20)
    results.check("#facets [data-at='statuses mentioned']")
    expect(results.locator("#hits > li")).to_have_count(2)
    assert set(results.locator("#hits .badge").all_inner_texts()) == {"mentioned"}


def test_years_are_brushed_or_written(results: Page) -> None:
    box = results.locator(".histogram").bounding_box()
    assert box
    results.mouse.move(box["x"] + 1, box["y"] + 20)
    results.mouse.down()
    results.mouse.move(box["x"] + box["width"] * 0.39, box["y"] + 20, steps=4)
    results.mouse.up()
    results.wait_for_selector(".filter-chip:has-text('published from 1990 to 1999')")
    results.fill("[data-at=published_to]", "1995")
    results.keyboard.press("Enter")
    results.wait_for_selector(".filter-chip:has-text('published from 1990 to 1995')")
    results.wait_for_selector("#hits:not([aria-busy])")
    published = results.locator("#hits .by").all_inner_texts()
    assert all(any(f"published 199{year}" in line for year in range(6)) for line in published)


def test_sorting_and_more(results: Page) -> None:
    by_rank = ids(results)
    results.select_option("#sort", "newest")
    assert sorted(ids(results)) == sorted(by_rank)
    assert "2014" in results.locator("#hits .by").first.inner_text()
    results.keyboard.press("/")
    results.keyboard.type("wearable")
    expect(results.locator("#matching")).to_contain_text(" of 20")
    assert 0 < results.locator("#hits > li:visible").count() < 20
    results.fill("#find", "")
    results.select_option("#sort", "rank")
    assert ids(results) == by_rank
    results.click("#more")
    results.wait_for_selector("#hits > li:nth-child(41)")
    assert ids(results)[:20] == by_rank
    assert results.is_hidden("#more")


def test_two_are_compared(results: Page) -> None:
    results.keyboard.press("j")
    results.keyboard.press("Space")
    results.keyboard.press("j")
    results.keyboard.press("j")
    results.keyboard.press("Space")
    results.keyboard.press("c")
    results.wait_for_selector("#compare[open]")
    first, third = ids(results)[0], ids(results)[2]
    text = results.inner_text("#compared")
    assert first in text
    assert third in text
    expect(results.locator("#compared .first-claim", has_text="1. ")).to_have_count(2)
    assert results.locator("#compared .share-rows").count() == 2
    results.keyboard.press("Escape")
    assert results.locator("#hits > li.marked").count() == 2


def test_kept_and_only_new(results: Page, desk: Serving) -> None:
    before = ids(results)
    results.click("#keep")
    results.fill("#keep-name", "the first twenty")
    results.keyboard.press("Enter")
    results.wait_for_selector("#since-label:not([hidden])")
    results.keyboard.press("o")
    results.wait_for_selector(".filter-chip:has-text('only new since the first twenty')")
    results.wait_for_selector("#filtered:has-text('only new')")
    assert not set(before) & set(ids(results))
    results.keyboard.press("o")
    results.wait_for_selector("#filtered", state="hidden")
    assert ids(results) == before
    results.goto(desk.address)
    row = results.locator("#searches li", has_text="the first twenty")
    row.get_by_role("button", name="Only what is new").click()
    results.wait_for_selector(".filter-chip:has-text('only new')")
    results.goto(desk.address)
    row.get_by_role("button", name="Delete the kept search").click()
    row.get_by_role("button", name="Delete for good").click()
    row.wait_for(state="detached")


@pytest.mark.parametrize("form", ["html", "csv", "json"])
def test_the_result_as_a_file(results: Page, form: str, tmp_path: Path) -> None:
    results.click("#save")
    with results.expect_download() as waiting:
        results.click(f"[data-form={form}]")
    file = tmp_path / waiting.value.suggested_filename
    assert file.name == f"prior-art.{form}"
    waiting.value.save_as(file)
    text = file.read_text("utf-8-sig")
    assert ids(results)[0] in text
    if form == "json":
        assert [hit["id"] for hit in json.loads(text)["hits"]] == ids(results)


def test_by_keyboard_alone_from_the_file_to_the_hit(page: Page, draft_file: Path) -> None:
    page.wait_for_selector("body[data-ready]")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "file":
            break
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(draft_file)
    page.wait_for_selector("#to-results")
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "to-results":
            break
    assert page.evaluate("document.activeElement.id") == "to-results"
    page.keyboard.press("Enter")
    page.wait_for_selector("#hits li")
    page.wait_for_selector("#facets details", state="attached")
    page.keyboard.press("f")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # the first status
    page.wait_for_selector(".filter-chip")
    page.wait_for_selector("#hits:not([aria-busy])")
    page.keyboard.press("j")
    page.keyboard.press("u")
    second = ids(page)[1]
    page.keyboard.press("Enter")
    page.wait_for_url("**/reading")
    assert page.evaluate("sessionStorage.getItem('document')") == second
    page.go_back()
    page.wait_for_selector("#hits li.seen")
    assert page.locator("#hits li.seen").get_attribute("data-id") == second


def test_narrow_the_facets_are_in_a_drawer(
    open_context: Callable[..., BrowserContext], desk: Serving, draft_file: Path
) -> None:
    page = open_context(viewport={"width": 380, "height": 800}).new_page()
    page.goto(f"{desk.address}#{desk.token}")
    page.set_input_files("#file", draft_file)
    page.wait_for_selector("#to-results")
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    shown(page, desk)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.is_hidden("#facets")
    page.keyboard.press("f")
    assert page.is_visible("#facets")
    assert page.evaluate("document.activeElement.id") == "close-drawer"
    page.keyboard.press("Escape")
    assert page.is_hidden("#facets")


def test_without_a_draft_the_page_says_what_to_do(page: Page, desk: Serving) -> None:
    page.wait_for_selector("body[data-ready]")
    page.goto(f"{desk.address}results")
    page.wait_for_selector("#empty:not([hidden])")
    assert "Give a draft on Start" in page.inner_text("#empty")
    assert page.is_hidden("#found")
