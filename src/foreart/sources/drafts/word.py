"""The paragraphs of a Word file, with accepted changes, tables and Word's own numbering."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from docx import Document
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph
from lxml import etree

from foreart.errors import BadFile, UnknownFormat
from foreart.sources.drafts.headings import known_heading, unmarked
from foreart.sources.drafts.lines import Line

_LARGEST = 256 << 20
_MALFORMED = (
    zipfile.BadZipFile, zlib.error, etree.LxmlError, OSError, EOFError, ValueError, LookupError, TypeError,
    AttributeError, NotImplementedError, RecursionError,
)  # fmt: skip
_WORD_PART = "word/document.xml"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
# What was struck out or moved away, and what Word keeps for programs that are older than a drawing.
_UNREAD = {qn("w:del"), qn("w:moveFrom"), _FALLBACK}
_SIGNS = {qn("w:tab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}


def docx_lines(data: bytes, name: str) -> list[Line]:
    """The paragraphs in the order of the file; a line break inside a paragraph stays one."""
    try:
        _check(data, name)
        document = Document(io.BytesIO(data))
        found = [_line(item, document) for item in _paragraphs(document.element.body)]
    except _MALFORMED:
        raise BadFile(f"{name} is not a Word file that can be read: save it anew as DOCX") from None
    return [line for line in found if line.text]


def _check(data: bytes, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if _WORD_PART not in {member.filename for member in members}:
            raise UnknownFormat(f"{name} is a zip file but no Word document: give DOCX, PDF, plain text or Markdown")
        if sum(member.file_size for member in members) > _LARGEST:
            raise BadFile(f"{name} unpacks to more than {_LARGEST >> 20} MB: remove its pictures")


def _line(element: Any, document: Any) -> Line:  # noqa: ANN401 python-docx carries no types
    text = "\n".join(" ".join(part.split()) for part in "".join(_text(element)).splitlines() if part.strip())
    paragraph = Paragraph(element, document)
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    heading = style.startswith("Heading") or known_heading(text) is not None
    return Line(unmarked(text) if heading else text, heading, style == "Title", _is_numbered(element, paragraph.style))


def _paragraphs(parent: Any) -> Iterator[Any]:  # noqa: ANN401
    for child in parent:
        if child.tag in _UNREAD:
            continue
        if child.tag == qn("w:p"):
            yield child
        yield from _paragraphs(child)


def _text(parent: Any) -> Iterator[str]:  # noqa: ANN401
    """The text of a paragraph, without that of paragraphs inside it (text boxes), which come by themselves."""
    for child in parent:
        if child.tag in (qn("w:t"), _MATH):
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag not in _UNREAD and child.tag != qn("w:p") and child.tag != qn("w:pPr"):
            yield from _text(child)


def _is_numbered(element: Any, style: Any) -> bool:  # noqa: ANN401
    """Whether Word counts the paragraph on the first level: its number is then nowhere in the text."""
    own = element.pPr.numPr if element.pPr is not None else None
    inherited = style.element.pPr.numPr if style is not None and style.element.pPr is not None else None
    numbering = own if own is not None else inherited
    if numbering is None or (numbering.numId is not None and numbering.numId.val == 0):
        return False
    return numbering.ilvl is None or numbering.ilvl.val == 0
