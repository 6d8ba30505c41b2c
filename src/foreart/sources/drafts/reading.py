"""A file of an attorney becomes a draft: Word, PDF, plain text or Markdown, known by its first bytes."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from foreart.draft import Draft
from foreart.errors import BadFile, UnknownFormat
from foreart.sources.drafts.lines import Line, joined
from foreart.sources.drafts.parts import draft_of

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_REFUSED = (
    (b"\xd0\xcf\x11\xe0", "an old Word file (.doc)"),
    (b"{\\rtf", "a rich-text file (RTF)"),
)


def read_draft(path: str | Path) -> Draft:
    """The draft in a file; `-` is standard input. Errors name the file and never quote it."""
    name = "standard input" if str(path) == "-" else Path(path).name
    data = _bytes(path)
    if not data.strip():
        raise BadFile(f"{name} is empty")
    lines, notes = _lines(data, name)
    draft = draft_of(lines, source=name, notes=notes)
    if not (draft.title or draft.abstract or draft.description or draft.claims):
        raise BadFile(f"{name} holds no text")
    return draft


def _bytes(path: str | Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}") from None


def _lines(data: bytes, name: str) -> tuple[list[Line], tuple[str, ...]]:
    """The libraries for Word and PDF are large; processes that only load patents never open them."""
    for start, what in _REFUSED:
        if data.startswith(start):
            raise UnknownFormat(f"{name} is {what}: save it as DOCX or PDF")
    if b"%PDF-" in data[:1024]:
        from foreart.sources.drafts.pdf import pdf_lines

        return pdf_lines(data, name)
    if data.startswith(b"PK\x03\x04"):
        from foreart.sources.drafts.word import docx_lines

        return docx_lines(data, name), ()
    return joined(_decoded(data, name).splitlines()), ()


def _decoded(data: bytes, name: str) -> str:
    encoding = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise UnknownFormat(f"{name} is no draft that can be read: give DOCX, PDF, plain text or Markdown")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
