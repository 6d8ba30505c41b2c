"""Reads a draft from a file: Word, PDF, OpenDocument, RTF, HTML, text, or a published document."""

from __future__ import annotations

import codecs
import io
import re
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

from foreart.document.draft import Draft
from foreart.errors import BadFile, BadRecord, UnknownFormat
from foreart.sources.drafts.correcting import borders_in, corrected
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.parts import draft_of
from foreart.sources.drafts.sidecar import Correction, read_sidecar, sidecar_of

Lines = tuple[list[Line], tuple[str, ...]]

KNOWN = "DOCX, PDF, ODT, RTF, HTML, Markdown, plain text, or the XML of the USPTO or EPO"
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# The container of old Word files, and of new ones with a password, which have a stream of this name.
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_HTML = re.compile(
    rb"\s*+(?:<!--(?:[^-]|-(?!->))*+-->\s*+)*+<(?:!doctype\s+html|html|head|body|h[1-6]|p|div)\b", re.IGNORECASE
)
# Drafts with scanned drawings have some hundred megabytes; a device file has no end.
_LARGEST = 512 << 20


def read_draft(path: str | Path, *, sidecar: str | Path | None = None) -> Draft:
    """The draft in a file; `-` is standard input. Errors name the file and never quote it.

    Corrections are taken from `sidecar`, else from `FILE.foreart.yaml` or `FILE.foreart.json` next to the file.
    """
    name = "standard input" if str(path) == "-" else Path(path).name
    data = _bytes(path)
    found = sidecar if sidecar is not None or str(path) == "-" else sidecar_of(Path(path))
    correction = read_sidecar(found) if found is not None else None
    draft = draft_of_bytes(data, name, correction)
    return replace(draft, path="" if str(path) == "-" else str(Path(path).resolve()))


def draft_of_bytes(data: bytes, name: str, correction: Correction | None = None) -> Draft:
    """The draft in the bytes of a file; its type is recognised by the bytes, the name is only shown."""
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise BadFile(f"{name} is empty")
    try:
        draft = _published(data, name, correction) or _written(data, name, correction)
    except BadRecord as error:  # a limit; its text does not quote the draft
        raise BadFile(f"{name} has {error}") from None
    if not (draft.title or draft.abstract or draft.description or draft.claims):
        raise BadFile(f"{name} has no text")
    return draft


def draft_of_text(text: str, name: str) -> Draft:
    """The draft in a text that is one, whatever it looks like: nothing in it is read as a file of another type."""
    from foreart.sources.drafts.file_types.plain_text import plain_lines

    draft = draft_of(plain_lines(text), source=name)
    if not (draft.title or draft.abstract or draft.description or draft.claims):
        raise BadFile(f"{name} has no text")
    return draft


def _bytes(path: str | Path) -> bytes:
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(_LARGEST + 1)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}") from None
    if len(data) > _LARGEST:
        raise BadFile(f"{path} has more than {_LARGEST >> 20} MB: remove its drawings")
    return data


def _published(data: bytes, name: str, correction: Correction | None) -> Draft | None:
    """Files of patent offices begin with a tag, a brace, or the mark of the USPTO's old tapes."""
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
    """The library for each file type is imported when needed; processes that only load patents never import it."""
    if data.startswith(_COMPOUND_FILE):
        if _ENCRYPTED in data:
            raise BadFile(f"{name} is protected by a password: save it without one")
        raise UnknownFormat(f"{name} is an old Word file (.doc): save it as DOCX or PDF")
    if b"%PDF-" in data[:1024]:
        from foreart.sources.drafts.file_types.pdf import pdf_lines

        return pdf_lines(data, name)
    if data.startswith(b"PK\x03\x04"):
        return _packed(data, name), ()
    if data.lstrip().startswith(b"{\\rtf"):
        from foreart.sources.drafts.file_types.rtf import rtf_lines

        return rtf_lines(data, name), ()
    text = _decoded(data, name)
    if _HTML.match(text[:4096].encode("utf-8", "replace")):
        from foreart.sources.drafts.file_types.html_file import html_lines

        return html_lines(text, name), ()
    from foreart.sources.drafts.file_types.plain_text import plain_lines

    return plain_lines(text), ()


def _packed(data: bytes, name: str) -> list[Line]:
    from foreart.sources.drafts.file_types.odt import CONTENT, odt_lines
    from foreart.sources.drafts.file_types.packed import MALFORMED
    from foreart.sources.drafts.file_types.word import docx_lines, main_part

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            main = main_part(archive, name)
            if main:
                return docx_lines(archive, main, name)
            if CONTENT in archive.namelist():
                return odt_lines(archive, name)
    except MALFORMED:
        raise BadFile(f"{name} is not a readable Word file or OpenDocument text: save it again") from None
    raise UnknownFormat(f"{name} is a zip file but not a Word document: use {KNOWN}")


def _decoded(data: bytes, name: str) -> str:
    encoding = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise UnknownFormat(f"{name} is not a readable draft: use {KNOWN}")
    try:
        return data.decode(encoding, "replace" if encoding == "utf-16" else "strict")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
