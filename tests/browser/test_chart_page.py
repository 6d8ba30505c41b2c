"""Chart: the matrix, its quotes, a person's grades, and files that verify."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desk_session import faults, go, ready, upload
from extras import needs
from foreart import Library
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

CELL = "#matrix [data-row]"


@pytest.fixture
def charted(page: Page, desk: Serving, draft_file: Path) -> tuple[str, list[str]]:
    """The chart page of a draft with its three best hits as references."""
    draft, hits = upload(desk, draft_file.read_bytes())
    desk.ask("PUT", f"/api/drafts/{draft}/workspace", {"references": hits[:3]})
    go(page, desk, "/chart", asked={"draft": draft}, hits=hits)
    page.wait_for_selector(CELL)
    return draft, hits


def at(row: int, column: int) -> str:
    return f"{CELL[:-1]}='{row}'][data-column='{column}']"


def focused(page: Page) -> list[str]:
    return list(page.evaluate("[document.activeElement.dataset.row, document.activeElement.dataset.column]"))


def saved(page: Page, what: str) -> None:
    page.wait_for_function("what => document.getElementById('said').textContent.includes(what)", arg=what)
    page.wait_for_selector("#matrix:not([aria-busy])")


def test_a_chart_of_the_best_hits_is_that_of_the_api(page: Page, desk: Serving, draft_file: Path) -> None:
    draft, hits = upload(desk, draft_file.read_bytes())
    go(page, desk, "/chart", asked={"draft": draft}, hits=hits)
    assert "No references yet" in page.inner_text("#none")
    page.click("#none button")
    page.wait_for_selector(CELL)
    chart = desk.ask("POST", "/api/chart", {"draft": draft, "numbers": hits[:5]})[1]
    assert page.locator("#matrix thead [data-reference]").all_text_contents() == [r["id"] for r in chart["references"]]
    texts = [text.replace(" %", "") for text in page.locator(f"{CELL} small").all_text_contents()]
    assert texts == [f"{cell['coverage'] * 100:.0f}" for cell in chart["cells"]]
    findings = page.inner_text("#findings")
    assert chart["findings"][0]["ranking"][0]["reference"] in findings
    assert ", ".join(chart["findings"][0]["undisclosed"]) in findings


def test_the_matrix_by_keyboard(page: Page, desk: Serving, charted: tuple[str, list[str]]) -> None:
    draft, hits = charted
    chart = desk.ask("POST", "/api/chart", {"draft": draft, "numbers": hits[:3]})[1]
    page.focus(at(0, 0))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert focused(page) == ["1", "1"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert focused(page) == ["1", "0"]
    cell = chart["cells"][len(chart["references"])]
    assert page.locator("#quotes blockquote").all_text_contents() == [quote["text"] for quote in cell["quotes"]] != []
    assert page.locator("#quotes blockquote mark").count() >= len(cell["quotes"][0]["matches"]) > 0
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#quotes-title").startswith(chart["rows"][0]["label"])
    page.reload()
    page.wait_for_selector("#quotes blockquote")
    assert page.inner_text("#quotes-title").startswith(chart["rows"][0]["label"])
    page.focus(at(0, 0))
    page.keyboard.press("Escape")
    assert page.is_hidden("#quotes")
    assert focused(page) == ["0", "0"]
    page.keyboard.press("q")
    assert chart["cells"][0]["quotes"][0]["text"][:30] in page.inner_text(at(0, 0))
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")


def test_an_own_grade_counts_and_stays_and_is_taken_back(
    page: Page, desk: Serving, charted: tuple[str, list[str]]
) -> None:
    draft, _ = charted
    before = page.inner_text("#findings")
    page.focus(at(2, 2))
    computed = page.inner_text(f"{at(2, 2)} small")
    column = page.locator("#matrix [data-reference]").nth(2).inner_text()
    page.keyboard.press("5")
    saved(page, "own grade disclosed saved")
    assert desk.ask("GET", f"/api/drafts/{draft}/grades")[1]["grades"] == {"1.2": {column: 5}}
    row, place = focused(page)
    assert row == "2"
    assert "own" in str(page.get_attribute(at(2, int(place)), "class")).split()
    assert page.inner_text(f"{at(2, int(place))} small") == f"computed {computed}"
    assert page.inner_text("#findings") != before
    assert "1 cell has an own grade" in page.inner_text("#findings")
    page.reload()
    page.wait_for_selector(f"{at(2, int(place))}.own")
    page.click(at(2, int(place)))
    assert "computed: " in page.inner_text("#quotes .grading")
    page.select_option("#own-grade", "0")
    saved(page, "taken back")
    assert page.inner_text("#findings") == before
    assert desk.ask("GET", f"/api/drafts/{draft}/grades")[1]["grades"] == {}


def pressed_and_saved(page: Page, key: str, path: str) -> None:
    """The page shows a change before the server has it."""
    with page.expect_response(lambda response: path in response.url and response.request.method != "GET"):
        page.keyboard.press(key)


def test_grades_and_references_are_undone_and_redone(page: Page, desk: Serving, charted: tuple[str, list[str]]) -> None:
    draft, hits = charted

    def grades() -> dict[str, dict[str, int]]:
        return desk.ask("GET", f"/api/drafts/{draft}/grades")[1]["grades"]

    column = page.locator("#matrix [data-reference]").nth(1).inner_text()
    label = page.inner_text("#matrix tbody tr:has([data-row='0']) th b")
    page.focus(at(0, 1))
    for key, told in (("4", "own grade mostly saved"), ("1", "own grade not found saved")):
        page.keyboard.press(key)
        saved(page, told)
    page.keyboard.press("z")
    saved(page, f"Undone: the grade of {label}, {column}")
    assert grades() == {label: {column: 4}}
    pressed_and_saved(page, "z", "/grades")
    page.wait_for_selector("#matrix .own", state="detached")
    assert grades() == {}
    pressed_and_saved(page, "Shift+Z", "/grades")
    page.wait_for_selector("#matrix .own")
    assert grades() == {label: {column: 4}}
    page.click(f'[aria-label="Take {hits[0]} out"]')
    page.wait_for_selector(f'[data-reference="{hits[0]}"]', state="detached")
    pressed_and_saved(page, "z", "/workspace")
    page.wait_for_selector(f'[data-reference="{hits[0]}"]')
    assert set(desk.ask("GET", f"/api/drafts/{draft}/workspace")[1]["references"]) == set(hits[:3])
    page.keyboard.press("Shift+Z")
    page.wait_for_selector(f'[data-reference="{hits[0]}"]', state="detached")


def test_references_and_claims_are_chosen(page: Page, desk: Serving, charted: tuple[str, list[str]]) -> None:
    draft, hits = charted
    page.fill("#numbers", hits[4])
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-reference="{hits[4]}"]')
    page.fill("#numbers", f"US0, {hits[5]}")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem") == "US0 is not in the corpus"
    page.click(f'[aria-label="Take {hits[0]} out"]')
    page.wait_for_selector(f'[data-reference="{hits[0]}"]', state="detached")
    kept = desk.ask("GET", f"/api/drafts/{draft}/workspace")[1]
    assert kept["references"] == [hits[1], hits[2], hits[4]]
    rows = page.locator("#matrix tbody tr:has([data-row])")
    independent = rows.count()
    page.select_option("#claims", "all")
    page.wait_for_function("count => document.querySelectorAll('#matrix tbody tr').length > count + 5", arg=independent)
    page.select_option("#claims", "some")
    page.fill("#claim-numbers", "2-3")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('#matrix tbody th b')?.textContent.startsWith('2.')")
    assert {text.split(".")[0] for text in page.locator("#matrix th b").all_text_contents()} == {"2", "3"}
    page.click("#choose-hits")
    page.wait_for_selector("#hit-list[open]")
    assert page.locator("#hit-list input:checked").count() == 3
    page.locator("#hit-list input").first.check()
    page.keyboard.press("Escape")
    page.wait_for_selector(f'[data-reference="{hits[0]}"]')


def test_colours_follow_the_purpose(page: Page, charted: tuple[str, list[str]]) -> None:
    colour = "node => getComputedStyle(document.querySelector('.swatch.disclosed')).backgroundColor"
    assert page.evaluate(colour) == "rgb(163, 49, 31)"
    page.select_option("#purpose", "invalidity")
    assert page.evaluate(colour) == "rgb(29, 107, 60)"


@needs("openpyxl")
def test_every_form_is_read_back_and_verifies(
    page: Page, desk: Serving, charted: tuple[str, list[str]], tmp_path: Path
) -> None:
    page.focus(at(1, 1))
    page.keyboard.press("2")
    saved(page, "own grade hardly saved")
    for form in ("docx", "xlsx", "html", "csv", "json"):
        page.select_option("#form", form)
        with page.expect_download() as found:
            page.click("#export button")
        file = tmp_path / found.value.suggested_filename
        found.value.save_as(file)
        assert file.name == f"claim-chart.{form}"
        with Library(desk.folder) as library:
            checked = library.verify(file)
        assert (checked.holds, checked.documents) == (True, 3)
    assert '"own_grade": "hardly"' in (tmp_path / "claim-chart.json").read_text("utf-8")
    assert "hardly, own grade (computed: " in (tmp_path / "claim-chart.html").read_text("utf-8")


def test_a_quote_opens_in_its_document(page: Page, charted: tuple[str, list[str]]) -> None:
    page.click(at(1, 0))
    page.wait_for_selector("#quotes blockquote")
    quote = page.locator("#quotes blockquote").last.text_content()
    page.locator("#quotes [data-context]").last.click()
    page.wait_for_url("**/reading")
    ready(page)
    page.wait_for_selector("mark.passage.current")
    assert "".join(page.locator("mark.passage.current").all_text_contents()) == quote
    assert page.locator("mark.passage.current").first.is_visible()
    assert page.get_attribute('[data-pick="element:1.1"]', "aria-selected") == "true"


def test_what_is_missing_is_said_with_the_way_out(page: Page, desk: Serving) -> None:
    go(page, desk, "/chart", asked={})
    assert page.get_attribute("#empty a", "href") == "/"
    go(page, desk, "/chart", asked={"draft": "unknown"})
    assert "upload it again" in page.inner_text("#empty")
    bare, _ = upload(desk, b"A pump\n\nDescription\n\nAn insulin pump has a reservoir and a plunger that is driven.")
    go(page, desk, "/chart", asked={"draft": bare})
    assert "no claims to chart" in page.inner_text("#empty")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (380, "light")])
def test_it_can_be_read_by_everyone(
    open_context: Callable[..., BrowserContext], desk: Serving, draft_file: Path, width: int, scheme: Any
) -> None:
    page = open_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    page.goto(f"{desk.address}#{desk.token}")
    ready(page)
    draft, hits = upload(desk, draft_file.read_bytes())
    desk.ask("PUT", f"/api/drafts/{draft}/workspace", {"references": hits})
    for number, (reference, grade) in enumerate(zip(hits, (1, 2, 3, 4, 5), strict=False)):
        desk.ask("PUT", f"/api/drafts/{draft}/grades", {"row": f"1.{number}", "reference": reference, "grade": grade})
    go(page, desk, "/chart", asked={"draft": draft}, hits=hits)
    page.wait_for_selector(CELL)
    assert faults(page) == []
    page.select_option("#purpose", "invalidity")
    page.focus(at(1, 0))
    page.keyboard.press("Enter")
    page.keyboard.press("q")
    page.wait_for_selector("#quotes-title")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.click("#choose-hits")
    page.wait_for_selector("#hit-list[open]")
    assert faults(page) == []
