"""The whole path from drop to export in one tab, while the server is killed and started again, and on paper."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from desk_session import go, upload
from foreart import Library
from server_world import TOKEN, Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

DROP = """(place, [name, data]) => {
  const given = new DataTransfer();
  given.items.add(new File([data], name, { type: "text/plain" }));
  for (const type of ["dragover", "drop"]) {
    place.dispatchEvent(new DragEvent(type, { dataTransfer: given, bubbles: true }));
  }
}"""


@pytest.fixture
def own_desk(desk: Serving, tmp_path: Path) -> Iterator[Serving]:
    """A server of a copy that is killed and started again at the same address."""
    folder = tmp_path / "library"
    shutil.copytree(desk.folder, folder, ignore=shutil.ignore_patterns("desk", "matters"))
    process = Serving(folder).start(environment={"FOREART_TOKEN": TOKEN})
    yield process
    process.stop()


def killed_and_started(desk: Serving) -> None:
    port = str(urlsplit(desk.address).port)
    desk.kill()
    desk.start("--port", port, environment={"FOREART_TOKEN": TOKEN})


def test_from_drop_to_export_through_kills_and_reloads(
    open_context: Callable[..., BrowserContext], own_desk: Serving, draft_file: Path, tmp_path: Path
) -> None:
    page = open_context(accept_downloads=True).new_page()
    page.goto(f"{own_desk.address}#{own_desk.token}")
    page.wait_for_selector("body[data-ready]")
    page.locator("#drop").evaluate(DROP, [draft_file.name, draft_file.read_text("utf-8")])
    page.wait_for_selector("#to-results")
    page.click("[data-fact=priority]")
    page.fill(".editing input", "2012-01-02")
    page.keyboard.press("Enter")
    page.wait_for_selector("#dates b:text('2012-01-02')")
    killed_and_started(own_desk)
    page.wait_for_selector("#ready:not([aria-busy])")
    page.click("#to-results")
    page.wait_for_selector("#hits li")
    assert "cut-off 2012-01-02" in page.inner_text("#summary")
    before = page.locator("#hits > li").count()
    page.check("#facets [data-at='statuses prior art']")
    page.wait_for_selector("#filtered:has-text('status prior art')")
    assert set(page.locator("#hits .side .badge").all_inner_texts()) == {"prior art"}
    assert page.locator("#hits > li").count() <= before
    page.reload()
    page.wait_for_selector("#hits li")
    assert page.locator("#chips .filter-chip").count() == 1
    page.locator("#hits > li h2 a").first.click()
    page.wait_for_selector("#passages .chip, #passages .quiet")
    page.keyboard.press("2")
    page.wait_for_selector("mark.q0")
    killed_and_started(own_desk)
    page.keyboard.press("j")
    page.wait_for_selector("#position:has-text('hit 2 of')")
    page.keyboard.press("a")
    page.wait_for_selector("#to-chart[aria-pressed=true]")
    page.keyboard.press("k")
    page.wait_for_selector("#position:has-text('hit 1 of')")
    page.keyboard.press("a")
    page.wait_for_selector("#said:has-text('is in the chart')", state="attached")
    page.goto(own_desk.address + "chart")
    page.wait_for_selector("#matrix [data-row]")
    assert page.locator("#matrix [data-reference]").count() == 2
    page.focus("#matrix [data-row='1'][data-column='0']")
    page.keyboard.press("4")
    page.wait_for_selector("#matrix .own")
    page.wait_for_selector("#said:has-text('saved')", state="attached")
    killed_and_started(own_desk)
    page.reload()
    page.wait_for_selector("#matrix .own")
    page.select_option("#form", "docx")
    with page.expect_download() as download:
        page.click("#export button")
    file = tmp_path / "chart.docx"
    download.value.save_as(file)
    with Library(own_desk.folder) as library:
        assert library.verify(file).holds


def test_a_server_that_is_gone_is_told_in_a_sentence(
    open_context: Callable[..., BrowserContext], own_desk: Serving, draft_file: Path
) -> None:
    page = open_context().new_page()
    page.goto(f"{own_desk.address}#{own_desk.token}")
    page.wait_for_selector("body[data-ready]")
    port = str(urlsplit(own_desk.address).port)
    own_desk.kill()
    page.set_input_files("#file", draft_file)
    page.wait_for_selector("#problem:has-text('is foreart serve still running?')")
    own_desk.start("--port", port, environment={"FOREART_TOKEN": "another-token-of-the-tests-0123456789"})
    page.set_input_files("#file", draft_file)
    # The session is known by its hash, whatever the token of this start is.
    page.wait_for_selector("#to-results")
    assert page.is_hidden("#problem")


PAPER = ("/", "/results", "/reading", "/chart", "/review", "/map", "/corpus", "/evaluate", "/api-docs")


@pytest.mark.parametrize("path", PAPER)
def test_a_page_on_paper_is_black_on_white_and_loses_nothing_at_the_edge(
    open_context: Callable[..., BrowserContext], desk: Serving, draft_file: Path, path: str
) -> None:
    pypdf = pytest.importorskip("pypdf")
    draft, hits = upload(desk, draft_file.read_bytes())
    desk.ask("PUT", f"/api/drafts/{draft}/workspace", {"references": hits[:3]})
    # As wide as a sheet of A4 within its margins, and dark on the screen.
    page = open_context(viewport={"width": 718, "height": 1000}, color_scheme="dark").new_page()
    page.goto(f"{desk.address}#{desk.token}")
    page.wait_for_selector("body[data-ready]")
    asked = {"asked": {"draft": draft}, "hits": hits, "document": hits[0]}
    for name, value in asked.items():
        page.evaluate(
            "([name, text]) => sessionStorage.setItem(name, text)",
            [name, value if name == "document" else json.dumps(value)],
        )
    if path == "/api-docs":
        page.goto(desk.address.rstrip("/") + path)
    else:
        go(page, desk, path)
    page.wait_for_load_state("networkidle")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    controls = "[...document.querySelectorAll('nav, button:not(.prints)')].filter(one => one.checkVisibility()).length"
    assert page.evaluate(controls) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    text = "".join(sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(page.pdf(format="A4"))).pages)
    assert len(text.split()) > 20
    told = {
        "/": "WEARABLE DRUG PUMP",
        "/results": hits[5],
        "/reading": hits[0],
        "/chart": hits[2],
        "/api-docs": "/api/search",
    }
    assert told.get(path, "foreart") in text.replace("\n", " ")
