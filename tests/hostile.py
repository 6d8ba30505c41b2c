"""Texts that an attacker would send: long repeats of all that readers of drafts, claims and patents look for."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from html import escape

Make = Callable[[int], str]

# Each group in one text, with ¦ behind every atom.
SPACES = " ¦\n¦\t¦\x0c¦\xa0¦ \n¦\r\n¦\n\n¦"
SIGNS = ",¦;¦:¦.¦!¦-¦–¦/¦\\¦'¦\"¦#¦*¦_¦~¦=¦&¦%¦|¦+¦, ¦; ¦: ¦. ¦- ¦ - ¦ -\n¦-\n¦...¦, , ¦.\n¦. A ¦\xad¦。¦"
BRACKETS = "(¦)¦[¦]¦{¦}¦(a¦(1) ¦[1¦[0001] ¦【¦((1))¦(a) ¦()¦"
COMMENTS = (
    "{--¦--}¦{++¦++}¦{==¦==}¦{>>¦<<}¦{~~¦~>¦~~}¦{~~a~>¦{--a--}¦<!--¦-->¦<!---->¦<?¦<![CDATA[¦<¦>¦&lt;¦&#¦<p>¦"
    "<div>¦<b>¦</p>¦<table><tr><td>¦"
)
NUMBERS = (
    "1¦1.¦1. ¦1.1¦1\n¦1, ¦1-¦1 - ¦12/345,678 ¦5,123,456, ¦1)¦2. A¦1 to ¦9999 ¦0¦page 1\n¦- 1 -\n¦1a, ¦lever 12 ¦"
    "(12)¦'¦12, 13 ¦2014-03-10 ¦10 March 2014, ¦"
)
WORDS = (
    "a¦A¦aa ¦AA ¦a-¦a-a¦A-a ¦and ¦or ¦of ¦the ¦to ¦in ¦ä¦Ä ¦the of ¦A a ¦some ¦said a ¦further ¦draft ¦utility ¦"
    "non-provisional ¦several ¦first and ¦"
)
CLAIMS = (
    "claim 1¦claim ¦claims 1 to 3, ¦claim 1, ¦claim 1 or ¦1. A claim¦\n1. A ¦. 1. A ¦What is claimed is: ¦"
    "wherein ¦, wherein ¦comprising ¦, and ¦, a ¦the lever having ¦, the a ¦characterized in that ¦"
    "the improvement ¦at least ¦a) ¦; and ¦\na; ¦preceding claims ¦1.-9. (canceled) ¦method ¦a method ¦"
    "anspruch 1 ¦dadurch gekennzeichnet, dass ¦wobei ¦"
)
HEADINGS = (
    "BACKGROUND\n¦CLAIMS\n¦Claims\n\n¦ABSTRACT\n¦TITLE\n¦SUMMARY OF THE INVENTION\n¦DETAILED DESCRIPTION\n¦"
    "BRIEF DESCRIPTION OF THE DRAWINGS\n¦# A\n¦## Field\n¦EXAMPLE 1\n¦CLAIMS\n1. A\n¦BACKGROUND OF\nTHE A\n¦"
    "Field: a\n¦**a** ¦CAPITAL LETTERS\n¦FIELD AND BACKGROUND ¦cross-reference to ¦objects of ¦field of a ¦"
)
MENTIONS = (
    "US ¦US 5,123,456, ¦U.S. Pat. No. 5,123,456; ¦European patent ¦EP ¦JP-A-¦patent application ¦No. ¦Ser. No. ¦"
    "PCT/US¦U.S. ¦DE 10 2014 ¦WO 2014/¦German ¦application ¦US and ¦U S ¦United States ¦FIG. 1 ¦FIG. 1, ¦"
    "FIG. 1 shows a. ¦FIGS. 1 and ¦(see FIG. 1¦As shown in FIG. 1¦In the FIG. ¦FIG. 1 shows ¦claims priority ¦"
    "claims the benefit of ¦filed on ¦claims priority of A, filed 10 March 2014, ¦continuation of ¦priority: ¦"
    "priority date ¦filed: ¦priority: US 1 ¦continuation-in-part of ¦"
)
PEOPLE = (
    "Applicant: ¦Inventor: A B, ¦Applicant: A GmbH, ¦GmbH, ¦Inc.¦ and ¦Applicant: A\n¦Title: A\n¦Inventor: A\n¦"
    "A B and ¦co. ¦ of A¦Applicant / assignee: ¦"
)
GROUPS = (SPACES, SIGNS, BRACKETS, COMMENTS, NUMBERS, WORDS, CLAIMS, HEADINGS, MENTIONS, PEOPLE)
ATOMS = tuple(atom for group in GROUPS for atom in group.split("¦") if atom)

# What a repeat follows: only there some readers begin to look for it.
OPENINGS = ("x", "BACKGROUND\na\nCLAIMS\n1. A method comprising ", "FIG. 1 shows ", "claims priority to ")


def repeats() -> Iterator[tuple[str, Make]]:
    """Repeats of every atom, by a name: each makes a text of about as many characters as asked for."""
    for atom in ATOMS:
        yield f"{atom!r}", lambda size, atom=atom: _repeat(atom, size)


def texts() -> Iterator[tuple[str, Make]]:
    """The repeats, and each again within a text."""
    yield from repeats()
    for number, atom in enumerate(ATOMS):
        opening = OPENINGS[number % len(OPENINGS)]
        yield f"{opening!r} {atom!r}", lambda size, atom=atom, opening=opening: f"{opening}{_repeat(atom, size)}x"


def _repeat(atom: str, size: int) -> str:
    return atom * (size // len(atom))


def as_text(text: str) -> bytes:
    return text.encode()


def as_html(text: str) -> bytes:
    return ("<html><body>" + "".join(f"<p>{escape(line)}" for line in text.split("\n"))).encode()


def as_raw_html(text: str) -> bytes:
    return ("<html><body>" + text).encode()


def as_rtf(text: str) -> bytes:
    lines = (line.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}") for line in text.split("\n"))
    return b"{\\rtf1 " + "\\par ".join(lines).encode("cp1252", "replace") + b"}"


def as_docx(text: str) -> bytes:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{_plain(line)}</w:t></w:r></w:p>" for line in text.split("\n"))
    return _packed("word/document.xml", f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>')


def as_odt(text: str) -> bytes:
    names = "urn:oasis:names:tc:opendocument:xmlns"
    body = "".join(f"<text:p>{_plain(line)}</text:p>" for line in text.split("\n"))
    declared = f'xmlns:o="urn:o" xmlns:office="{names}:office:1.0" xmlns:text="{names}:text:1.0"'
    content = f"<office:body><office:text>{body}</office:text></office:body>"
    return _packed("content.xml", f"<o:c {declared}>{content}</o:c>")


def as_pdf(text: str) -> bytes:
    """Pages of fifty lines, written by hand: a library that makes PDFs would wrap long lines."""
    lines = text.split("\n")
    pages = [lines[start : start + 50] for start in range(0, len(lines), 50)]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for number, page in enumerate(pages):
        shown = b"".join(b"(" + _pdf_string(line) + b")'\n" for line in page)
        drawn = b"BT /F 11 Tf 14 TL 60 780 Td\n" + shown + b"ET"
        resources = f"/Resources<</Font<</F 3 0 R>>>>/MediaBox[0 0 595 842]/Contents {5 + 2 * number} 0 R"
        objects += [
            f"<</Type/Page/Parent 2 0 R{resources}>>".encode(),
            b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        ]
    return pdf_file(objects)


def pdf_file(objects: list[bytes]) -> bytes:
    """A PDF of numbered objects, of which the first is the catalogue."""
    out, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, item in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    start, size = len(out), len(offsets) + 1
    out += b"xref\n0 %d\n%strailer\n<</Size %d/Root 1 0 R>>\n" % (size, table, size)
    return bytes(out) + b"startxref\n%d\n%%%%EOF" % start


def _pdf_string(line: str) -> bytes:
    signs = {"\\": "\\\\", "(": "\\(", ")": "\\)", "\r": " ", "\f": " "}
    return line.translate(str.maketrans(signs)).encode("cp1252", "replace")


def _plain(line: str) -> str:
    return escape(line.replace("\f", " "))


def _packed(part: str, content: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # not compressed: repeats would be treated as a zip bomb
        archive.writestr(part, content)
    return out.getvalue()


DRAFT_FORMATS: dict[str, Callable[[str], bytes]] = {
    ".txt": as_text,
    ".html": as_html,
    "raw.html": as_raw_html,
    ".rtf": as_rtf,
    ".docx": as_docx,
    ".odt": as_odt,
    ".pdf": as_pdf,
}


# What stands in fields of patent files, repeated; and the elements, items and lines themselves.
FIELD_ATOMS = (" ", "\n", ",", "; ", "(", "1. A ", "claim 1, ", "US 5,123,456, ")
_TAG = re.compile(rb"<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>([^<>]{3,})</\1>")


def records(data: bytes) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    """A record of a patent file with one field stretched, or one element, item or line repeated, by a name."""
    start = data.lstrip()[:1]
    if start == b"<":
        yield from _markup(data)
    elif start in (b"{", b"["):
        yield from _json(data)
    else:
        lines = data.split(b"\n")
        for place in range(min(len(lines), 12)):
            yield from _spliced(f"line {place}", b"\n".join(lines[:place]) + b"\n", lines[place], lines[place + 1 :])


def _spliced(name: str, before: bytes, line: bytes, after: list[bytes]) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    rest = b"\n" + b"\n".join(after)
    yield f"{name} repeated", lambda size: before + (line + b"\n") * (1 + size // (len(line) + 1)) + rest
    for atom in FIELD_ATOMS:
        yield f"{name} {atom!r}", lambda size, atom=atom: before + line + _repeat(atom, size).encode() + b"x" + rest


def _markup(data: bytes) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    fields = {match[1]: match for match in reversed([*_TAG.finditer(data)])}
    for tag, match in sorted(fields.items())[:25]:
        head, tail, whole = data[: match.start()], data[match.end() :], match[0]
        yield f"<{tag.decode()}> repeated", lambda size, a=head, w=whole, z=tail: a + w * (1 + size // len(w)) + z
        head, tail = data[: match.start(2)], data[match.end(2) :]
        for atom in FIELD_ATOMS[:4]:
            yield (
                f"<{tag.decode()}> {atom!r}",
                lambda size, a=head, atom=atom, z=tail: a + b"x" + _repeat(atom, size).encode() + b"x" + z,
            )


def _json(data: bytes) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    record = json.loads(data)
    for key, value in record.items() if isinstance(record, dict) else ():
        if isinstance(value, list) and value:
            item = json.dumps(value[0])
            yield (
                f"{key} repeated",
                lambda size, key=key, one=value[0], item=item: json.dumps(
                    {**record, key: [one] * (1 + size // len(item))}
                ).encode(),
            )
        if isinstance(value, str):
            for atom in FIELD_ATOMS:
                yield (
                    f"{key} {atom!r}",
                    lambda size, key=key, atom=atom: json.dumps({**record, key: f"x{_repeat(atom, size)}x"}).encode(),
                )
