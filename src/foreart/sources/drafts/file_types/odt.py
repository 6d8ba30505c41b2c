"""The paragraphs of an OpenDocument text, with accepted changes and without comments and notes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.file_types.packed import Element, member, parsed
from foreart.sources.drafts.file_types.word import MALFORMED

CONTENT = "content.xml"
_T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_S = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
# Deleted text is kept in `tracked-changes`; comments, notes and counted pages stand inside paragraphs.
_UNREAD = {
    f"{_T}tracked-changes", f"{_OFFICE}annotation", f"{_OFFICE}annotation-end", f"{_T}note", f"{_T}page-number",
    f"{_T}page-count", f"{_T}hidden-text", f"{_T}ruby-text", f"{_T}table-of-content", f"{_T}sequence-decls",
}  # fmt: skip


def odt_lines(data: bytes, name: str) -> list[Line]:
    """The paragraphs in the order of the file; a line break inside a paragraph stays one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if b"encryption-data" in _manifest(archive, name):
                raise BadFile(f"{name} is protected by a password: save it without one")
            content = parsed(member(archive, CONTENT, name))
            roots = [content]
            if "styles.xml" in archive.namelist():
                roots.append(parsed(member(archive, "styles.xml", name)))
        body = content.find(f"{_OFFICE}body/{_OFFICE}text")
        found = list(_lines(body, _styles(roots), _numbering_styles(roots), ""))
    except MALFORMED:
        raise BadFile(f"{name} is not an OpenDocument text that can be read: save it anew") from None
    return [line for line in found if line.text]


def _manifest(archive: zipfile.ZipFile, name: str) -> bytes:
    part = "META-INF/manifest.xml"
    return member(archive, part, name) if part in archive.namelist() else b""


def _lines(parent: Element, styles: dict[str, str], counting: set[str], listed: str) -> Iterator[Line]:
    """Paragraphs and headings; `listed` is the list style they stand in, `-` below its first level."""
    for child in parent:
        if child.tag in _UNREAD or not isinstance(child.tag, str):
            continue
        if child.tag in (f"{_T}p", f"{_T}h"):
            yield _line(child, styles, first=listed in counting and _is_first(child))
            yield from _inner(child, styles, counting)
        elif child.tag == f"{_T}list":
            yield from _lines(child, styles, counting, "-" if listed else child.get(f"{_T}style-name", ""))
        else:
            yield from _lines(child, styles, counting, listed)


def _inner(paragraph: Element, styles: dict[str, str], counting: set[str]) -> Iterator[Line]:
    """Text boxes that hang on a paragraph."""
    for frame in paragraph:
        if isinstance(frame.tag, str) and frame.tag.endswith("}frame"):
            yield from _lines(frame, styles, counting, "")


def _is_first(paragraph: Element) -> bool:
    """Only the first paragraph of a list item carries its number."""
    before = paragraph.getprevious()
    return before is None or before.tag not in (f"{_T}p", f"{_T}h")


def _line(element: Element, styles: dict[str, str], *, first: bool) -> Line:
    whole = "".join(_text(element)).replace("\u00ad", "")
    text = "\n".join(" ".join(part.split()) for part in whole.split("\v") if part.strip())
    style = styles.get(element.get(f"{_T}style-name", ""), "")
    heading = element.tag == f"{_T}h" or (len(text) <= 200 and known_heading(text) is not None)
    return Line(unmarked(text) if heading else text, heading, style == "Title", first)


def _text(parent: Element) -> Iterator[str]:
    yield parent.text or ""
    for child in parent:
        if isinstance(child.tag, str) and child.tag not in _UNREAD:
            if child.tag == f"{_T}s":
                yield " " * int(child.get(f"{_T}c", "1"))
            elif child.tag in (f"{_T}tab", f"{_T}line-break"):
                yield " " if child.tag == f"{_T}tab" else "\v"
            elif not child.tag.endswith("}frame"):
                yield from _text(child)
        yield child.tail or ""


def _styles(roots: Sequence[Element]) -> dict[str, str]:
    """The named style behind each style: automatic ones stand for the named one they come from."""
    parents = {
        style.get(f"{_S}name", ""): style.get(f"{_S}parent-style-name", "")
        for root in roots
        for style in root.iter(f"{_S}style")
    }
    return {own: parent if own.startswith("P") and parent else own for own, parent in parents.items()}


def _numbering_styles(roots: Sequence[Element]) -> set[str]:
    """The list styles whose first level counts."""
    return {
        style.get(f"{_S}name", "")
        for root in roots
        for style in root.iter(f"{_T}list-style")
        if any(
            level.get(f"{_T}level") == "1" and level.get(f"{_S}num-format")
            for level in style.iter(f"{_T}list-level-style-number")
        )
    }
