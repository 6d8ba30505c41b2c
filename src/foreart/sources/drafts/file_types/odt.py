"""The paragraphs of an OpenDocument text, with accepted changes and without comments and notes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.file_types.packed import MAX_PARAGRAPHS, Element, member, parsed, walk

CONTENT = "content.xml"
_T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_S = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
# Deleted text is kept in `tracked-changes`; comments, notes and page numbers are inside paragraphs.
_UNREAD = {
    f"{_T}tracked-changes", f"{_OFFICE}annotation", f"{_OFFICE}annotation-end", f"{_T}note", f"{_T}page-number",
    f"{_T}page-count", f"{_T}hidden-text", f"{_T}ruby-text", f"{_T}table-of-content", f"{_T}sequence-decls",
}  # fmt: skip
_PARAGRAPHS = (f"{_T}p", f"{_T}h")
# `text:s` is any number of spaces, which count as one.
_SIGNS = {f"{_T}s": " ", f"{_T}tab": " ", f"{_T}line-break": "\v"}


def odt_lines(archive: zipfile.ZipFile, name: str) -> list[Line]:
    """The paragraphs in the order of the file; a line break inside a paragraph stays one."""
    if b"encryption-data" in _manifest(archive, name):
        raise BadFile(f"{name} is protected by a password: save it without one")
    content = parsed(member(archive, CONTENT, name), name)
    roots = [content]
    if "styles.xml" in archive.namelist():
        roots.append(parsed(member(archive, "styles.xml", name), name))
    styles, counting = _styles(roots), _numbering_styles(roots)
    body = content.find(f"{_OFFICE}body/{_OFFICE}text")
    if sum(1 for _ in body.iter(*_PARAGRAPHS)) > MAX_PARAGRAPHS:
        raise BadFile(f"{name} has more than {MAX_PARAGRAPHS:,} paragraphs: give the draft alone")
    lines = (
        _line(paragraph, styles, first=list_style in counting and _is_first(paragraph))
        for paragraph, list_style in _paragraphs(body)
    )
    return [line for line in lines if line.text]


def _manifest(archive: zipfile.ZipFile, name: str) -> bytes:
    part = "META-INF/manifest.xml"
    return member(archive, part, name) if part in archive.namelist() else b""


def _paragraphs(body: Element) -> Iterator[tuple[Element, str]]:
    """Paragraphs and headings, each with its list style: `""` outside of lists, `-` in a list within a list.

    The text boxes of a paragraph follow it.
    """
    lists = [""]
    for element, leaving in walk(body, _has_paragraphs):
        if element.tag == f"{_T}list" or _is_frame(element):
            if leaving:
                lists.pop()
            else:
                within = "-" if lists[-1] else element.get(f"{_T}style-name", "")
                lists.append("" if _is_frame(element) else within)
        elif element.tag in _PARAGRAPHS and not leaving:
            yield element, lists[-1]


def _has_paragraphs(element: Element) -> bool:
    """Inside a paragraph only text boxes contain others."""
    inside = element.getparent().tag in _PARAGRAPHS
    return isinstance(element.tag, str) and element.tag not in _UNREAD and (not inside or _is_frame(element))


def _is_frame(element: Element) -> bool:
    return str(element.tag).endswith("}frame")


def _is_first(paragraph: Element) -> bool:
    """Only the first paragraph of a list item has its number."""
    before = paragraph.getprevious()
    return before is None or before.tag not in _PARAGRAPHS


def _line(element: Element, styles: dict[str, str], *, first: bool) -> Line:
    whole = "".join(_text(element)).replace("\u00ad", "")
    text = "\n".join(" ".join(part.split()) for part in whole.split("\v") if part.strip())
    style = styles.get(element.get(f"{_T}style-name", ""), "")
    heading = element.tag == f"{_T}h" or (len(text) <= 200 and known_heading(text) is not None)
    return Line(unmarked(text) if heading else text, heading, style == "Title", first)


def _text(paragraph: Element) -> Iterator[str]:
    yield paragraph.text or ""
    for element, leaving in walk(paragraph, _is_read):
        if leaving:
            yield element.tail or ""
        elif _is_read(element):
            yield element.text or ""
        elif element.tag in _SIGNS:
            yield _SIGNS[element.tag]


def _is_read(element: Element) -> bool:
    tag = element.tag
    return isinstance(tag, str) and tag not in _UNREAD and tag not in _SIGNS and not _is_frame(element)


def _styles(roots: Sequence[Element]) -> dict[str, str]:
    """The named style of each style: automatic ones are derived from a named one."""
    parents = {
        style.get(f"{_S}name", ""): style.get(f"{_S}parent-style-name", "")
        for root in roots
        for style in root.iter(f"{_S}style")
    }
    return {own: parent if own.startswith("P") and parent else own for own, parent in parents.items()}


def _numbering_styles(roots: Sequence[Element]) -> set[str]:
    """The list styles whose first level is numbered."""
    return {
        style.get(f"{_S}name", "")
        for root in roots
        for style in root.iter(f"{_T}list-style")
        if any(
            level.get(f"{_T}level") == "1" and level.get(f"{_S}num-format")
            for level in style.iter(f"{_T}list-level-style-number")
        )
    }
