"""A file of an attorney becomes a draft: Word, PDF, OpenDocument, RTF, HTML, text, or a published document."""

from __future__ import annotations

import codecs
import io
import re
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

from foreart.document.draft import Draft
from foreart.errors import BadFile, UnknownFormat
from foreart.sources.drafts.correcting import borders_in, corrected
from foreart.sources.drafts.file_types.lines import Line, joined
from foreart.sources.drafts.file_types.printed_lines import rows_of, text_of_pages
from foreart.sources.drafts.parts import draft_of
from foreart.sources.drafts.sidecar import Correction, beside, read_sidecar

Lines = tuple[list[Line], tuple[str, ...]]

KNOWN = "DOCX, PDF, ODT, RTF, HTML, Markdown, plain text, or the XML of the USPTO or EPO"
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_OLD_WORD = b"\xd0\xcf\x11\xe0"
_HTML = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|h[1-6]|p|div)\b", re.IGNORECASE | re.DOTALL
)
# Markdown has comments of HTML, and CriticMarkup for changes and remarks.
_REMARKS = (
    (re.compile(r"<!--.*?-->|\{--.*?--\}|\{>>.*?<<\}", re.DOTALL), ""),
    (re.compile(r"\{\+\+(.*?)\+\+\}|\{==(.*?)==\}", re.DOTALL), r"\1\2"),
    (re.compile(r"\{~~.*?~>(.*?)~~\}", re.DOTALL), r"\1"),
    (re.compile(r"^(\s*\d+)\\([.)])", re.MULTILINE), r"\1\2"),
)  # fmt: skip


def read_draft(path: str | Path, *, sidecar: str | Path | None = None) -> Draft:
    """The draft in a file; `-` is standard input. Errors name the file and never quote it.

    Corrections are taken from `sidecar`, else from `FILE.foreart.yaml` or `FILE.foreart.json` beside the file.
    """
    name = "standard input" if str(path) == "-" else Path(path).name
    data = _bytes(path)
    if not data.strip():
        raise BadFile(f"{name} is empty")
    found = sidecar if sidecar is not None or str(path) == "-" else beside(Path(path))
    correction = read_sidecar(found) if found is not None else None
    draft = _published(data, name, correction) or _written(data, name, correction)
    if not (draft.title or draft.abstract or draft.description or draft.claims):
        raise BadFile(f"{name} holds no text")
    return replace(draft, path="" if str(path) == "-" else str(Path(path).resolve()))


def _bytes(path: str | Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}") from None


def _published(data: bytes, name: str, correction: Correction | None) -> Draft | None:
    """Documents in formats of offices begin with a tag, a brace, or the mark of the old tapes of the USPTO."""
    start = data[:64].removeprefix(codecs.BOM_UTF8).replace(b"\0", b"").lstrip()
    if not start.startswith((b"<", b"{", b"PATN", b"\xff\xfe<", b"\xfe\xff<")) or start.startswith(b"{\\rtf"):
        return None
    from foreart.sources.drafts.published_document import published_draft

    draft = published_draft(data, name)
    if draft is None:
        return None
    draft = replace(draft, source=name)
    return corrected(draft, correction, sections_done=False) if correction else draft


def _written(data: bytes, name: str, correction: Correction | None) -> Draft:
    lines, notes = _lines(data, name)
    borders = None
    if correction and correction.sections is not None:
        borders = borders_in([line.text for line in lines], correction)
    draft = draft_of(lines, source=name, notes=notes, borders=borders)
    return corrected(draft, correction) if correction else draft


def _lines(data: bytes, name: str) -> Lines:
    """The libraries for each format are opened when needed; processes that only load patents never open them."""
    if data.startswith(_OLD_WORD):
        raise UnknownFormat(f"{name} is an old Word file (.doc): save it as DOCX or PDF")
    if b"%PDF-" in data[:1024]:
        from foreart.sources.drafts.file_types.pdf import pdf_lines

        return pdf_lines(data, name)
    if data.startswith(b"PK\x03\x04"):
        return _packed(data, name), ()
    if data.lstrip().startswith(b"{\\rtf"):
        from foreart.sources.drafts.file_types.rtf import rtf_lines

        return rtf_lines(data), ()
    text = _decoded(data, name)
    if _HTML.match(text[:4096].encode("utf-8", "replace")):
        from foreart.sources.drafts.file_types.html_file import html_lines

        return html_lines(text, name), ()
    return plain_lines(text), ()


def _packed(data: bytes, name: str) -> list[Line]:
    from foreart.sources.drafts.file_types.odt import CONTENT, odt_lines
    from foreart.sources.drafts.file_types.word import DOCUMENT, MALFORMED, docx_lines

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = set(archive.namelist())
    except MALFORMED:
        raise BadFile(f"{name} is not a Word file that can be read: save it anew as DOCX") from None
    if DOCUMENT in members:
        return docx_lines(data, name)
    if CONTENT in members:
        return odt_lines(data, name)
    raise UnknownFormat(f"{name} is a zip file but no Word document: give {KNOWN}")


def plain_lines(text: str) -> list[Line]:
    """The paragraphs of a plain text or Markdown; form feeds part its pages."""
    for pattern, kept in _REMARKS:
        text = pattern.sub(kept, text)
    pages = [page.splitlines() for page in text.split("\f")]
    return joined(text_of_pages([rows_of(page, turned=number > 0) for number, page in enumerate(pages)]))


def _decoded(data: bytes, name: str) -> str:
    encoding = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise UnknownFormat(f"{name} is no draft that can be read: give {KNOWN}")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
