"""Search reports opened by programs that people use: a word processor, a PDF reader, reference managers."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from example_report import HOSTILE_PATENT, REPORT, hostile_report
from extras import needs
from foreart.document.reference import LiteratureReference
from foreart.report.forms.epo_form import epo_sheet
from foreart.report.forms.report_data import (
    NOTICE,
    CategoryLine,
    ReportContents,
    ReportedDocument,
    ReportedLiterature,
    ReportedVerdict,
)
from foreart.report.forms.sheet_parts import SheetTable
from foreart.report.writers.form_table import write_report
from foreart.report.writers.report_bibtex import patent_type
from foreart.report.writers.report_rows import document_rows

HOSTILE_REPORT = hostile_report()
OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
PDFTOTEXT = shutil.which("pdftotext")


def squeezed(text: str) -> str:
    return re.sub("[^\x21-\x7e]", "", text)


def flat(text: str) -> str:
    return " ".join(text.split())


def epo_cells() -> list[str]:
    found = next(part for part in epo_sheet(REPORT).parts if isinstance(part, SheetTable))
    return [
        *(column.name for column in found.columns),
        *(line.text for row in found.rows for cell in row for line in cell),
    ]


def converted(form: str, files: list[str], folder: Path) -> None:
    """Files as LibreOffice reads them, written again in another form."""
    assert OFFICE
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [OFFICE, profile, "--headless", "--convert-to", form, "--outdir", str(folder), *files]
    subprocess.run(command, check=True, capture_output=True, timeout=240)


@needs("openpyxl")
@pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice: apt-get install libreoffice-calc-nogui")
def test_libreoffice_shows_every_row_of_the_workbook_and_computes_nothing(tmp_path: Path) -> None:
    for name, report in (("plain", REPORT), ("hostile", HOSTILE_REPORT)):
        (tmp_path / f"{name}.xlsx").write_bytes(write_report(report, "xlsx"))
    # All sheets, as CSV in UTF-8: one file each.
    form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    converted(form, [str(tmp_path / "plain.xlsx"), str(tmp_path / "hostile.xlsx")], tmp_path)
    found = {name: "".join(path.read_text("utf-8") for path in tmp_path.glob(f"{name}-*.csv")) for name in
             ("plain", "hostile")}  # fmt: skip
    rows = [*document_rows(REPORT)]
    assert len(rows) == len(REPORT.documents) + len(REPORT.literature)
    for row in rows:
        for column in ("document", "title", "published", "category and claims"):
            assert squeezed(str(row[column]).replace('"', '""')) in squeezed(found["plain"]), (row["document"], column)
    assert squeezed(NOTICE) in squeezed(found["plain"])
    assert "#NAME?" not in found["hostile"]
    assert "Err:5" not in found["hostile"]
    assert "=cmd|" in found["hostile"]


@pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice: apt-get install libreoffice-writer-nogui")
def test_libreoffice_shows_every_cell_of_each_word_document(tmp_path: Path) -> None:
    for form in ("docx", "epo-docx", "pct-docx", "ids-docx"):
        (tmp_path / f"{form}.docx").write_bytes(write_report(REPORT, form))
    (tmp_path / "hostile.docx").write_bytes(write_report(HOSTILE_REPORT, "epo-docx"))
    files = [str(path) for path in sorted(tmp_path.glob("*.docx"))]
    converted("txt:Text (encoded):UTF8", files, tmp_path)
    text = {path.stem: squeezed(path.read_text("utf-8")) for path in tmp_path.glob("*.txt")}
    assert len(text) == 5
    assert [cell for cell in epo_cells() if squeezed(cell) not in text["epo-docx"]] == []
    assert "53(steps:morethan50,100and200)" in text["ids-docx"]
    assert "A.Classificationofsubjectmatter" in text["pct-docx"]
    assert squeezed(HOSTILE_PATENT.title) in text["hostile"]
    assert all(squeezed(NOTICE) in found for found in text.values())


@needs("typst")
@pytest.mark.skipif(PDFTOTEXT is None, reason="needs pdftotext: apt-get install poppler-utils")
def test_pdftotext_shows_the_rows_of_the_epo_form_beside_each_other(tmp_path: Path) -> None:
    assert PDFTOTEXT
    path = tmp_path / "report.pdf"
    path.write_bytes(write_report(REPORT, "epo-pdf"))
    done = subprocess.run([PDFTOTEXT, "-layout", str(path), "-"], check=True, capture_output=True, text=True)
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert any(
        re.fullmatch(r"\[D\],X US 7 585 299 B2 \(NORTHFIELD TOOLS, INC\.\).* 1-3, 9 B25B 13/46", line) for line in lines
    )
    assert any(line.startswith("[E],A WO 2015/031337 A1 (HALDANE MARINE LTD)") for line in lines)
    assert [cell for cell in epo_cells() if len(cell) < 12 and cell.isascii() and cell not in done.stdout] == []
    assert done.stdout.count(NOTICE) == done.stdout.count("\f") + 1  # in the head of every page, and at the top


def test_rispy_reads_every_field_of_each_document() -> None:
    rispy = pytest.importorskip("rispy", reason="needs rispy: pip install rispy")
    for report in (REPORT, HOSTILE_REPORT):
        report = replace(report, contents=replace(report.contents, abstracts=True))
        entries = rispy.loads(write_report(report, "ris").decode("utf-8"))
        assert len(entries) == len(report.documents) + len(report.literature) + 1
        for entry, item in zip(entries, report.documents, strict=False):
            assert entry["type_of_reference"] == "PAT"
            assert entry["title"] == flat(item.title)
            assert (
                entry["authors"] == [flat(name) for name in item.inventors]
                if item.inventors
                else "authors" not in entry
            )
            assert entry["issn"] == item.id  # SN
            assert entry.get("publisher", "") == flat("; ".join(item.applicants))
            assert entry["custom1" if item.filed else "custom3"] == (item.filed or item.country)
            assert entry.get("keywords", []) == [flat(symbol) for symbol in dict.fromkeys((*item.cpc, *item.ipc))]
            assert entry["date"].rstrip("/") == item.published.replace("-", "/")
            assert entry.get("abstract", "") == flat(item.abstract)
        assert entries[-1]["title"].startswith("Search record: ")
        assert NOTICE in entries[-1]["notes"]
    notes = rispy.loads(write_report(REPORT, "ris").decode("utf-8"))[0]["notes"]
    assert "Category: X for claims 1-3, 9" in notes
    assert "Judgement: relevant (J. Meier): Closest: only the second spring is missing." in notes
    assert "Passage, claim 1: “a locking lever”" in notes


def test_rispy_reads_the_parts_of_literature() -> None:
    rispy = pytest.importorskip("rispy", reason="needs rispy: pip install rispy")
    paper = LiteratureReference(
        "Leaf springs", ("Hartwell, Ruth", "Okoro, Ben"), "Journal of Mechanisms", "1998-05", "12-3", "101-109",
        identifier="10.1000/182", language="en",
    )  # fmt: skip
    lines = (CategoryLine("Y", (1, 2)),)
    cited = ReportedLiterature(paper.citation, lines, reference=paper, verdicts=(ReportedVerdict("relevant", "ann"),))
    text = write_report(replace(REPORT, literature=(cited,)), "ris").decode("utf-8")
    entry = rispy.loads(text)[len(REPORT.documents)]
    assert (entry["type_of_reference"], entry["title"], entry["authors"]) == (
        "JOUR", "Leaf springs", ["Hartwell, Ruth", "Okoro, Ben"]
    )  # fmt: skip
    assert (entry["secondary_title"], entry["volume"], entry["start_page"]) == (
        "Journal of Mechanisms", "12-3", "101-109"
    )  # fmt: skip
    assert (entry["doi"], entry["date"], entry["language"]) == ("10.1000/182", "1998/05//", "en")
    assert entry["notes"] == ["Category: Y for claims 1, 2", "Judgement: relevant (ann)"]


def entries_of(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """The entries of a BibTeX file, by counting braces as BibTeX does."""
    found, place = [], 0
    while (start := text.find("@", place)) >= 0:
        kind, opening = text[start + 1 : text.index("{", start)], text.index("{", start)
        depth, place = 1, opening + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
        body = text[opening + 1 : place - 1]
        key, _, rest = body.partition(",")
        values = dict(re.findall(r"^  (\w+) = \{(.*)\},$", rest, re.MULTILINE))
        found.append((kind, key, values))
    return found


COMMANDS = {
    r"\textbackslash{}": "\\", r"\textbraceleft{}": "{", r"\textbraceright{}": "}", r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%", r"\_": "_",
}  # fmt: skip


def unescaped(text: str) -> str:
    return re.sub("|".join(map(re.escape, COMMANDS)), lambda command: COMMANDS[command[0]], text)


@pytest.mark.parametrize("form", ["biblatex", "bibtex"])
def test_bibtex_has_an_entry_for_each_document_and_the_record_as_a_comment(form: str) -> None:
    for report in (REPORT, HOSTILE_REPORT):
        comment, *entries = entries_of(write_report(report, form).decode("utf-8"))
        assert comment[0] == "comment"
        assert [key for _, key, _ in entries] == [*(item.id for item in report.documents), "npl1"]
        for (kind, _, values), item in zip(entries, report.documents, strict=False):
            assert kind == ("patent" if form == "biblatex" else "misc")
            visible = re.sub("[\u202c\u202e]", " ", item.title)
            assert unescaped(values["title"]) == flat(visible)
            note = unescaped(values["annotation" if form == "biblatex" else "annote"])
            assert note.startswith(f"Status: {item.status}")
            assert not re.search(r"(?<!\\)[$&#%_^~]", values["title"])
            if form == "biblatex":
                assert values["number"] == item.id
                assert values["date"] == item.published
    first = entries_of(write_report(REPORT, form).decode("utf-8"))[1][2]
    assert first["author"] == "Okafor, Adaeze and Lindqvist, Per"
    expected = {"biblatex": ("patentus", "{Northfield Tools, Inc.}"), "bibtex": (None, None)}[form]
    assert (first.get("type"), first.get("holder")) == expected
    if form == "bibtex":
        assert (first["year"], first["month"], first["howpublished"]) == ("2009", "sep", "Patent US 7 585 299 B2")


def test_the_types_of_biblatex_distinguish_patents_from_applications() -> None:
    kinds = {"EP1A1": "patreqeu", "EP1B1": "patenteu", "WO2007012345A1": "patreq", "JP1B2": "patent"}
    kinds |= {"US4123456A": "patentus", "US20110087291A1": "patrequs", "DE102014001234A1": "patreqde"}
    found = {
        number: patent_type(
            ReportedDocument(
                number, country=number[:2], kind=number.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ").lstrip("0123456789")
            )
        )
        for number in kinds
    }
    assert found == kinds


def test_private_notes_can_be_left_out_of_references() -> None:
    quiet = replace(REPORT, contents=ReportContents(notes=False, passages=False))
    for form in ("ris", "biblatex", "bibtex"):
        text = write_report(quiet, form).decode("utf-8")
        assert "second spring" not in text
        assert "leaf spring" not in text
        assert "Category: X for claims 1-3, 9" in text
