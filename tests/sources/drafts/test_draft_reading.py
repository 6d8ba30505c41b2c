"""Drafts out of files as attorneys have them."""

from __future__ import annotations

import io
import logging
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from pypdf import PdfWriter

import foreart
from foreart.document.draft import Draft
from foreart.document.headings import known_heading
from foreart.errors import BadFile, UnknownFormat
from foreart.sources.drafts.draft_files import draft_of_text, read_draft
from foreart.sources.drafts.file_types.lines import joined
from foreart.sources.drafts.file_types.printed_lines import rows_of, without_running

DRAFTS = Path(foreart.__file__).parent / "sample" / "drafts"
HEADINGS = ("field", "background", "summary", "brief description of the drawings", "detailed description")


def written(tmp_path: Path, text: str, name: str = "draft.txt") -> Draft:
    (tmp_path / name).write_text(text, "utf-8")
    return read_draft(tmp_path / name)


@pytest.mark.parametrize(
    ("file", "title", "claims", "start", "end"),
    [
        (
            "interspinous-fusion.docx",
            "Interspinous fusion device with connecting bar and pivoting elongate fusion member",
            8,
            "An interspinous fusion device has two plates",
            "blocks pivoting of the elongate fusion member.",
        ),
        (
            "ultrasound-probe.pdf",
            "Handheld ultrasound probe with cooled transducer head and replaceable acoustic window",
            9,
            "A handheld ultrasound probe has a closed cooling circuit",
            "without opening the cooling circuit.",
        ),
        (
            "insulin-pump.txt",
            "WEARABLE DRUG PUMP WITH PRE-FILLED CARTRIDGE AND OCCLUSION DETECTION",
            8,
            "A wearable drug pump, for example an insulin pump,",
            "an occlusion is reported within a few strokes.",
        ),
    ],
)
def test_the_sample_drafts(file: str, title: str, claims: int, start: str, end: str) -> None:
    draft = read_draft(DRAFTS / file)
    assert draft.title == title
    assert [claim.number for claim in draft.claims] == list(range(1, claims + 1))
    assert draft.claims[5].depends_on == (1, 2, 3, 4, 5)
    assert draft.priority == "2014-03-10"
    assert draft.filed == ""
    assert draft.abstract.startswith(start)
    assert draft.abstract.endswith(end)
    headings = [paragraph.text.lower() for paragraph in draft.description if paragraph.is_heading]
    assert [heading.removeprefix("technical ").removesuffix(" of the invention") for heading in headings] == list(
        HEADINGS
    )
    assert draft.source == file
    assert draft.notes == ()


def test_running_headers_and_page_numbers_are_not_in_the_sample_pdf() -> None:
    draft = read_draft(DRAFTS / "ultrasound-probe.pdf")
    text = f"{draft.title}\n{draft.abstract}\n{draft.description_text}\n{draft.claims_text}"
    assert "Nordhavn" not in text
    assert "Page " not in text
    assert "The remaining time at the present power is displayed." in text  # a sentence over a page break


def test_the_text_of_a_draft_is_in_no_repr() -> None:
    draft = read_draft(DRAFTS / "insulin-pump.txt")
    assert repr(draft) == f"<Draft {draft.fingerprint[:8]}: 26 paragraphs, 8 claims>"


def test_the_fingerprint_is_of_the_words_not_of_the_lines(tmp_path: Path) -> None:
    one = written(tmp_path, "Pump\n\nFIELD\n\nThe pump moves insulin\nthrough a cannula.\n")
    two = written(tmp_path, "Pump\n\nFIELD\n\nThe pump moves insulin through   a cannula.\n")
    three = written(tmp_path, "Pump\n\nFIELD\n\nThe pump moves water through a cannula.\n")
    assert one.fingerprint == two.fingerprint != three.fingerprint
    assert len(one.fingerprint) == 32


def test_markdown(tmp_path: Path) -> None:
    draft = written(
        tmp_path,
        "# Bone screw\n\n**Priority date:** 2014-03-10\n\n## Background\n\nScrews loosen.\n\n## Claims\n\n"
        "1. A screw comprising\na thread.\n2. The screw of claim 1.\n\n## Abstract\n\nA screw.\n",
        "draft.md",
    )
    assert draft.title == "Bone screw"
    assert [claim.text for claim in draft.claims] == ["A screw comprising a thread.", "The screw of claim 1."]
    assert draft.abstract == "A screw."
    assert [paragraph.text for paragraph in draft.description] == ["Background", "Screws loosen."]


def test_german(tmp_path: Path) -> None:
    draft = written(
        tmp_path,
        "Bezeichnung: Knochenschraube\nAnmeldetag: 11.03.2015\nPrioritätsdatum: 10. März 2014\n\nTechnisches Gebiet\n\n"
        "Die Erfindung betrifft Schrauben.\n\nStand der Technik\n\nBekannt sind Nägel.\n\nPatentansprüche\n\n"
        "1. Schraube mit Gewinde.\n\n2. Schraube nach Anspruch 1.\n\nZusammenfassung\n\nEine Schraube.\n",
    )
    assert draft.title == "Knochenschraube"
    assert (draft.priority, draft.filed) == ("2014-03-10", "2015-03-11")
    assert [claim.depends_on for claim in draft.claims] == [(), (1,)]
    assert draft.abstract == "Eine Schraube."
    assert draft.description[-1].heading == "Stand der Technik"


def test_a_disclosure_without_headings_is_a_title_and_a_description(tmp_path: Path) -> None:
    draft = written(tmp_path, "CONFIDENTIAL\n\nSelf-locking pawl\n\nOur pawl locks itself.\n\nIt needs no spring.\n")
    assert draft.title == "Self-locking pawl"
    assert [paragraph.text for paragraph in draft.description] == ["Our pawl locks itself.", "It needs no spring."]
    assert (draft.claims, draft.priority) == ((), "")


def test_the_priority_of_an_earlier_application_is_found(tmp_path: Path) -> None:
    draft = written(
        tmp_path,
        "Pawl\n\nCROSS-REFERENCE TO RELATED APPLICATIONS\n\nThis application claims the benefit of U.S. Provisional "
        "Application No. 61/950,123, filed on March 10, 2014, the contents of which are incorporated.\n",
    )
    assert draft.priority == "2014-03-10"


def test_words_cut_at_line_ends_are_mended_and_meant_hyphens_stay() -> None:
    lines = [
        "The inter-",
        "spinous device has a glass-",
        "fibre body and two pro-",
        "cesses. A glass-fibre body is light.",
    ]
    assert joined(lines)[0].text == (
        "The interspinous device has a glass-fibre body and two processes. A glass-fibre body is light."
    )


def test_wrapped_lines_become_paragraphs_and_long_lines_stay() -> None:
    wrapped = [
        "A first paragraph that runs over the whole width of the page and",
        "ends here.",
        "A second paragraph that runs over the whole width of the page too,",
        "and goes on.",
    ]
    assert [line.text[:8] for line in joined(wrapped)] == ["A first ", "A second"]
    long = ["word " * 60 + "end", "Another paragraph without a blank line before it, " * 5]
    assert len(joined(long)) == 2


def test_headings_are_known_and_sentences_are_not() -> None:
    for line in ("What is claimed is:", "CLAIMS", "## Abstract", "1. Technical Field", "**Background**", "Ansprüche"):
        assert known_heading(line), line
    for line in ("claims", "The claims follow.", "Claims 1 to 5 are", "Field tests were made in the summer"):
        assert known_heading(line) is None, line


def test_running_lines_go_but_claims_stay() -> None:
    pages = [
        ["ACME 1", "First text", "more of one", "x", "y", "1/3"],
        ["ACME 2", "2. The screw of claim 1", "more of two", "x2", "y2", "2/3"],
        ["ACME 3", "3. The screw of claim 2", "more of three", "x3", "y3", "3/3"],
    ]
    kept = [[row.text for row in page] for page in without_running([rows_of(page) for page in pages])]
    assert [page[0] for page in kept] == ["First text", "2. The screw of claim 1", "3. The screw of claim 2"]
    assert not any("/" in line for page in kept for line in page)


def test_word_numbering_tracked_changes_and_tables(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("Pawl with lever", style="Title")
    document.add_heading("Background", 1)
    changed = document.add_paragraph("Pawls ")
    changed._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>always</w:t></w:r></w:ins>"))
    changed._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>never</w:delText></w:r></w:del>"))
    changed.add_run(" hold.")
    document.add_table(1, 1).cell(0, 0).text = "Steel 1.4301"
    document.add_heading("Claims", 1)
    document.add_paragraph("A pawl comprising", style="List Number")
    document.add_paragraph("a lever.")
    document.add_paragraph("The pawl of claim 1.", style="List Number")
    document.save(str(tmp_path / "draft.docx"))
    draft = read_draft(tmp_path / "draft.docx")
    assert draft.title == "Pawl with lever"
    assert [paragraph.text for paragraph in draft.description] == ["Background", "Pawls always hold.", "Steel 1.4301"]
    assert [(claim.number, claim.text) for claim in draft.claims] == [
        (1, "A pawl comprising\na lever."),
        (2, "The pawl of claim 1."),
    ]


def test_the_format_is_known_by_content_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes((DRAFTS / "ultrasound-probe.pdf").read_bytes())
    assert len(read_draft(tmp_path / "draft.txt").claims) == 9


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO((DRAFTS / "insulin-pump.txt").read_bytes())

    monkeypatch.setattr("sys.stdin", Input())
    draft = read_draft("-")
    assert (len(draft.claims), draft.source) == (8, "standard input")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "draft.txt").write_bytes("Größe\n\nFIELD\n\nEine Schraube größer als üblich.\n".encode(encoding))
    assert read_draft(tmp_path / "draft.txt").title == "Größe"


def test_a_pdf_without_text_asks_for_ocr(tmp_path: Path) -> None:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.write(str(tmp_path / "scan.pdf"))
    with pytest.raises(BadFile, match=r"scan\.pdf has no text layer: run OCR first"):
        read_draft(tmp_path / "scan.pdf")


def test_pages_without_text_are_told(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=str(DRAFTS / "ultrasound-probe.pdf"))
    writer.add_blank_page(200, 200)
    writer.write(str(tmp_path / "draft.pdf"))
    assert read_draft(tmp_path / "draft.pdf").notes == ("no text layer on page 4 of 4",)


def test_what_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("a.txt", "secret word")
    for name, data, kind, said in (
        ("a.doc", b"\xd0\xcf\x11\xe0rest", UnknownFormat, "an old Word file"),
        ("a.zip", archive.getvalue(), UnknownFormat, "not a Word document"),
        ("a.bin", b"\0\1\2secret word", UnknownFormat, "use DOCX, PDF, ODT, RTF, HTML, Markdown, plain text"),
        ("a.txt", b"  \n ", BadFile, "is empty"),
        ("a.pdf", b"%PDF-1.4 secret word", BadFile, "not a readable PDF"),
        ("a.docx", b"PK\x03\x04 secret word", BadFile, "not a readable Word file or OpenDocument text"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(kind, match=said) as caught:
            read_draft(tmp_path / name)
        assert "secret word" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
    with pytest.raises(BadFile, match="No such file"):
        read_draft(tmp_path / "none.txt")


def test_a_password_is_named_as_the_reason(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=str(DRAFTS / "ultrasound-probe.pdf"))
    writer.encrypt("open sesame", algorithm="RC4-128")
    writer.write(str(tmp_path / "draft.pdf"))
    with pytest.raises(BadFile, match="protected by a password"):
        read_draft(tmp_path / "draft.pdf")


def test_nothing_of_a_draft_reaches_a_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = (DRAFTS / "ultrasound-probe.pdf").read_bytes()
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) * 2 // 3])
    with caplog.at_level(logging.DEBUG):
        for file in DRAFTS.iterdir():
            read_draft(file)
        try:
            read_draft(tmp_path / "cut.pdf")
        except BadFile as error:
            assert "ultrasound" not in str(error)
    assert caplog.records == []


def test_a_text_is_a_text_whatever_it_looks_like(tmp_path: Path) -> None:
    text = "Pawl with lever\n\nCLAIMS\n\n1. A pawl comprising a lever.\n\n2. The pawl of claim 1.\n"
    made = draft_of_text(text, "text")
    assert made == replace(written(tmp_path, text), source="text")
    for start in ("%PDF-1.7\n", "{\\rtf1 ", "<html><p>", "PK\x03\x04", '{"id": "US1A"}\n'):
        found = draft_of_text(f"{start}A pawl of steel with a lever.", "text")
        assert "A pawl of steel with a lever." in f"{found.title} {found.description_text}"
    with pytest.raises(BadFile, match=r"^text has no text$"):
        draft_of_text(" \n ", "text")
