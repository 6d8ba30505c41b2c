"""The corpus: files are dropped, added, built and searched; rejects, doctor, cancel, and a reload in the middle."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def own_desk(desk: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of a copy that these tests may change, and of an empty library."""
    folder = tmp_path_factory.mktemp("corpus") / "library"
    shutil.copytree(desk.folder, folder, ignore=shutil.ignore_patterns("desk"))
    process = Serving(folder).start("--library", str(folder.parent / "empty"))
    yield process
    process.stop()


@pytest.fixture
def corpus_page(open_context, own_desk: Serving) -> Page:  # type: ignore[no-untyped-def]
    found = open_context().new_page()
    found.goto(f"{own_desk.address}corpus#{own_desk.token}")
    found.wait_for_selector("body[data-ready]")
    return found


def box(page: Page, name: str) -> str:
    return page.locator("#state div", has=page.locator(f"dt:text-is('{name}')")).locator("dd").inner_text()


def patents(count: int) -> str:
    lines = [
        {"id": f"XX88{n:05}A1", "title": f"{HOSTILE} pump {n}", "abstract": "A pump.", "published": "2001-02-03"}
        for n in range(count)
    ]
    return "\n".join(map(json.dumps, lines)) + '\n{"id": "broken\n'


def test_a_file_is_dropped_added_built_and_searched(corpus_page: Page) -> None:
    assert box(corpus_page, "Documents") == "50"
    assert corpus_page.locator("#plots figure").count() > 8
    corpus_page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'week.jsonl'));
          const dropped = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
          document.getElementById('drop').dispatchEvent(dropped);
        }""",
        patents(3),
    )
    corpus_page.wait_for_selector("#next .note", timeout=60_000)
    assert "week.jsonl: 4 records read: 3 added, 1 not readable." in corpus_page.inner_text("#done")
    assert box(corpus_page, "Searched").startswith("50")
    assert "3 documents were added" in corpus_page.inner_text("#next")
    corpus_page.click("#next button")
    corpus_page.wait_for_selector("#next .note", state="detached", timeout=60_000)
    assert box(corpus_page, "Searched").startswith("53")
    # The record that could not be read, under the name that the file had.
    assert corpus_page.locator("#rejects tr").count() == 1
    assert corpus_page.locator("#rejects td").first.inner_text() == "week.jsonl"
    hits = corpus_page.evaluate(
        """async () => {
          const { call } = await import('/static/api.js');
          return (await call('POST', '/similar', { number: 'XX8800000A1', k: 60 })).hits.map(hit => hit.id);
        }"""
    )
    assert hits


def test_the_check_lists_findings_with_what_to_do(corpus_page: Page) -> None:
    corpus_page.click("#doctor")
    corpus_page.wait_for_selector("#findings:not([hidden]) li", timeout=60_000)
    assert "foreart learn" in corpus_page.inner_text("#findings-list")
    assert corpus_page.locator("#findings-list button", has_text="Learn").is_visible()
    corpus_page.reload()
    corpus_page.wait_for_selector("#findings:not([hidden]) li")


def test_a_job_is_followed_after_a_reload_and_cancelled(corpus_page: Page) -> None:
    corpus_page.click("#learn")
    corpus_page.wait_for_selector("#jobs .job")
    corpus_page.reload()
    corpus_page.wait_for_selector("#jobs .job button")
    corpus_page.click("#jobs .job button")
    corpus_page.wait_for_selector("#done >> text=learning was cancelled")
    assert corpus_page.locator("#jobs .job").count() == 0
    assert box(corpus_page, "Ranking").startswith("default weights")


def test_an_empty_library_offers_the_sample(corpus_page: Page) -> None:
    corpus_page.select_option("#library", "empty")
    corpus_page.wait_for_selector("#empty:not([hidden])")
    assert corpus_page.locator("#build").is_disabled()
    corpus_page.click("#sample")
    corpus_page.wait_for_selector("#state:not([hidden])", timeout=60_000)
    assert (box(corpus_page, "Documents"), box(corpus_page, "Searched").split()[0]) == ("50", "50")


def test_a_narrow_dark_corpus(corpus_page: Page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    corpus_page.set_viewport_size({"width": 380, "height": 800})
    corpus_page.emulate_media(color_scheme="dark")
    corpus_page.wait_for_selector("#plots figure")
    assert corpus_page.evaluate("document.documentElement.scrollWidth") <= 380
    faults = Axe().run(corpus_page).response["violations"]
    assert [one["id"] for one in faults if one["impact"] in ("serious", "critical")] == []
