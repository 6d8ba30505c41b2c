"""A chart in five forms: each can be read back, holds against the corpus, and is caught when it was changed."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from docx import Document
from rich.console import Console

from extras import needs
from foreart.document.draft import Draft, analysed
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.errors import BadFile
from foreart.library import Library
from foreart.report.exports.chart_docx import chart_docx
from foreart.report.exports.chart_json import chart_record
from foreart.report.exports.chart_lines import COLUMNS, chart_csv, chart_lines, shielded, unshielded
from foreart.report.exports.chart_reading import READERS, read_chart
from foreart.report.exports.chart_xlsx import chart_xlsx
from foreart.report.pages.chart_page import chart_html
from foreart.report.terminal.chart_terminal import terminal_chart
from foreart.search.charting import Chart, Stated, verify
from fuzzing import mutant
from html_page import Page

HOSTILE = (
    '=cmd|"x" <script>alert(1)</script> & \x1b[31m \x00 \u202e \u00ad \r\n tab\there _x000D_ “lever” </blockquote>'
)
TEXTS = (
    f"The locking lever holds the pawl, {HOSTILE} and springs.",
    "=The lever and its housing (12) are locked by a spring. It is made of steel. The pawl\u00a0rests.",
    "-A round ratchet turns.\nIt has teeth.",
)
DRAFT = analysed(
    Draft(
        title=f"Ratchet {HOSTILE}",
        claims=(
            Claim(1, "A ratchet comprising: a locking lever (12); a pawl held by the locking lever; and steel teeth."),
            Claim(5, "A method of turning a round ratchet, wherein a quantum gate is read."),
        ),
        priority="2014-03-10",
        language="en",
        source="draft.docx",
    )
)


def patent(number: str, *texts: str, title: str = "Lever") -> Patent:
    return Patent(
        number,
        title=title,
        abstract="A ratchet with a pawl.",
        description=tuple(Paragraph(text, number=f"{place:04}") for place, text in enumerate(texts, start=1)),
        claims=(Claim(1, "A ratchet comprising:\n a pawl;\n\tand a locking lever."),),
        published="2001-01-01",
        language="en",
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.corpus.add(
            [
                patent("XX1A", *TEXTS, title=HOSTILE),
                patent("XX2A", "Tea.", TEXTS[1]),
                patent("XX3B1", TEXTS[0], TEXTS[2]),
                *(patent(f"XX9{number}A", f"Tea number {number} is poured.") for number in range(6)),
            ]
        )
        made.build("tfidf")
        yield made


@pytest.fixture(scope="module")
def chart(library: Library) -> Chart:
    return library.chart(DRAFT, ["XX1A", "XX2A", "XX3B1", "XX7A"])


WRITERS: dict[str, Callable[[Chart], bytes]] = {
    ".json": lambda chart: json.dumps(chart_record(chart)).encode(),
    ".csv": lambda chart: chart_csv(chart).encode("utf-8"),
    ".xlsx": chart_xlsx,
    ".html": lambda chart: chart_html(chart).encode("utf-8"),
    ".docx": chart_docx,
}


@pytest.fixture(scope="module")
def own(library: Library) -> Chart:
    """The chart with two grades of a person."""
    grades = {"1.1": {"XX3B1": "disclosed"}, "1.2": {"XX1A": "not found"}}
    return library.chart(DRAFT, ["XX1A", "XX2A", "XX3B1", "XX7A"], own_grades=grades)


@pytest.fixture(params=list(WRITERS))
def file(request: pytest.FixtureRequest, chart: Chart, tmp_path: Path) -> Path:
    path = tmp_path / f"chart{request.param}"
    path.write_bytes(WRITERS[request.param](chart))
    return path


@pytest.mark.parametrize("form", list(WRITERS))
def test_own_grades_stand_in_every_form_and_quotes_hold(
    form: str, own: Chart, chart: Chart, library: Library, tmp_path: Path
) -> None:
    file = tmp_path / f"own{form}"
    file.write_bytes(WRITERS[form](own))
    stated, held = read_chart(file)
    assert verify(stated, library.corpus, held=held).holds
    expected = sorted((cell.reference, q.place.label) for row in chart.cells for cell in row for q in cell.quotes)
    assert sorted((one.id, one.place) for one in stated if one.text) == expected


@needs("openpyxl")
def test_own_grades_are_shown_beside_the_computed_ones(own: Chart) -> None:
    (row,) = [row for row in own.cells if row[0].row == "1.1"]
    (cell,) = [cell for cell in row if cell.reference == "XX3B1"]
    computed = f"{cell.grade}, {cell.coverage * 100:.0f}"
    lines = [line for line in chart_lines(own) if (line["element"], line["document"]) == ("1.1", "XX3B1")]
    assert {(line["own grade"], line["grade"]) for line in lines} == {("disclosed", cell.grade)}
    assert f"disclosed, own grade (computed: {computed}" in chart_html(own).replace("\u202f", " ").replace("\xa0", " ")
    text = "\n".join(
        paragraph.text
        for table in Document(BytesIO(chart_docx(own))).tables
        for line in table.rows
        for paragraph in line.cells[1].paragraphs
    )
    assert f"disclosed * own grade; computed: {computed}" in text
    assert "2 cells marked * with a person's own grade" in chart_html(own).replace("&#39;", "'")
    import openpyxl

    sheet = openpyxl.load_workbook(BytesIO(chart_xlsx(own)))["Chart"]
    formats = [cell.number_format for line in sheet.iter_rows(min_row=3) for cell in line]
    assert sum("*" in form for form in formats) == 2


def test_every_form_has_a_reader() -> None:
    assert set(WRITERS) | {".htm"} == set(READERS)


def test_every_form_gives_back_all_quotes_and_they_hold(file: Path, chart: Chart, library: Library) -> None:
    stated, held = read_chart(file)
    expected = sorted((cell.reference, q.place.label) for row in chart.cells for cell in row for q in cell.quotes)
    assert sorted((one.id, one.place) for one in stated if one.text) == expected
    assert len(expected) >= 12
    if file.suffix in (".json", ".csv"):
        texts = sorted(quote.text for row in chart.cells for cell in row for quote in cell.quotes)
        assert sorted(one.text for one in stated if one.text) == texts
        assert any(HOSTILE[:20] in text for text in texts)
    marks = {reference.id: reference.fingerprint for reference in chart.references}
    assert {one.id: one.fingerprint for one in stated} == marks
    checked = verify(stated, library.corpus, held=held)
    assert checked.faults == ()
    assert checked.quotes == len(expected)
    assert checked.documents == 3


def changed(path: Path, old: str, new: str) -> None:
    """Puts one text for another everywhere in a file, in the parts of a packed one too."""
    data = path.read_bytes()
    if path.suffix not in (".xlsx", ".docx"):
        assert old.encode() in data
        path.write_bytes(data.replace(old.encode(), new.encode()))
        return
    file, seen = BytesIO(), 0
    with zipfile.ZipFile(path) as packed, zipfile.ZipFile(file, "w") as repacked:
        for name in packed.namelist():
            part = packed.read(name)
            seen += part.count(old.encode())
            repacked.writestr(name, part.replace(old.encode(), new.encode()))
    assert seen
    path.write_bytes(file.getvalue())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (" is made of ", " is made from ", "XX2A [0002]"),
        ("[0002]", "[0001]", "not there"),
        ("[0003]", "[0099]", "is in [0003], not there"),
        ("XX2A", "XX3B1", "XX3B1 [0002]"),
        ("XX2A", "US4444444A", "US4444444A is not in the corpus"),
    ],
)
def test_what_was_changed_is_told(file: Path, library: Library, old: str, new: str, told: str) -> None:
    changed(file, old, new)
    stated, held = read_chart(file)
    faults = verify(stated, library.corpus, held=held).faults
    assert any(told in fault for fault in faults), faults


def test_a_changed_fingerprint_is_told(file: Path, library: Library, chart: Chart) -> None:
    changed(file, chart.references[0].fingerprint, "0123456789abcdef")
    stated, held = read_chart(file)
    (fault,) = verify(stated, library.corpus, held=held).faults
    assert "has changed since it was quoted (0123456789abcdef)" in fault


def test_a_changed_corpus_is_told(file: Path, library: Library, tmp_path: Path) -> None:
    with Library(tmp_path / "other") as other:
        other.corpus.add([patent("XX1A", *TEXTS, title="Another"), patent("XX3B1", TEXTS[0], TEXTS[2])])
        stated, held = read_chart(file)
        faults = verify(stated, other.corpus, held=held).faults
    assert any(fault.startswith("XX1A: its text in the corpus") for fault in faults)
    assert any("XX2A is not in the corpus" in fault for fault in faults)


def test_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    for name, data in {
        "chart.json": b"[1, 2]",
        "chart.csv": b"a,b\n1,2\n",
        "chart.xlsx": b"no workbook",
        "chart.html": b"<p>Hello</p>",
        "chart.docx": b"no document",
        "chart.pdf": b"%PDF",
    }.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BadFile, match=r"chart\.\w+"):
            read_chart(tmp_path / name)


@pytest.mark.parametrize("form", list(WRITERS))
def test_damaged_charts_are_read_or_refused_in_a_sentence(form: str, chart: Chart, tmp_path: Path) -> None:
    data, path = WRITERS[form](chart), tmp_path / f"chart{form}"
    outcomes = {True: 0, False: 0}
    for seed in range(120):
        path.write_bytes(damaged(data, seed))
        try:
            stated, _ = read_chart(path)
        except BadFile as error:
            outcomes[False] += 1
            assert str(error).startswith(str(path))
            assert len(str(error)) < 400
        else:
            outcomes[True] += 1
            assert all(isinstance(value, str) for one in stated for value in (one.id, one.place, one.text, one.where))
    assert outcomes[False]


def damaged(data: bytes, seed: int) -> bytes:
    """A damaged copy; of a packed form every second time one of its parts is, and it is packed again."""
    if not data.startswith(b"PK") or seed % 2:
        return mutant(data, seed)
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as packed, zipfile.ZipFile(file, "w") as repacked:
        names = packed.namelist()
        for place, name in enumerate(names):
            part = packed.read(name)
            repacked.writestr(name, mutant(part, seed) if place == seed // 2 % len(names) else part)
    return file.getvalue()


def test_cells_and_rows_of_any_number_are_not_counted_out(chart: Chart, tmp_path: Path) -> None:
    word, sheet = tmp_path / "chart.docx", tmp_path / "chart.xlsx"
    word.write_bytes(chart_docx(chart))
    changed(word, "<w:tcPr>", '<w:tcPr><w:gridSpan w:val="2000000000"/>')
    assert {one.id for one in read_chart(word)[0]} == {"XX1A", "XX2A", "XX3B1"}
    sheet.write_bytes(chart_xlsx(chart))
    changed(sheet, '<row r="3"', '<row r="1000000000"')
    assert len(read_chart(sheet)[0]) < len(list(chart_lines(chart)))


def test_hostile_charts_are_refused(tmp_path: Path) -> None:
    for name, text, told in (
        ("deep.json", "[" * 100_000, "is not a chart"),
        ("digits.json", '{"references": [], "cells": ' + "9" * 5_000 + "}", "is not a chart"),
        ("number.json", '{"references": [{"id": 1, "fingerprint": "a"}], "cells": []}', "not text"),
        ("deep.html", "<b>" * 2_000, "nested too deep"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(BadFile, match=told):
            read_chart(tmp_path / name)


def test_half_characters_of_a_chart_stand_nowhere(library: Library, tmp_path: Path) -> None:
    quote = {"place": "[0001]\ud800", "text": "lever \udfff"}
    record = {
        "references": [{"id": "XX1A\ud800", "fingerprint": "a"}, {"id": "XX2A", "fingerprint": ""}],
        "cells": [{"reference": "XX2A", "row": "1a", "quotes": [quote]}],
    }
    (tmp_path / "chart.json").write_text(json.dumps(record))
    stated, held = read_chart(tmp_path / "chart.json")
    faults = verify(stated, library.corpus, held=held).faults
    assert [fault.encode() for fault in faults]
    assert any(fault.startswith("XX1A\ufffd is not in the corpus") for fault in faults)


def test_where_a_long_quote_differs_is_found(library: Library) -> None:
    quote = TEXTS[1].replace("steel", "glass") + "x" * 100_000
    (fault,) = verify([Stated("XX2A", "[0002]", quote)], library.corpus).faults
    assert fault.endswith(
        "after “…ed by a spring. It is made of ”, where it says “glass. The pawl\u00a0rests." + "x" * 8 + "”"
    )


def test_lines_have_all_columns_and_run_nowhere(chart: Chart) -> None:
    lines = list(csv.DictReader(StringIO(chart_csv(chart).removeprefix("\ufeff"), newline="")))
    assert len(lines) == len(list(chart_lines(chart)))
    assert tuple(lines[0]) == COLUMNS
    assert not any(value.startswith(("=", "+", "-", "@")) for line in lines for value in line.values())
    assert any(line["quote"].startswith("'=") for line in lines)
    assert any(line["grade"] == "not found" and line["quote"] == "" for line in lines)


@pytest.mark.parametrize("text", ["=1+1", "'quoted'", "plain", "", "-x", "'-x", "\tx"])
def test_shields_come_off_again(text: str) -> None:
    assert unshielded(shielded(text)) == text


@needs("openpyxl")
def test_the_workbook_has_no_formula_and_shows_the_heat(chart: Chart) -> None:
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(chart_xlsx(chart)))
    assert book.sheetnames == ["Chart", "Findings", "Quotes", "Method"]
    assert not any(cell.data_type == "f" for page in book for line in page.iter_rows() for cell in line)
    heat = book["Chart"]
    assert [cell.value for cell in heat[1]][2:] == [reference.id for reference in chart.references]
    assert heat.cell(3, 3).value == chart.cells[0][0].coverage


def test_the_document_has_a_table_for_each_reference(chart: Chart) -> None:
    document = Document(BytesIO(chart_docx(chart)))
    assert len(document.tables) == len(chart.references)
    for place, table in enumerate(document.tables):
        assert len(table.rows) == len(chart.rows) + 1
        assert [cell.text for cell in table.rows[0].cells] == ["Claim element", "Disclosure"]
        for row, line in zip(chart.rows, list(table.rows)[1:], strict=True):
            assert line.cells[0].text == f"{row.label}  {row.text}"
        first = table.rows[1].cells[1].text
        assert first.startswith(chart.cells[0][place].grade)


def test_the_page_is_whole_asks_for_nothing_and_every_link_leads_somewhere(chart: Chart) -> None:
    text = chart_html(chart)
    page = Page(text)
    assert page.open == []
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not [attrs for _, attrs in page.tags if "src" in attrs]
    places = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(places) == len(set(places))
    links = {attrs["href"] for _, attrs in page.tags if "href" in attrs}
    assert links <= {f"#{place}" for place in places}
    assert len([1 for tag, attrs in page.tags if tag == "article"]) == len(chart.rows) * len(chart.references)
    assert chart_html(chart) == text
    assert "<script>alert" not in text


def test_matched_words_are_marked_and_the_marks_say_how_much_they_count(library: Library) -> None:
    made = library.chart(DRAFT, ["XX1A"], bridges={"gate": {"teeth": 0.9}, "quantum": {"teeth": 0.9}})
    text = chart_html(made)
    assert re.search(r"<mark>locking</mark> <mark>lever</mark>", text)
    assert 'class="bridge" title="close in meaning to' in text
    assert any(match.bridge for row in made.cells for cell in row for q in cell.quotes for match in q.matches)
    assert any(" ~ " in str(line["matched words"]) for line in chart_lines(made))


def test_the_terminal_shows_table_findings_and_quotes(chart: Chart) -> None:
    for width in (60, 100, 200):
        console = Console(width=width, file=StringIO(), record=True)
        console.print(terminal_chart(chart, width=width))
        told = console.export_text()
        assert "XX7A is not in the corpus" in told
        assert "Closest single reference" in told
        assert "\x1b[31m" not in told
        assert "in no reference" in told
        assert all(row.label in told for row in chart.rows)


def test_findings_are_told_in_words(chart: Chart) -> None:
    record = chart_record(chart)
    assert [finding["claim"] for finding in record["findings"]] == [0, 1, 5]
    assert "5.1" in record["findings"][2]["undisclosed"]
    assert record["rows"][1]["best"] in {"XX1A", "XX2A", "XX3B1"}


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium to look at the page with")
def test_a_browser_opens_the_cell_that_is_asked_for(chart: Chart, tmp_path: Path) -> None:
    """The script runs under the page's own policy, and marks the cell whose quotes are open."""
    (tmp_path / "chart.html").write_text(chart_html(chart), "utf-8")
    told = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
         "--virtual-time-budget=2000", "--dump-dom", f"{(tmp_path / 'chart.html').as_uri()}#c-1-2"],
        capture_output=True, text=True, timeout=60, check=True,
    ).stdout  # fmt: skip
    (opened,) = re.findall(r'<a class="[^"]*\bopen\b[^"]*" href="#([^"]*)"', told)
    assert opened == "c-1-2"
