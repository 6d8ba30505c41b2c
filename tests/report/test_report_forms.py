"""A search report in every form, opened by a reader of that form and compared with what was put in."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from lxml import html
from pypdf import PdfReader

from example_report import HOSTILE, HOSTILE_PATENT, PATENTS, REPORT, SEARCH, hostile_report
from extras import needs
from foreart.errors import BadRequest, MissingExtra
from foreart.library import Library
from foreart.report.exports.chart_lines import unshielded
from foreart.report.exports.chart_reading import read_chart
from foreart.report.forms.epo_form import epo_sheet
from foreart.report.forms.generic_form import generic_sheet
from foreart.report.forms.pct_form import pct_sheet
from foreart.report.forms.report_data import NOTICE, ReportContents, SearchReport, StoppingFigures
from foreart.report.forms.sheet_parts import ReportSheet, SheetTable
from foreart.report.forms.us_form import us_sheet
from foreart.report.writers.form_table import FORMS, write_report
from foreart.report.writers.report_rows import CSV_COLUMNS, DOCUMENT_COLUMNS
from foreart.report.writers.sheet_pdf import missing_letters
from foreart.report.writers.shown_text import shown
from foreart.search.charting import verify
from html_page import Page

SHEETS: dict[str, Callable[[SearchReport], ReportSheet]] = {
    "": generic_sheet, "epo-": epo_sheet, "pct-": pct_sheet, "ids-": us_sheet
}  # fmt: skip
PRINTED = [f"{style}{ending}" for style in SHEETS for ending in ("docx", "html", "pdf")]
REPORTS = {"rich": REPORT, "hostile": hostile_report()}
LATIN = re.compile("[^\x21-\x7e]")  # letters that a PDF may reorder or lack are compared elsewhere

PAGES_COLUMN = "Pages, Columns, Lines where Relevant Passages or Relevant Figures Appear"
NAME_COLUMN = "Name of Patentee or Applicant of cited Document"
EPO_COLUMNS = [
    "Category", "Citation of document with indication, where appropriate, of relevant passages", "Relevant to claim",
    "Classification of the application (IPC)",
]  # fmt: skip
FAMILY = ["Patent document cited", "Publication date", "Patent family member(s)", "Publication date"]
GOLDEN: dict[str, list[list[str]]] = {
    "": [["No", "Document", "Dates and status", "Category and claims", "Judgement"], FAMILY],
    "epo-": [EPO_COLUMNS, FAMILY],
    "pct-": [
        [
            "Category*", "Citation of document, with indication, where appropriate, of the relevant passages",
            "Relevant to claim No.",
        ],
        FAMILY,
    ],
    "ids-": [
        ["Examiner Initial*", "Cite No", "Patent Number", "Kind Code", "Issue Date", NAME_COLUMN, PAGES_COLUMN],
        [
            "Examiner Initial*", "Cite No", "Publication Number", "Kind Code", "Publication Date", NAME_COLUMN,
            PAGES_COLUMN,
        ],
        [
            "Examiner Initial*", "Cite No", "Foreign Document Number", "Country Code", "Kind Code", "Publication Date",
            NAME_COLUMN, PAGES_COLUMN, "T",
        ],
        [
            "Examiner Initial*", "Cite No",
            "Include name of the author (in CAPITAL LETTERS), title of the article, title of the item, date, page(s), "
            "volume-issue number(s), publisher, city and/or country where published", "T",
        ],
    ],
}  # fmt: skip


def written(form: str, report: SearchReport) -> bytes:
    try:
        return write_report(report, form)
    except MissingExtra as error:
        pytest.skip(str(error))


def texts(value: Any) -> Iterator[str]:
    """All texts of the parts of a sheet that readers can see."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in ("kind", "style", "paper", "claims", "language"):
                yield from texts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)


def squeezed(text: str, ending: str) -> str:
    """A text without what a page shows as space or not at all; of a PDF only letters that have one order."""
    seen = "".join(shown(text).replace("`", "").replace("\ufffd", "").split())
    return LATIN.sub("", seen) if ending == "pdf" else seen


def docx_text(data: bytes) -> str:
    document = Document(BytesIO(data))
    parts = [paragraph.text for paragraph in document.paragraphs]
    parts += [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    parts += [document.sections[0].header.paragraphs[0].text, document.sections[0].footer.paragraphs[0].text]
    return "\n".join(parts)


def html_text(data: bytes) -> str:
    page = html.fromstring(data.decode("utf-8"))
    for style in page.xpath("//style"):
        style.getparent().remove(style)
    return str(page.text_content())


def pdf_text(data: bytes) -> str:
    return "".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)


READ: dict[str, Callable[[bytes], str]] = {"docx": docx_text, "html": html_text, "pdf": pdf_text}


@pytest.mark.parametrize("kind", REPORTS)
@pytest.mark.parametrize("form", PRINTED)
def test_a_printed_form_shows_every_text_as_text(form: str, kind: str) -> None:
    style, _, ending = form.rpartition("-")
    sheet = SHEETS[f"{style}-" if style else ""](REPORTS[kind])
    found = squeezed(READ[ending](written(form, REPORTS[kind])), ending)
    if ending == "pdf":  # what stands at the edges of pages is between the parts of a text that two pages share
        edges = [squeezed(text, "pdf") for text in (f"{NOTICE}{sheet.form}", shown(" · ".join(sheet.foot))[:200])]
        found = re.sub(rf"{re.escape(edges[0])}|{re.escape(edges[1])}(Page\d+of\d+)?|Page\d+of\d+", "", found)
    expected = [squeezed(text, ending) for text in texts(replace(sheet, foot=()))]
    assert len(expected) > 60
    assert [text for text in expected if text not in found] == []
    assert squeezed(NOTICE, ending) in found
    if kind == "hostile":
        assert squeezed('#[typst] #panic("t") {{7*7}} {% raw %} <script>alert(1)</script>', ending) in found


@pytest.mark.parametrize("form", [form for form in PRINTED if form.endswith("docx")])
def test_a_word_document_has_the_columns_of_the_form(form: str) -> None:
    document = Document(BytesIO(written(form, REPORT)))
    heads = [[cell.text for cell in table.rows[0].cells] for table in document.tables]
    style = form.removesuffix("docx")
    assert [head for head in heads if head in GOLDEN[style]] == GOLDEN[style]
    for table in document.tables:
        for row in table.rows:
            assert len(row.cells) == len(table.columns)
    assert document.core_properties.author == "foreart"


@pytest.mark.parametrize("form", [form for form in PRINTED if form.endswith("html")])
@pytest.mark.parametrize("kind", REPORTS)
def test_a_page_nests_has_no_script_and_the_columns_of_the_form(form: str, kind: str) -> None:
    text = written(form, REPORTS[kind]).decode("utf-8")
    page = Page(text)
    assert page.open == []
    assert {"script", "img", "link"} & {tag for tag, _ in page.tags} == set()
    assert [
        name for _, attributes in page.tags for name in attributes if name.startswith("on") or name == "style"
    ] == []
    heads = [[cell.text_content() for cell in head.xpath(".//th")] for head in html.fromstring(text).xpath("//thead")]
    style = form.removesuffix("html")
    assert [head for head in heads if head in GOLDEN[style]] == GOLDEN[style]
    assert "default-src 'none'" in text


def rows(sheet: ReportSheet, first: str) -> list[list[list[str]]]:
    table = next(part for part in sheet.parts if isinstance(part, SheetTable) and part.columns[0].name == first)
    return [[[line.text for line in cell] for cell in row] for row in table.rows]


def test_the_rows_of_the_epo_form() -> None:
    assert rows(epo_sheet(REPORT), "Category") == [
        [
            ["[D],X"],
            [
                "US 7 585 299 B2 (NORTHFIELD TOOLS, INC.) 8 September 2009 (2009-09-08)",
                "Ratchet mechanism with a biased locking lever",
                "* column 3, line 27 - line 43 *",
            ],
            ["1-3, 9"],
            ["B25B 13/46", "F16D 41/12"],
        ],
        [["[D],Y"], ["US 7 585 299 B2, as above", "* claim 1 *"], ["4, 5"], []],
        [
            ["Y"],
            [
                "EP 1 962 041 A1 (BERGMANN ANTRIEBE GMBH et al.) 27 August 2008 (2008-08-27)",
                "Sperrklinkengetriebe",
                "* paragraph [0021] *",
            ],
            ["4, 5"],
            [],
        ],
        [
            ["[P],X"],
            [
                "US 2014/0087291 A1 (CALLOWAY INSTRUMENTS LLC) 27 March 2014 (2014-03-27)",
                "Pawl held by a wave spring",
                "* paragraph [0045] *",
            ],
            ["1"],
            [],
        ],
        [
            ["[E],A"],
            ["WO 2015/031337 A1 (HALDANE MARINE LTD) 12 March 2015 (2015-03-12)", "Reversing ratchet"],
            ["1, 9"],
            [],
        ],
        [["–"], ["JP 2009119593 A (MIZUNO KOGU KK) June 2009 (2009-06)", "Ratchet wrench"], ["–"], []],
        [["A"], [REPORT.literature[0].text, "* page 104 *"], ["6, 7"], []],
    ]


def test_the_rows_of_the_us_form_and_of_families() -> None:
    assert rows(us_sheet(REPORT), "Examiner Initial*") == [
        [
            [],
            ["1"],
            ["7,585,299"],
            ["B2"],
            ["09-08-2009"],
            ["Northfield Tools, Inc."],
            ["column 3, line 27 - line 43; claim 1"],
        ]
    ]
    foreign = [part for part in us_sheet(REPORT).parts if isinstance(part, SheetTable)][2]
    assert [[[line.text for line in cell] for cell in row] for row in foreign.rows][2] == [
        [], ["3"], ["2009119593"], ["JP"], ["A"], ["06-2009"], ["Mizuno Kogu KK"], [], ["☐"]
    ]  # fmt: skip
    assert rows(epo_sheet(REPORT), "Patent document cited")[:2] == [
        [["US 7 585 299 B2"], ["2009-09-08"], ["US 2007/0261515 A1"], ["2007-11-15"]],
        [[], [], ["DE 102007022344 A1"], ["–"]],
    ]


def test_the_sheet_of_the_pct_holds_no_reasoning_before_its_working_annex() -> None:
    sheet = pct_sheet(REPORT)
    names = [part.text for part in sheet.parts if part.kind == "heading"]
    assert names[:5] == [
        "A. Classification of subject matter", "B. Fields searched", "C. Documents considered to be relevant",
        "* Special categories of cited documents", "Patent family annex",
    ]  # fmt: skip
    assert names[5:7] == ["Working annex", "Passages cited"]
    before = [
        text
        for part in sheet.parts[: 1 + [getattr(p, "text", "") for p in sheet.parts].index("Working annex")]
        for text in texts(part)
    ]
    assert [text for text in before if "Closest" in text or "Art. 54" in text or "found in" in text] == []


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.corpus.add([*PATENTS, HOSTILE_PATENT])
        yield made


VERIFIED = [form.name for form in FORMS.values() if form.verified]


@pytest.mark.parametrize("kind", REPORTS)
@pytest.mark.parametrize("form", VERIFIED)
def test_every_quote_holds_and_a_changed_one_is_found(form: str, kind: str, library: Library, tmp_path: Path) -> None:
    report = REPORTS[kind]
    path = tmp_path / f"report.{FORMS[form].ending}"
    path.write_bytes(written(form, report))
    stated, held = read_chart(path)
    quotes = [(item.id, quote.place) for item in report.documents for quote in item.passages]
    assert sorted((one.id, one.place) for one in stated if one.text) == sorted(quotes)
    assert {one.id for one in stated} == {item.id for item in report.documents}
    assert {one.id: one.fingerprint for one in stated} == {item.id: item.text_fingerprint for item in report.documents}
    checked = verify(stated, library.corpus, held=held)
    assert (checked.faults, checked.quotes, checked.documents) == ((), len(quotes), len(report.documents))
    assert library.verify(path).holds
    changed = [replace(one, text=one.text.replace("wave", "flat")) for one in stated]
    assert len(verify(changed, library.corpus, held=held).faults) == 1
    aged = [replace(one, fingerprint="0000") for one in stated]
    assert len(verify(aged, library.corpus, held=held).faults) == len(report.documents)


@needs("openpyxl")
@pytest.mark.parametrize("kind", REPORTS)
def test_a_workbook_holds_texts_as_texts_in_named_columns(kind: str) -> None:
    from openpyxl import load_workbook

    report = REPORTS[kind]
    book = load_workbook(BytesIO(write_report(report, "xlsx")))
    assert book.sheetnames == ["Documents", "Quotes", "Families", "Record"]
    heads = {page.title: [cell.value for cell in page[1]] for page in book}
    assert heads["Documents"] == list(DOCUMENT_COLUMNS)
    assert heads["Quotes"] == ["document", "element", "claims", "place", "quote", "fingerprint"]
    assert heads["Families"] == ["document", "published", "Patent family member", "member published"]
    assert {cell.data_type for page in book for row in page for cell in row} <= {"s", "n", "inlineStr"}
    line = dict(zip(DOCUMENT_COLUMNS, [cell.value for cell in book["Documents"][2]], strict=True))
    first = report.documents[0]
    assert (line["document"], line["title"], line["status"]) == (first.id, first.title, "prior art")
    record = [tuple(cell.value for cell in row) for row in book["Record"].iter_rows(min_row=2)]
    assert record[0] == ("notice", "notice", NOTICE)
    assert ("estimate", "sentence", report.estimate.sentence) in record  # type: ignore[union-attr]
    name = report.searches[0].filters[0].filter
    assert any(
        part == "search 1" and what == f"filter {name}" and value.startswith("removed ") for part, what, value in record
    )


def test_csv_is_shielded_and_has_the_record() -> None:
    text = written("csv", REPORTS["hostile"]).decode("utf-8-sig")
    lines = list(csv.DictReader(StringIO(text, newline="")))
    assert list(lines[0]) == list(CSV_COLUMNS)
    assert [
        value for line in lines for value in line.values() if value.startswith(("=", "+", "-", "@", "\t", "\r"))
    ] == []
    passages = [line for line in lines if line["part"] == "passage"]
    assert [unshielded(line["quote"]) for line in passages][:2] == [
        quote.text for quote in REPORTS["hostile"].documents[0].passages
    ]
    assert unshielded(lines[1]["title"]) == REPORTS["hostile"].documents[0].title
    assert lines[0]["value"] == NOTICE
    assert {line["part"] for line in lines} == {
        "notice", "document", "passage", "report", "open point", "search 1", "estimate", "log"
    }  # fmt: skip
    plain = list(csv.DictReader(StringIO(written("csv", REPORT).decode("utf-8-sig"), newline="")))
    assert plain[1]["category and claims"] == "X: 1-3, 9; Y: 4, 5"
    assert plain[1]["chance"] == "0.41"
    assert plain[3]["proposed letters"].startswith("P: published 2014-03-27, from the priority 2014-03-10")


def test_json_has_everything_and_what_is_proposed() -> None:
    record = json.loads(written("json", REPORTS["hostile"]))
    assert (record["kind"], record["notice"], record["form"]) == ("search report", NOTICE, 1)
    assert record["documents"][0]["title"] == HOSTILE_PATENT.title
    assert record["documents"][0]["passages"][0]["text"] == REPORTS["hostile"].documents[0].passages[0].text
    assert record["estimate"]["share"] == {"value": 0.82, "low": 0.61, "high": 1.0}
    assert record["searches"][0]["filters"][0] == {"filter": f"{HOSTILE} filter", "removed": 3, "unknown": 1}
    assert [(item["document"], item["letter"]) for item in record["proposed_letters"]] == [
        ("US20140087291A1", "P"), ("WO2015031337A1", "E")
    ]  # fmt: skip
    assert record["open_points"][0]["about"] == "US 2014/0087291 A1"


def test_parts_that_are_not_wanted_are_in_no_form() -> None:
    nothing = ReportContents(False, False, False, False, False, False, False, False)
    bare = replace(REPORT, contents=nothing)
    for name in FORMS:
        if FORMS[name].ending == "pdf":
            continue
        text = READ.get(FORMS[name].ending, lambda data: data.decode("utf-8", "replace"))(written(name, bare))
        for word in (
            "locking lever (12)",
            "Check the priority",
            "14 found in 120",
            SEARCH.corpus_fingerprint[:8],
            "exported as csv",
        ):
            if (
                name not in ("pct-docx", "pct-html") or word != SEARCH.corpus_fingerprint[:8]
            ):  # box B names the data base
                assert word not in text, (name, word)


def test_an_estimate_that_cannot_be_made_says_so_without_figures() -> None:
    sentence = "Too little to say: fewer than 3 relevant documents were found."
    page = html_text(written("html", replace(REPORT, estimate=StoppingFigures(sentence, found=2, read=31))))
    assert sentence in page
    assert "2 in 31 documents read" in page
    assert "still unread" not in page.split(sentence)[-1].split("Log of exports")[0]


def test_a_report_of_nothing_can_be_written_in_every_form() -> None:
    empty = SearchReport(
        replace(REPORT.draft, title="", source="", claims=0, independent=(), classes=()), REPORT.cutoff
    )
    for name in FORMS:
        assert written(name, empty)
    assert "no document was cited" in docx_text(written("epo-docx", empty))


def test_the_table_of_forms_names_endings_types_and_extras() -> None:
    assert list(FORMS) == [
        "docx", "pdf", "html", "xlsx", "csv", "json", "ris", "biblatex", "bibtex", "epo-docx", "epo-pdf", "epo-html",
        "pct-docx", "pct-pdf", "pct-html", "ids-docx", "ids-pdf", "ids-html",
    ]  # fmt: skip
    assert {form.file_name for form in FORMS.values()} >= {
        "report.docx",
        "report-epo.pdf",
        "report-ids.html",
        "report.bib",
    }
    assert {form.ending: form.extra for form in FORMS.values() if form.extra} == {"pdf": "pdf", "xlsx": "sheets"}
    with pytest.raises(BadRequest, match="'docs' is not a form of a report; there are docx, pdf"):
        write_report(REPORT, "docs")


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtra, match=r"A PDF needs an optional library: pip install 'foreart\[pdf\]'"):
        write_report(REPORT, "pdf")


@needs("typst")
def test_a_pdf_is_the_same_bytes_again_tagged_and_dated() -> None:
    first, second = write_report(REPORT, "epo-pdf"), write_report(REPORT, "epo-pdf")
    assert first == second
    reader = PdfReader(BytesIO(first))
    assert reader.metadata is not None
    assert reader.metadata.title == f"Search report in the style of EPO Form 1503: {REPORT.title}"
    assert str(reader.metadata.creation_date) == "2026-11-18 12:00:00+00:00"
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert all(NOTICE in page.extract_text() for page in reader.pages)


@needs("typst")
def test_a_pdf_cuts_an_endless_text_and_says_so() -> None:
    endless = replace(REPORT.documents[0], title="W" * 12_000, applicants=())
    text = pdf_text(write_report(replace(REPORT, documents=(endless,)), "pdf"))
    assert text.count("W") > 9_000
    assert "2,000 more characters: see the HTML or DOCX file" in " ".join(text.split())


@needs("typst")
def test_a_pdf_says_which_letters_no_font_has() -> None:
    sheet = generic_sheet(REPORTS["hostile"])
    assert missing_letters(sheet, machine_fonts=False) == "字漢"
    assert missing_letters(generic_sheet(REPORT), machine_fonts=False) == ""
    text = pdf_text(write_report(REPORTS["hostile"], "pdf"))
    if missing_letters(sheet, machine_fonts=True):
        assert "Letters missing from this PDF" in text
        assert "U+5B57, U+6F22" in text
    else:
        assert "漢字" in text
