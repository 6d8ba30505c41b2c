"""Drafts that are locked, damaged, or made to hang or to fill memory: each is read, or refused in a sentence."""

from __future__ import annotations

import io
import json
import random
import resource
import zipfile
import zlib
from pathlib import Path

import pytest
from docx import Document
from pypdf import PdfWriter
from test_draft_formats import ODT, odt

from foreart.document.draft import Draft
from foreart.document.draft_record import draft_warnings
from foreart.document.patent import Claim
from foreart.errors import BadFile, UnknownFormat
from foreart.sources import read_draft
from hostile import pdf_file

DRAFTS = Path(__file__).resolve().parents[3] / "src" / "foreart" / "sample" / "drafts"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TEXT = "Pawl with lever\n\nCLAIMS\n\n1. A pawl comprising a lever.\n\n2. The pawl of claim 1.\n"


def refused(path: Path, data: bytes, said: str) -> str:
    """Reads a file that must be refused; the sentence, which names the file and is one line."""
    path.write_bytes(data)
    with pytest.raises(BadFile, match=said) as caught:
        read_draft(path)
    message = str(caught.value)
    assert path.name in message
    assert "\n" not in message
    return message


def packed(parts: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def docx(body: str, main: str = "word/document.xml", **others: str) -> bytes:
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return packed({"[Content_Types].xml": "<Types/>", main: document, **others})


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_with_an_owner_password_is_read_and_one_with_a_user_password_refused(
    tmp_path: Path, algorithm: str
) -> None:
    plain = read_draft(DRAFTS / "ultrasound-probe.pdf")
    for user in ("", "secret"):
        writer = PdfWriter(clone_from=str(DRAFTS / "ultrasound-probe.pdf"))
        writer.encrypt(user, "owner", algorithm=algorithm)
        writer.write(str(tmp_path / "draft.pdf"))
        if user:
            refused(tmp_path / "draft.pdf", (tmp_path / "draft.pdf").read_bytes(), "protected by a password")
        else:
            assert read_draft(tmp_path / "draft.pdf").fingerprint == plain.fingerprint


def test_half_characters_in_a_pdf_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "draft.pdf").write_bytes(simple_pdf(b"(Pawl A of steel) Tj"))
    assert read_draft(tmp_path / "draft.pdf").title == "Pawl \ufffd of steel"


def simple_pdf(text: bytes, pages: int = 1) -> bytes:
    """A PDF whose font maps A to half a character."""
    content = zlib.compress(b"BT /F1 12 Tf 72 700 Td " + text + b" ET")
    mapping = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <D800> endbfchar endcmap"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[" + b"3 0 R " * pages + b"]/Count %d>>" % pages,
        page,
        b"<</Length %d/Filter/FlateDecode>>stream\n" % len(content) + content + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n" % len(mapping) + mapping + b"\nendstream",
    ]
    return pdf_file(objects)


def test_a_pdf_of_too_many_pages_or_too_much_text_for_its_size_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "a.pdf", simple_pdf(b"(Pawl) Tj", pages=10_001), "more than 10,000 pages")
    refused(tmp_path / "b.pdf", simple_pdf(b"(Pawl) Tj" + b" " * 5_000_000), "more than 100 times its size")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
        b"  \n\t ",
        b"\xef\xbb\xbf\n \n",
        b"\f\f",
        b"<!-- -->",
        b"\xff\xfe\n\0",
    ],
)
def test_a_file_without_text_is_refused(tmp_path: Path, data: bytes) -> None:
    refused(tmp_path / "draft.txt", data, "is empty|has no text")


def test_a_file_with_a_heading_only_is_read(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(b"CLAIMS\n")
    with pytest.raises(BadFile, match=r"draft\.txt has no text"):
        read_draft(tmp_path / "draft.txt")
    (tmp_path / "draft.txt").write_bytes(b"BACKGROUND\n")
    assert [item.text for item in read_draft(tmp_path / "draft.txt").description] == ["BACKGROUND"]


def test_half_characters_of_utf_16_are_replaced(tmp_path: Path) -> None:
    data = b"\xff\xfe" + TEXT.replace("Pawl with", "Pawl \ud800with").encode("utf-16-le", "surrogatepass")
    (tmp_path / "draft.txt").write_bytes(data)
    assert read_draft(tmp_path / "draft.txt").title == "Pawl \ufffdwith lever"


def test_html_whose_tags_are_never_closed_loses_nothing(tmp_path: Path) -> None:
    opened = "".join(f"<div><font>Paragraph {number}." for number in range(4_000))
    page = f"<html><body><h1>Pawl</h1>{opened}<div>Claims<div>1. A pawl.<div>2. The pawl of claim 1."
    (tmp_path / "draft.html").write_text(page)
    draft = read_draft(tmp_path / "draft.html")
    assert len(draft.description) == 4_000
    assert draft.description[-1].text == "Paragraph 3999."
    assert [claim.text for claim in draft.claims] == ["A pawl.", "The pawl of claim 1."]
    refused(tmp_path / "draft.html", b"<html><body>" + b"<b>x" * 10_001, "nests more than 10,000 tags")


def test_html_reads_as_before(tmp_path: Path) -> None:
    page = (
        "<p>Ratchet<p hidden>GONE<div style='display: none'>GONE</div><ul><li>one<ol><li>inner</ol></ul>"
        "<h2>Claims</h2><ol><li>A pawl<ul><li>with a lever</ul>.<li>The pawl<br>of claim 1.</ol>"
    )
    (tmp_path / "draft.html").write_text(page)
    draft = read_draft(tmp_path / "draft.html")
    assert draft.title == "Ratchet"
    assert [item.text for item in draft.description] == ["one", "inner"]
    assert [claim.text for claim in draft.claims] == ["A pawl\nwith a lever\n.", "The pawl\nof claim 1."]


def test_a_docx_whose_main_part_is_named_by_its_relationships_is_read(tmp_path: Path) -> None:
    relation = '<Relationships><Relationship Type="{}/{}" Target="{}"/></Relationships>'
    data = docx(
        "<w:p><w:pPr><w:pStyle w:val='T'/></w:pPr><w:r><w:t>Pawl with lever</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>CLAIMS</w:t></w:r></w:p><w:p><w:r><w:t>1. A pawl.</w:t></w:r></w:p>",
        "parts/text.xml",
        **{
            "_rels/.rels": relation.format(OFFICE, "officeDocument", "/parts/text.xml"),
            "parts/_rels/text.xml.rels": relation.format(OFFICE, "styles", "../looks.xml"),
            "looks.xml": f"<w:s xmlns:w='{WORD}'><w:style w:styleId='T'><w:name w:val='Title'/></w:style></w:s>",
        },
    )
    (tmp_path / "draft.docx").write_bytes(data)
    draft = read_draft(tmp_path / "draft.docx")
    assert (draft.title, draft.ground("title")) == ("Pawl with lever", "style of the file")
    assert [claim.text for claim in draft.claims] == ["A pawl."]


def test_other_office_files_are_no_drafts(tmp_path: Path) -> None:
    relation = f'<Relationships><Relationship Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    sheet = packed({"_rels/.rels": relation, "xl/workbook.xml": "<workbook/>"})
    (tmp_path / "sheet.xlsx").write_bytes(sheet)
    with pytest.raises(UnknownFormat, match=r"sheet\.xlsx is a zip file but not a Word document"):
        read_draft(tmp_path / "sheet.xlsx")


def test_an_encrypted_docx_is_told_from_an_old_word_file(tmp_path: Path) -> None:
    container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
    locked = container + "EncryptionInfo\0EncryptedPackage".encode("utf-16-le")
    refused(tmp_path / "draft.docx", locked, "protected by a password: save it without one")
    refused(tmp_path / "draft.doc", container + "WordDocument".encode("utf-16-le"), "old Word file")


def test_a_docx_made_to_fill_memory_is_refused(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bomb = docx("<w:p/>" * 3_400_000)
    assert len(bomb) < 60_000
    refused(tmp_path / "a.docx", bomb, "more than 200 times its size")
    many = docx("".join(f"<w:p w:r='{number:x}'/>" for number in range(0, 250_000 * 7919, 7919)))
    refused(tmp_path / "b.docx", many, "more than 200,000 paragraphs")
    noise = random.Random(1).randbytes(4_100_000).translate(bytes(97 + code % 26 for code in range(256))).decode()
    refused(tmp_path / "c.docx", docx(f"<w:p a='{'='.join(noise)}'/>"), "more than 4,000,000 tags and attributes")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600 << 10


def test_deep_and_deleted_paragraphs_of_a_docx_take_no_longer(tmp_path: Path) -> None:
    deleted = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>word</w:t></w:r></w:p>"
    deep = "<w:sdt>" * 1_500 + "<w:p><w:r><w:t>inside</w:t></w:r></w:p>" + "</w:sdt>" * 1_500
    (tmp_path / "draft.docx").write_bytes(docx(f"<w:p><w:r><w:t>Ratchet</w:t></w:r></w:p>{deep}{deleted * 2_000}"))
    texts = [item.text for item in read_draft(tmp_path / "draft.docx").description]
    assert texts == ["inside", " ".join(["word"] * 2_000)]


def test_spaces_of_an_odt_are_not_counted_out(tmp_path: Path) -> None:
    (tmp_path / "draft.odt").write_bytes(odt(ODT.replace("<text:s/>", '<text:s text:c="3000000000"/>')))
    assert read_draft(tmp_path / "draft.odt").section_text("background") == "Pawls hold well."


def test_lists_and_text_boxes_of_an_odt_are_read_in_order(tmp_path: Path) -> None:
    box = (
        '<draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><draw:text-box>'
        "<text:p>In a box.</text:p></draw:text-box></draw:frame>"
    )
    inner = "<text:list><text:list-item><text:p>a spring.</text:p></text:list-item></text:list>"
    content = ODT.replace("Pawls<text:s/>", f"Pawls<text:s/>{box}").replace(
        "a lever.</text:p>", f"a lever;</text:p>{inner}"
    )
    (tmp_path / "draft.odt").write_bytes(odt(content))
    draft = read_draft(tmp_path / "draft.odt")
    assert draft.section_text("background") == "Pawls hold well.\nIn a box."
    assert [claim.text for claim in draft.claims] == ["A pawl comprising\na lever;\na spring.", "The pawl of claim 1."]
    deep = "<text:section>" * 1_500 + "<text:p>Deep.</text:p>" + "</text:section>" * 1_500
    (tmp_path / "draft.odt").write_bytes(odt(ODT.replace("<text:p>Pawls", f"{deep}<text:p>Pawls")))
    assert read_draft(tmp_path / "draft.odt").section_text("background").startswith("Deep.\nPawls")


def test_rtf_groups_have_a_depth(tmp_path: Path) -> None:
    refused(tmp_path / "draft.rtf", b"{\\rtf1 " + b"{" * 20_000, "nests more than 10,000 groups")


def test_remarks_of_markdown_end_where_they_end(tmp_path: Path) -> None:
    text = (
        "<!-- a -->" * 30
        + "\n# Pawl {--never--}{++well++}{>>GONE<<}{~~old~>new~~} {==marked==} {++open {--open <!--\n\n"
        + TEXT
    )
    (tmp_path / "draft.md").write_text(text)
    assert read_draft(tmp_path / "draft.md").title == "Pawl wellnew marked {++open {--open <!--"


def test_too_many_claims_are_refused(tmp_path: Path) -> None:
    text = "CLAIMS\n\n" + "A pawl of the preceding claims.\n\n" * 10_001
    refused(tmp_path / "draft.txt", text.encode(), "more than 10,000 claims")


def test_the_gaps_before_a_claim_of_the_highest_number_are_not_listed() -> None:
    told = draft_warnings(Draft(claims=(Claim(10**12, "A pawl."),)))
    assert "claims 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 are missing" in told


def test_a_device_is_no_draft() -> None:
    with pytest.raises(BadFile, match="/dev/zero has more than 512 MB"):
        read_draft("/dev/zero")


SIDECARS = {
    "digits.json": '{"title": ' + "9" * 5_000 + "}",
    "hex.yaml": "title: 0x" + "f" * 5_000,
    "number.yaml": "claims: [{number: 0x" + "f" * 5_000 + ", parents: [1]}]",
    "parents.yaml": "claims: [{number: 2, parents: [0x" + "f" * 5_000 + "]}]",
    "paragraph.yaml": "sections: [{name: field, paragraph: '" + "9" * 5_000 + "'}]",
    "key.yaml": "0x" + "f" * 5_000 + ": 1",
    "deep.json": "[" * 100_000,
    "deep.yaml": "title: " + "[" * 100_000,
    "alias.yaml": "a: &a [x, x]\nb: &b [*a, *a]\ntitle: [*b, *b]",
    "list.yaml": "title: [a, b]",
    "mapping.json": '{"language": {"en": 1}}',
    "starts.json": '{"sections": [{"name": "field", "starts": ["a"]}]}',
    "timestamp.yaml": 'priority: !!timestamp "x"',
    "integer.yaml": 'title: !!int ""',
    "boolean.yaml": "language: no",
    "large.yaml": "title: " + "a" * (2 << 20),
    "control.yaml": "title: \x00",
}


@pytest.mark.parametrize("name", SIDECARS)
def test_hostile_sidecars_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "draft.txt").write_text(TEXT)
    (tmp_path / name).write_text(SIDECARS[name])
    with pytest.raises(BadFile, match=name) as caught:
        read_draft(tmp_path / "draft.txt", sidecar=tmp_path / name)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(("name", "text"), [("a.json", r'{"title": "a\ud800b"}'), ("a.yaml", r'title: "a\uD800b"')])
def test_half_characters_of_a_sidecar_are_replaced(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "draft.txt").write_text(TEXT)
    (tmp_path / name).write_text(text)
    assert read_draft(tmp_path / "draft.txt", sidecar=tmp_path / name).title == "a\ufffdb"


def test_elements_of_a_sidecar_are_found_across_line_breaks(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_text("CLAIMS\n\n1. A pawl  comprising\na lever;\n and a spring.\n")
    record = {"claims": [{"number": 1, "elements": ["A  pawl", "a\nlever; and a", "spring"]}]}
    (tmp_path / "a.json").write_text(json.dumps(record))
    draft = read_draft(tmp_path / "draft.txt", sidecar=tmp_path / "a.json")
    text = draft.claims[0].text
    assert [text[item.start : item.end] for item in draft.elements] == [item.text for item in draft.elements]
    assert [" ".join(item.text.split()) for item in draft.elements] == ["A pawl", "a lever; and a", "spring"]


def test_a_damaged_docx_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    document = Document()
    document.add_paragraph("Pawl")
    document.save(out)
    data = out.getvalue()
    for cut in (10, 100, len(data) // 2, len(data) - 30):
        refused(tmp_path / "draft.docx", data[:cut], "not a readable Word file or OpenDocument text")
