"""The paragraphs of a Word file, with accepted changes, tables and Word's own numbering."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.file_types.packed import Element, member, parsed

MALFORMED = (
    zipfile.BadZipFile, zlib.error, etree.LxmlError, OSError, EOFError, ValueError, LookupError, TypeError,
    AttributeError, NotImplementedError, RecursionError,
)  # fmt: skip
DOCUMENT = "word/document.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
# What was struck out or moved away, and what Word keeps for programs that are older than a drawing.
_UNREAD = {f"{_W}del", f"{_W}moveFrom", _FALLBACK, f"{_W}pPr", f"{_W}rPr", f"{_W}delText", f"{_W}instrText"}
_SIGNS = {f"{_W}tab": " ", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class _Style:
    """What a paragraph takes over from its style."""

    name: str = ""
    numbered: bool | None = None


def docx_lines(data: bytes, name: str) -> list[Line]:
    """The paragraphs in the order of the file; a line break inside a paragraph stays one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            body = parsed(_transitional(member(archive, DOCUMENT, name)))
            styles = _styles(archive, name)
        found = list(_lines(body, styles))
    except MALFORMED:
        raise BadFile(f"{name} is not a Word file that can be read: save it anew as DOCX") from None
    return [line for line in found if line.text]


def _transitional(data: bytes) -> bytes:
    """`Strict` files say the same under another name."""
    return data.replace(_STRICT, _W[1:-1].encode()) if _STRICT in data[:4096] else data


def _lines(body: Element, styles: dict[str, _Style]) -> Iterator[Line]:
    """A paragraph whose end was struck out runs on into the next one."""
    open_line: Line | None = None
    for element in _paragraphs(body):
        line = _line(element, styles)
        if open_line is not None:
            line = replace(open_line, text=f"{open_line.text} {line.text}".strip())
        open_line = line if _end_is_deleted(element) else None
        if open_line is None:
            yield line
    if open_line is not None:
        yield open_line


def _line(element: Element, styles: dict[str, _Style]) -> Line:
    text = "\n".join(" ".join(part.split()) for part in "".join(_text(element)).splitlines() if part.strip())
    text = text.replace("\u00ad", "")
    style = styles.get(_value(element, "pPr", "pStyle"), _Style())
    heading = style.name.lower().startswith(("heading", "überschrift")) or (
        len(text) <= 200 and known_heading(text) is not None
    )
    title = style.name.lower() in ("title", "titel")
    return Line(unmarked(text) if heading else text, heading, title, _is_numbered(element, style))


def _paragraphs(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag in _UNREAD:
            continue
        if child.tag == f"{_W}p":
            yield child
        yield from _paragraphs(child)


def _text(parent: Element) -> Iterator[str]:
    """The text of a paragraph, without that of paragraphs inside it (text boxes), which come by themselves."""
    for child in parent:
        if child.tag in (f"{_W}t", _MATH):
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag not in _UNREAD and child.tag != f"{_W}p" and not _is_hidden(child):
            yield from _text(child)


def _is_hidden(run: Element) -> bool:
    hidden = run.find(f"{_W}rPr/{_W}vanish") if run.tag == f"{_W}r" else None
    return hidden is not None and hidden.get(f"{_W}val", "1") not in ("0", "false")


def _end_is_deleted(paragraph: Element) -> bool:
    return paragraph.find(f"{_W}pPr/{_W}rPr/{_W}del") is not None


def _is_numbered(paragraph: Element, style: _Style) -> bool:
    """Whether Word counts the paragraph on the first level: its number is then nowhere in the text."""
    own = _numbering(paragraph)
    return bool(style.numbered) if own is None else own


def _numbering(parent: Element) -> bool | None:
    properties = parent.find(f"{_W}pPr/{_W}numPr")
    if properties is None:
        return None
    level, number = properties.find(f"{_W}ilvl"), properties.find(f"{_W}numId")
    if number is not None and number.get(f"{_W}val") == "0":
        return False
    return level is None or level.get(f"{_W}val") == "0"


def _styles(archive: zipfile.ZipFile, name: str) -> dict[str, _Style]:
    if "word/styles.xml" not in archive.namelist():
        return {}
    root = parsed(_transitional(member(archive, "word/styles.xml", name)))
    own = {style.get(f"{_W}styleId", ""): style for style in root.iter(f"{_W}style")}
    return {key: _Style(_value(style, "name"), _inherited(style, own)) for key, style in own.items()}


def _inherited(style: Element, styles: dict[str, Element]) -> bool | None:
    for _ in range(12):  # styles that are based on each other in a circle end here
        numbered = _numbering(style)
        parent = styles.get(_value(style, "basedOn"))
        if numbered is not None or parent is None:
            return numbered
        style = parent
    return None


def _value(parent: Element, *path: str) -> str:
    found = parent.find("/".join(f"{_W}{step}" for step in path))
    return found.get(f"{_W}val", "") if found is not None else ""
