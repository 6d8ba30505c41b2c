"""The same application in every format: OpenDocument, RTF, HTML, Word, Markdown, the XML of an office."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from expectation import OWN, RAW, needs_raw, only
from foreart.document.draft import Draft
from foreart.errors import BadFile
from foreart.sources import read_draft

ODT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>
</office:automatic-styles><office:body><office:text>
<text:tracked-changes><text:changed-region><text:deletion><text:p>GONE</text:p></text:deletion></text:changed-region>
</text:tracked-changes>
<text:p text:style-name="P1">Pawl with lever</text:p>
<text:h text:outline-level="1">Background</text:h>
<text:p>Pawls<text:s/>hold<text:note><text:note-citation>1</text:note-citation></text:note>
 <text:change text:change-id="1"/>well<office:annotation><text:p>REMARK</text:p></office:annotation>.</text:p>
<text:h text:outline-level="1">Claims</text:h>
<text:list text:style-name="L1"><text:list-item><text:p>A pawl comprising</text:p><text:p>a lever.</text:p>
</text:list-item>
<text:list-item><text:p>The pawl of claim 1.</text:p></text:list-item></text:list>
<text:h text:outline-level="1">Abstract</text:h><text:p>A pawl<text:tab/>with a lever.</text:p>
</office:text></office:body></office:document-content>"""
RTF = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}}{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2 Title;}}
{\header\pard Docket 17 GONE\par}{\info{\title GONE}}
\pard\s2 Pawl with lever\par
\pard\s1 Background\par
\pard Pawls hold{\deleted  never}{\revised  well}{\v hidden}{\*\annotation REMARK}{\footnote GONE}.\par
\pard\s1 Claims\par
\pard{\listtext 1.\tab}A pawl compris\-ing\line a lever.\par
\pard{\listtext 2.\tab}The pawl of claim 1.\par
\pard\s1 Abstract\par
\pard A pawl\tab with a lever.\par}"""
HTML = """<!DOCTYPE html><html><head><title>GONE</title><style>p{}</style></head><body><header>GONE</header>
<h1>Pawl with lever</h1><!-- REMARK --><h2>Background</h2><p>Pawls hold <del>never</del><ins>well</ins>.</p>
<p style="display:none">GONE</p><h2>Claims</h2><ol><li>A pawl comprising<br>a lever.</li>
<li>The pawl of claim 1.</li></ol>
<h2>Abstract</h2><p>A pawl with a
lever.</p><script>GONE</script></body></html>"""
MARKDOWN = """# Pawl with lever

<!-- REMARK -->

## Background

Pawls hold {--never--}{++well++}{>>REMARK<<}.

## Claims

1. A pawl comprising
a lever.
2. The pawl of claim 1.

## Abstract

A pawl with a lever.
"""


def odt(content: str = ODT, manifest: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest)
    return out.getvalue()


def docx() -> bytes:
    document = Document()
    document.sections[0].header.paragraphs[0].text = "GONE"
    document.add_paragraph("Pawl with lever", style="Title")
    document.add_heading("Background", 1)
    changed = document.add_paragraph("Pawls hold ")
    changed._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>never</w:delText></w:r></w:del>"))
    changed._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>well</w:t></w:r></w:ins>"))
    changed.add_run("GONE").font.hidden = True
    changed.add_run(".")
    document.add_heading("Claims", 1)
    document.add_paragraph("A pawl comprising", style="List Number")
    document.add_paragraph("a lever.")
    document.add_paragraph("The pawl of claim 1.", style="List Number")
    document.add_heading("Abstract", 1)
    document.add_paragraph("A pawl\twith a lever.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


FORMATS = {
    "draft.docx": docx,
    "draft.odt": odt,
    "draft.rtf": lambda: RTF,
    "draft.html": lambda: HTML.encode(),
    "draft.md": lambda: MARKDOWN.encode(),
}


@pytest.mark.parametrize("name", FORMATS)
def test_one_application_in_every_format(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FORMATS[name]())
    draft = read_draft(tmp_path / name)
    assert draft.title == "Pawl with lever"
    assert [item.text for item in draft.description] == ["Background", "Pawls hold well."]
    assert [(claim.number, " ".join(claim.text.split()), claim.depends_on) for claim in draft.claims] == [
        (1, "A pawl comprising a lever.", ()),
        (2, "The pawl of claim 1.", (1,)),
    ]
    assert draft.abstract == "A pawl with a lever."
    assert [item.text for item in draft.elements] == ["A pawl", "a lever"]
    whole = f"{draft.title}{draft.abstract}{draft.description_text}{draft.claims_text}"
    assert "GONE" not in whole
    assert "REMARK" not in whole


def test_the_fingerprint_is_the_same_in_every_format(tmp_path: Path) -> None:
    prints = set()
    for name, made in FORMATS.items():
        (tmp_path / name).write_bytes(made())
        prints.add(read_draft(tmp_path / name).fingerprint)
    assert len(prints) == 1


def test_a_deleted_end_of_paragraph_joins_two(tmp_path: Path) -> None:
    document = Document()
    document.add_heading("Background", 1)
    first = document.add_paragraph("One sentence goes")
    first._p.get_or_add_pPr().append(parse_xml(f'<w:rPr {nsdecls("w")}><w:del w:id="1" w:author="x"/></w:rPr>'))
    document.add_paragraph("on here.")
    document.save(str(tmp_path / "draft.docx"))
    assert read_draft(tmp_path / "draft.docx").description[-1].text == "One sentence goes on here."


def test_code_pages_and_signs_of_rtf(tmp_path: Path) -> None:
    data = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}
\f0 Gr\'f6\'dfe \u945?\u8211-\f1 \'e6\f0\par
\pard Zweite\~Zeile \{x\}\par}"""
    (tmp_path / "draft.rtf").write_bytes(data)
    draft = read_draft(tmp_path / "draft.rtf")
    assert draft.title == "Größe α–ж"
    assert draft.description[0].text == "Zweite Zeile {x}"


def test_what_is_locked_or_broken_is_refused(tmp_path: Path) -> None:
    for name, data, said in (
        ("a.odt", odt(manifest="<manifest:encryption-data/>"), "protected by a password"),
        ("b.odt", odt("<secret word"), "not a readable Word file or OpenDocument text"),
        ("c.xml", b"<?xml version='1.0'?><us-patent-grant><secret word", "secret"),
    ):
        (tmp_path / name).write_bytes(data)
        if said == "secret":
            try:
                read_draft(tmp_path / name)
            except BadFile as error:
                assert "secret" not in str(error)
            continue
        with pytest.raises(BadFile, match=said) as caught:
            read_draft(tmp_path / name)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        OWN / "uspto_application_xml_v4" / "US20050990007A1.xml",
        OWN / "epo_fulltext_xml" / "grant_v1-5-B1.xml",
        OWN / "uspto_aps_greenbook" / "US03990014.greenbook",
        OWN / "pqai_json" / "US7990033B2.json",
        pytest.param(RAW / "uspto_application_xml_v4" / "US20050004437A1.xml", marks=needs_raw),
        pytest.param(RAW / "epo_fulltext_xml" / "grant_v1-5-B1.xml", marks=needs_raw),
    ],
    ids=lambda path: path.name,
)
def test_published_documents_are_drafts_too(path: Path) -> None:
    patent = only(path)
    draft = read_draft(path)
    assert isinstance(draft, Draft)
    assert (draft.title, draft.claims, draft.description) == (patent.title, patent.claims, patent.description)
    assert draft.source == path.name
    assert {item.claim for item in draft.elements} >= {1}
    assert draft.ground("title").endswith("as published")


@pytest.mark.parametrize(
    ("path", "count"),
    [
        (OWN / "uspto_grant_xml_v4_weekly" / "ipg060404.small.xml", 2),
        pytest.param(RAW / "uspto_grant_xml_v4_weekly" / "ipg050104.small.xml", 25, marks=needs_raw),
    ],
    ids=["invented", "real"],
)
def test_a_file_of_many_documents_is_no_draft(path: Path, count: int) -> None:
    with pytest.raises(BadFile, match=rf"holds {count} documents .*: a draft is a single document"):
        read_draft(path)
