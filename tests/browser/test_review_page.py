"""Review: a matter from draft to report by keys; undo, two readers, two tabs, a sealed matter, a restarted server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from docx import Document

from foreart.review.casework.matter_forms import FORMS
from server_world import Serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"
ORDER = (
    "async () => { const { call } = await import('/static/api.js'); const { at, rater } ="
    " await import('/static/review_matter.js');"
    " return (await call('GET', at('/queue', { rater: rater(), limit: 50 }))).queue.map(item => item.id); }"
)
STATE = (
    "async () => { const { call } = await import('/static/api.js'); const { at } ="
    " await import('/static/review_matter.js'); return await call('GET', at()); }"
)


@pytest.fixture(scope="module")
def own_desk(desk: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of a copy, which these tests restart."""
    folder = tmp_path_factory.mktemp("review") / "library"
    shutil.copytree(desk.folder, folder, ignore=shutil.ignore_patterns("desk", "matters"))
    process = Serving(folder).start()
    yield process
    process.stop()


@pytest.fixture
def review_page(open_context, own_desk: Serving, draft_file: Path) -> Page:  # type: ignore[no-untyped-def]
    """The page of a tab that has a draft."""
    found = open_context().new_page()
    found.goto(f"{own_desk.address}#{own_desk.token}")
    found.wait_for_selector("body[data-ready]")
    found.set_input_files("#file", draft_file)
    found.wait_for_selector("#to-results")
    found.goto(f"{own_desk.address}review")
    found.wait_for_selector("body[data-ready]")
    return found


def make(page: Page, name: str, *, rater: str = "ann", passphrase: str = "") -> None:
    page.fill("#rater", rater)
    page.press("#rater", "Tab")
    page.fill("[name=name]", name)
    page.fill("[name=title]", HOSTILE)
    page.fill("#new-matter [name=passphrase]", passphrase)
    page.click("#new-matter button")
    page.wait_for_selector("#texts details")


def shown(page: Page) -> str:
    return page.inner_text("#document-facts .id")


def press(page: Page, key: str, said: str) -> None:
    """Presses a key and waits until what it did is said."""
    page.keyboard.press(key)
    page.wait_for_selector(f"#undo-said:has-text('{said}')")


def judged(page: Page, number: int) -> None:
    page.wait_for_selector(f"#count:has-text('in {number} read')")


def test_a_review_by_keys_from_draft_to_report(review_page: Page, own_desk: Serving) -> None:
    page = review_page
    make(page, "hinge")
    assert page.inner_text("#matter-title") == HOSTILE
    page.click("#rule summary")
    page.select_option("#rule-form [name=confidence]", "0.95")
    page.click("#rule-form button")
    page.wait_for_selector("#rule-told:has-text('95 % sure (fixed before reading)')")
    order = page.evaluate(ORDER)
    first = shown(page)
    assert first == order[0]
    page.focus("#document")
    press(page, "i", f"{first} judged irrelevant")
    second = shown(page)
    assert second == order[1]
    press(page, "r", f"{second} judged relevant")
    judged(page, 2)
    assert page.inner_text("#count").split()[0] == "1"
    assert [number for number in order if number not in (first, second)] != page.evaluate(ORDER)
    third = shown(page)
    press(page, "Shift+M", f"{third} judged maybe")
    judged(page, 3)
    assert shown(page) == third
    press(page, "z", f"Undone: {third} judged maybe")
    judged(page, 2)
    press(page, "Shift+Z", f"Done again: {third} judged maybe")
    judged(page, 3)
    assert "3 read" in page.inner_text("#stopping")
    page.keyboard.press("v")
    page.keyboard.type("p,x 1,3-5")
    assert page.inner_text("#category-hint").endswith("claims 1, 3–5")
    page.keyboard.press("Enter")
    page.wait_for_selector("#document-categories li:has-text('P,X claims 1, 3–5')")
    page.keyboard.press("n")
    page.keyboard.type(f"as in figure 2 {HOSTILE}")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#document-notes li:has-text('as in figure 2')")
    assert page.locator("#document-notes img").count() == 0
    page.reload()
    page.wait_for_selector("#texts details")
    judged(page, 3)
    page.click("#tab-judged")
    rows = page.locator(".judged-row")
    assert rows.count() == 3
    assert "P,X claims 1, 3–5" in rows.first.inner_text()
    page.select_option("#judged-kind", "no")
    page.locator(".judged-row select").select_option("maybe")
    page.wait_for_selector(".judged-row", state="detached")
    state = page.evaluate(STATE)["state"]
    told = {item["document"]: item["judgement"] for item in state["judgements"]}
    assert told == {first: "maybe", second: "relevant", third: "maybe"}
    page.click("#tab-report")
    page.check("#forms [value=json]")
    with page.expect_download() as download:
        page.click("#make-report")
    record = json.loads(download.value.path().read_bytes())
    assert {item["document"] for item in record["state"]["judgements"]} == set(told)
    assert HOSTILE in record["state"]["notes"][0]["text"]
    assert "figure" not in "".join(own_desk.log)


def test_every_form_is_offered_and_word_opens_with_its_head(review_page: Page) -> None:
    make(review_page, "forms")
    review_page.keyboard.press("r")
    judged(review_page, 1)
    review_page.click("#tab-report")
    assert review_page.locator("#forms input").evaluate_all("all => all.map(one => one.value).sort()") == sorted(FORMS)
    review_page.check('#forms [value="ids-docx"]')
    review_page.fill("[name=docket]", "P-1234")
    with review_page.expect_download() as download:
        review_page.click("#make-report")
    assert download.value.suggested_filename == "forms-ids-docx.docx"
    text = "".join(cell.text for table in Document(str(download.value.path())).tables for cell in table._cells)
    assert "P-1234" in text


def test_two_tabs_follow_each_other_and_two_readers_agree(review_page: Page) -> None:
    make(review_page, "tabs")
    other = review_page.context.new_page()
    other.goto(review_page.url)
    other.click("#matter-list button:text-is('<img src=x onerror=alert(1)>') >> nth=0")
    other.wait_for_selector("#texts details")
    document = shown(review_page)
    assert shown(other) == document
    review_page.keyboard.press("r")
    other.wait_for_selector(f"#undo-said:has-text('In another tab: {document} judged relevant')")
    judged(other, 1)
    assert shown(other) != document
    other.fill("#rater", "bob")
    other.press("#rater", "Tab")
    other.wait_for_selector("#count:has-text('in 0 read')")
    assert shown(other) == document
    other.keyboard.press("i")
    judged(other, 1)
    other.click("#tab-judged")
    assert "ann and bob: 0 of 1 alike" in other.inner_text("#agreement")
    assert f"They differ on {document}" in other.inner_text("#agreement")


def test_a_sealed_matter_needs_its_passphrase_and_is_purged(review_page: Page) -> None:
    page = review_page
    make(page, "secret", passphrase="correct horse")
    page.click("#tab-about")
    page.click("text=Close it")
    page.click("#matter-list button:text-is('secret')")
    page.fill("#unseal [name=passphrase]", "wrong")
    page.press("#unseal [name=passphrase]", "Enter")
    page.wait_for_selector("#unseal-fault:has-text('passphrase')")
    assert page.inner_text("#unseal-fault").count(".") == 1
    page.fill("#unseal [name=passphrase]", "correct horse")
    page.press("#unseal [name=passphrase]", "Enter")
    page.wait_for_selector("#matter-facts:has-text('sealed')")
    page.click("#tab-about")
    page.click("#about [aria-label='Purge the matter secret']")
    assert "backups" in page.inner_text("#about .purge-told")
    page.click("#about .danger")
    page.wait_for_selector("#purged:has-text('Removed: ')")
    assert page.locator("#matter-list li", has_text="secret").count() == 0


def test_nothing_is_lost_while_the_server_restarts(review_page: Page, own_desk: Serving) -> None:
    page = review_page
    make(page, "restart")
    document = shown(page)
    port = str(urlsplit(own_desk.address).port)
    own_desk.kill()
    page.keyboard.press("r")
    page.wait_for_selector("#waiting:has-text('wait here')")
    own_desk.start("--port", port)
    page.wait_for_selector("#waiting", state="hidden")
    judged(page, 1)
    found = page.evaluate(STATE)["state"]["judgements"]
    assert [(item["document"], item["judgement"], item["rater"]) for item in found] == [(document, "relevant", "ann")]


def test_the_stopping_rule_is_in_the_log_before_anything_is_read(review_page: Page, own_desk: Serving) -> None:
    page = review_page
    page.select_option("#new-matter [name=target]", "0.9")
    page.select_option("#new-matter [name=confidence]", "0.8")
    make(page, "ruled")
    page.wait_for_selector(
        "#rule-told:has-text('at 90 % of the relevant documents, 80 % sure (fixed before reading)')", state="attached"
    )
    # A matter that was made without a rule gets the one that is shown, before its first judgement.
    page.evaluate(
        "async () => { const { call } = await import('/static/api.js'); const { at, setOpen } ="
        " await import('/static/review_matter.js'); const { search } = await import('/static/review_matters.js');"
        " await call('POST', at('', {}, ''), { name: 'bare' }); await search('bare'); setOpen('bare'); }"
    )
    page.reload()
    page.wait_for_selector("#texts details")
    page.wait_for_selector("#rule-told:has-text('the default: no rule is in the log')", state="attached")
    page.focus("#document")
    page.keyboard.press("r")
    page.keyboard.press("i")
    judged(page, 2)
    page.wait_for_selector("#rule-told:has-text('90 % sure (fixed before reading)')", state="attached")
    status, found = own_desk.ask("GET", "/api/matters/bare/stopping?rater=ann")
    assert (status, len(found["rule"]["log"])) == (200, 1)
    assert (found["rule"]["log"][0]["read"], found["target"], found["confidence"]) == (0, 0.8, 0.9)
    page.click("#tab-report")
    page.check("[value='docx']")
    page.click("#preview-report")
    page.wait_for_selector("#report-preview table")
    facts = page.inner_text("#report-preview")
    assert "80 % found, with 90 % confidence: it was not applied" in facts.replace("\xa0", " ")
    assert "fixed before reading" in facts.lower()


def test_the_page_says_what_has_changed_and_what_was_judged_stays_judged(review_page: Page, own_desk: Serving) -> None:
    page = review_page
    make(page, "versions")
    document = shown(page)
    page.focus("#document")
    press(page, "r", f"{document} judged relevant")
    judged(page, 1)
    page.evaluate(
        "async () => { const { call } = await import('/static/api.js'); const { at } ="
        " await import('/static/review_matter.js'); const text = new Blob(['Title: Pump\\n\\nClaims\\n1. A pump with a"
        " valve, a spring and a membrane that is moved by a motor.']);"
        " const { draft } = await call('POST', '/drafts?name=second.txt', text);"
        " await call('POST', at('/events'), { kind: 'draft', draft }); }"
    )
    told = "The draft has a newer version than the one searched for: search again."
    page.wait_for_selector(f"#order-notes li:has-text('{told}')")
    page.click("#tab-about")
    page.click("#about button:has-text('Search again')")
    page.wait_for_selector("#about li:has-text('Version 2 of the draft')")
    page.wait_for_selector("#order-notes li:has-text('differs from the one before it in draft')", state="attached")
    page.click("#tab-judged")
    assert page.inner_text(f"#judged-list [data-id={document}] .tag") == "relevant"
    status, queue = own_desk.ask("GET", "/api/matters/versions/queue?rater=ann&limit=200")
    assert status == 200
    assert document not in [item["id"] for item in queue["queue"]]


def test_literature_is_entered_judged_and_previewed_in_a_report(review_page: Page) -> None:
    page = review_page
    make(page, "paper")
    page.click("#tab-judged")
    page.click("#literature-new summary")
    for name, value in (
        ("title", HOSTILE),
        ("authors", "Hartwell, Ruth; Okoro, Ben"),
        ("item", "Journal of Mechanisms"),
        ("published", "1998-05"),
        ("places", "page 104"),
    ):
        page.fill(f"#literature-form [name={name}]", value)
    page.click("#literature-keep")
    row = page.locator("#literature-list [data-id^='NPL-']")
    row.wait_for()
    assert f"Hartwell, Ruth; Okoro, Ben, {HOSTILE}, Journal of Mechanisms, 1998-05" in row.inner_text()
    row.locator("select").select_option("relevant")
    page.wait_for_selector("#literature-list .tag.relevant")
    row.locator("[aria-label^=category]").fill("y 1,3-4")
    row.locator("text=Give a category").click()
    page.wait_for_selector("#literature-list b:has-text('Y')")
    row.locator("[aria-label^='change NPL-']").click()
    page.fill("#literature-form [name=published]", "1999")
    page.click("#literature-keep")
    page.wait_for_selector("#literature-list [data-id^='NPL-'] .judged-title:has-text('1999')")
    # Neither judged among the documents nor counted as read.
    assert page.locator("#judged-list li").count() == 0
    page.click("#tab-read")
    assert page.inner_text("#count").startswith("0")
    page.click("#tab-report")
    page.check("[value='ids-docx']")
    page.fill("[name=docket]", "N-7")
    page.click("#preview-report")
    page.wait_for_selector("#report-preview table")
    text = page.inner_text("#report-preview")
    assert f"HARTWELL, RUTH; OKORO, BEN; “{HOSTILE}”; Journal of Mechanisms; 1999" in text
    assert "N-7" in text
    assert "Search aid made with foreart; not a report of any office" in text
    assert page.locator("#report-preview img").count() == 0
    page.check("[value='ris']")
    page.wait_for_selector("#report-preview", state="hidden")
    page.click("#preview-report")
    page.wait_for_selector("#report-preview pre:has-text('AU  - Hartwell, Ruth')")
    assert page.evaluate(STATE)["state"]["exports"] == []


def test_a_sealed_matter_gets_another_passphrase_on_the_page(review_page: Page) -> None:
    page = review_page
    make(page, "renewed", passphrase="seven quiet otters row home")
    page.click("#tab-about")
    for passphrase in ("another passphrase", "seven quiet otters row home"):
        present, renewed = page.locator("#renew input").all()
        present.fill(passphrase)
        renewed.fill("nine loud herons fly north")
        page.click("#renew button")
        if passphrase.startswith("another"):
            page.wait_for_selector("#problem:has-text('the passphrase does not open the matter renewed')")
    page.wait_for_selector("#said:has-text('the matter has another passphrase')", state="attached")
    page.click("text=Close it")
    page.click("#matter-list button:has-text('renewed')")
    page.fill("#unseal [name=passphrase]", "seven quiet otters row home")
    page.click("#unseal button")
    page.wait_for_selector("#unseal-fault:has-text('The passphrase does not open the matter renewed.')")
    page.fill("#unseal [name=passphrase]", "nine loud herons fly north")
    page.click("#unseal button")
    page.wait_for_selector("#texts details", state="attached")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_the_open_matter_fits_and_axe_finds_nothing_serious(  # type: ignore[no-untyped-def]
    open_context, own_desk: Serving, draft_file: Path, scheme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    page.goto(f"{own_desk.address}#{own_desk.token}")
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#file", draft_file)
    page.wait_for_selector("#to-results")
    page.goto(f"{own_desk.address}review")
    page.wait_for_selector("body[data-ready]")
    make(page, f"look-{scheme}-{width}")
    page.keyboard.press("r")
    judged(page, 1)
    page.keyboard.press("e")
    page.keyboard.press("n")
    faults = []
    for view in ("read", "judged", "report", "about"):
        page.click(f"#tab-{view}")
        if view == "judged":
            page.click("#literature-new summary")
        if view == "report":
            page.click("#preview-report")
            page.wait_for_selector("#report-preview table")
        report = Axe().run(page, options={"preload": False})
        faults += [
            (view, one["id"], [node["target"] for node in one["nodes"]])
            for one in report.response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
    assert faults == []
