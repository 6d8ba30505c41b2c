"""Start: a draft is given, understood, corrected and searched for; what goes wrong is said in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, FilePayload, Page


def give(page: Page, file: Path) -> None:
    """Gives a draft and waits for its hits."""
    page.set_input_files("#file", file)
    page.wait_for_selector("#to-results")


def test_a_draft_is_understood_and_its_hits_are_ready(page: Page, draft_file: Path) -> None:
    give(page, draft_file)  # how long that takes is measured by benchmarks/desk.py
    assert page.inner_text("#to-results") == "See 20 hits"
    assert page.locator("#ready .best li").count() == 3
    assert page.inner_text("#understood-title").startswith("WEARABLE DRUG PUMP")
    assert page.inner_text("#dates b") == "2014-03-10"
    assert "priority date named in the draft" in page.inner_text("#dates")
    assert page.locator(".band").count() == 8
    widths = page.eval_on_selector_all(".band", "bands => bands.map(band => band.getBoundingClientRect().width)")
    assert max(widths) == widths[5]  # the detailed description
    assert page.locator(".claim-tree > li").count() == 2
    assert page.locator(".claim-tree > li").nth(0).locator("ul.chips li").count() == 5
    assert page.locator(".claim-tree > li").nth(0).locator(":scope > ul > li").count() == 6
    assert page.evaluate("document.activeElement.id") == "understood-title"


def test_corrections_are_made_in_place_and_taken_back(page: Page, draft_file: Path) -> None:
    give(page, draft_file)
    page.click("[data-fact=priority]")
    page.fill(".editing input", "yesterday")
    page.keyboard.press("Enter")
    expect(page.locator(".editing .fault")).to_have_text("priority is not a date; write it as 2014-03-10")
    page.fill(".editing input", "2010-01-02")
    page.keyboard.press("Enter")
    page.wait_for_selector("#dates b:text('2010-01-02')")
    assert page.evaluate("document.activeElement.dataset.fact") == "priority"
    page.click("button[aria-label='take back the correction of priority']")
    page.wait_for_selector("#dates b:text('2014-03-10')")
    page.click("[data-fact=applicants]")
    page.fill(".editing input", "Acme GmbH; Bolt Inc")
    page.click(".editing button")
    page.wait_for_selector(".fact.applicants .value:text('Acme GmbH; Bolt Inc')")


def test_corrections_are_undone_and_redone_by_keys(page: Page, draft_file: Path) -> None:
    give(page, draft_file)
    page.click("[data-fact=priority]")
    page.fill(".editing input", "2010-01-02")
    page.keyboard.press("Enter")
    page.wait_for_selector("#dates b:text('2010-01-02')")
    page.click("[data-fact=applicants]")
    page.fill(".editing input", "Acme GmbH")
    page.keyboard.press("Enter")
    page.wait_for_selector(".fact.applicants .value:text('Acme GmbH')")
    page.keyboard.press("z")
    page.wait_for_selector(".fact.applicants .value.none, .fact.applicants .value:not(:text('Acme GmbH'))")
    page.wait_for_selector("#dates b:text('2010-01-02')")
    page.keyboard.press("z")
    page.wait_for_selector("#dates b:text('2014-03-10')")
    page.keyboard.press("Shift+Z")
    page.wait_for_selector("#dates b:text('2010-01-02')")


def test_claims_and_sections_are_corrected(page: Page, draft_file: Path) -> None:
    give(page, draft_file)
    page.get_by_role("button", name="Correct its elements").first.click()
    field = page.locator(".editing textarea")
    texts = field.input_value().split("\n\n")
    field.fill("\n\n".join(texts[:2]))
    page.click(".editing button")
    expect(page.locator(".claim-tree > li:first-child > .claim .chip")).to_have_count(2)
    page.locator(".claim-tree summary", has_text="Claim 2").click()
    page.click("[data-claim='2']")
    page.fill(".editing input", "8")
    page.keyboard.press("Enter")
    page.wait_for_selector(".note li:text('Claim 2 refers to claim 8, which comes after it.')")
    assert page.locator(".claim-tree > li:first-child .chip").count() == 2
    page.click("#correct-sections")
    page.locator("#section-rows select").nth(4).select_option("summary")
    page.click("#section-form button:text('Save')")
    page.wait_for_selector("button[aria-label='take back the correction of the sections']")
    assert page.locator(".band.s-summary").count() == 2
    page.click("button[aria-label='take back the correction of the sections']")
    expect(page.locator(".band.s-summary")).to_have_count(1)


def test_a_cut_off_and_a_filter_change_what_is_ready(page: Page, draft_file: Path) -> None:
    give(page, draft_file)
    page.fill("[name=cutoff]", "2000-01-01")
    page.keyboard.press("Tab")
    page.wait_for_selector("#dates b:text('2000-01-01')")
    page.click("#narrow-more summary")
    page.check("#narrow [data-at='classes A61M']")
    page.wait_for_selector("#chips .filter-chip")
    page.wait_for_selector("#ready:has-text('filters removed')")
    page.click("#chips .filter-chip")
    page.wait_for_selector("#ready:not(:has-text('filters removed'))")


def docx_encrypted() -> bytes:
    """The beginning of an OLE file, which is what an encrypted Word file is."""
    return bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 2000


def picture() -> bytes:
    from PIL import Image

    file = BytesIO()
    Image.new("RGB", (40, 40)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("empty.txt", bytes, "empty.txt is empty"),
        ("scan.png", picture, "scan.png"),
        ("secret.docx", docx_encrypted, "secret.docx"),
    ],
)
def test_a_file_that_is_no_draft_is_refused_in_a_sentence(
    page: Page, name: str, make: Callable[[], bytes], said: str
) -> None:
    payload: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": make()}
    page.set_input_files("#file", payload)
    page.wait_for_selector("#problem:not([hidden])")
    told = page.inner_text("#problem")
    assert said in told
    assert "\n" not in told
    assert len(told) < 200
    assert page.is_hidden("#understood")


def test_a_file_that_is_too_large_is_not_sent(page: Page, tmp_path: Path) -> None:
    large = tmp_path / "large.pdf"
    with large.open("wb") as file:
        file.truncate((64 << 20) + 1)
    page.set_input_files("#file", large)
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem").startswith("large.pdf is too large: a draft may have 64 MB")


def test_drop_and_paste(page: Page, draft_file: Path) -> None:
    page.wait_for_selector("body[data-ready]")
    page.click("#search")
    assert page.inner_text("#problem").startswith("There is no text yet")
    page.fill("#paste", draft_file.read_text("utf-8"))
    page.click("#search")
    page.wait_for_selector("#to-results")
    assert page.is_hidden("#problem")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.txt"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        draft_file.read_text("utf-8"),
    )
    page.wait_for_selector("#file-name:has-text('dropped.txt')")


def test_markup_in_a_draft_is_text(page: Page) -> None:
    title = "<img src=x onerror=alert(1)> {{7*7}} \u202epump"
    page.fill(
        "#paste", f"{title}\n\nCLAIMS\n\n1. A pump <script>alert(2)</script> comprising a <b>valve</b>; and a rotor.\n"
    )
    page.click("#search")
    page.wait_for_selector("#to-results")
    assert "<img src=x onerror=alert(1)> {{7*7}}" in page.inner_text("#understood-title")
    assert "<script>alert(2)</script>" in page.inner_text("#claims")
    assert page.locator("#understood img, #understood script, #understood b:text('valve')").count() == 0


def test_reload_second_tab_and_a_draft_that_is_gone(page: Page, desk: Serving, draft_file: Path) -> None:
    give(page, draft_file)
    page.reload()
    page.wait_for_selector("#to-results")
    other = page.context.new_page()
    other.goto(desk.address)
    other.wait_for_selector("#drafts li")
    mine = page.evaluate("JSON.parse(sessionStorage.getItem('asked')).draft")
    row = other.locator("#drafts li", has_text="WEARABLE").first
    row.get_by_role("button", name="Remove the draft").click()
    row.get_by_role("button", name="Remove for good").click()
    other.wait_for_selector("#removed:not([hidden])")
    assert "Removed: 2 files" in other.inner_text("#removed")
    assert desk.ask("GET", f"/api/drafts/{mine}")[0] == 404
    page.reload()
    page.wait_for_selector("#problem:not([hidden])")
    assert "no longer on the server: give it again" in page.inner_text("#problem")
    assert page.is_visible("#drop")
    page.goto(f"{desk.address}results")
    page.wait_for_selector("#empty:not([hidden])")


def test_the_address_of_an_earlier_start_opens_only_what_a_session_opens(
    page: Page, open_context: Callable[..., BrowserContext], desk: Serving
) -> None:
    earlier = f"{desk.address}corpus#{'0' * 43}"
    page.goto(earlier)
    page.wait_for_selector("body[data-ready]")
    page.wait_for_selector("#state:not([hidden])")
    assert page.is_hidden("#problem")
    assert page.url == f"{desk.address}corpus"
    stranger = open_context().new_page()
    stranger.goto(earlier)
    stranger.wait_for_selector("#problem:has-text('open the address that foreart serve printed')")
    assert stranger.is_hidden("#state")


def test_an_empty_library_teaches(open_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    serving = Serving(tmp_path / "library").start()
    try:
        page = open_context().new_page()
        page.goto(f"{serving.address}#{serving.token}")
        page.wait_for_selector("#load-sample")
        assert "no documents yet" in page.inner_text("#welcome")
        page.click("#load-sample")
        page.wait_for_selector("#try-sample", timeout=60_000)
        assert page.is_hidden("#welcome")
        page.click("#try-sample")
        page.wait_for_selector("#to-results")
        assert page.inner_text("#to-results") == "See 20 hits"
    finally:
        serving.stop()
