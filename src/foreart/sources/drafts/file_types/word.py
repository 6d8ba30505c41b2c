"""The paragraphs of a Word file, with accepted changes, tables and Word's own numbering."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.file_types.packed import MAX_PARAGRAPHS, Element, member, parsed, walk

_DOCUMENT = "word/document.xml"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
# Deleted and moved text, and Word's fallback for programs that cannot show a drawing.
_UNREAD = {f"{W}del", f"{W}moveFrom", _FALLBACK, f"{W}pPr", f"{W}rPr", f"{W}delText", f"{W}instrText"}
_SIGNS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph inherits from its style."""

    name: str = ""
    numbered: bool | None = None


def main_part(archive: zipfile.ZipFile, name: str) -> str:
    """The part with the document, as named by the relationships of the package; `""` if there is none."""
    named = _related(archive, "", "officeDocument", name)
    parts = [part for part in (named, _DOCUMENT) if part in archive.namelist()]
    return next((part for part in parts if b"wordprocessingml" in member(archive, part, name)[:4096]), "")


def docx_lines(archive: zipfile.ZipFile, main: str, name: str) -> list[Line]:
    """The paragraphs in the order of the file; a line break inside a paragraph stays one."""
    body, styles = document_of(archive, main, name)
    return [line for line in _lines(_paragraphs(body, name), styles) if line.text]


def document_of(archive: zipfile.ZipFile, main: str, name: str) -> tuple[Element, dict[str, Style]]:
    """The root of the document, and its styles by their id."""
    return parsed(_transitional(member(archive, main, name)), name), _styles(archive, main, name)


def _related(archive: zipfile.ZipFile, part: str, kind: str, name: str) -> str:
    """The part of a kind that a part (`""`: the package) refers to; `""` if none does."""
    folder, file = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{file}.rels")
    if relations not in archive.namelist():
        return ""
    for relation in parsed(member(archive, relations, name), name):
        if str(relation.get("Type", "")).endswith(f"/{kind}"):
            return posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
    return ""


def _transitional(data: bytes) -> bytes:
    """`Strict` files use other namespaces for the same names."""
    return data.replace(_STRICT, W[1:-1].encode()) if _STRICT in data[:4096] else data


def _lines(paragraphs: Iterator[Element], styles: dict[str, Style]) -> Iterator[Line]:
    """A paragraph whose end mark was deleted continues in the next one."""
    first: Line | None = None
    texts: list[str] = []
    for element in paragraphs:
        line = _line(element, styles)
        first = first or line
        texts.append(line.text)
        if not _end_is_deleted(element):
            yield replace(first, text=" ".join(texts).strip()) if len(texts) > 1 else first
            first, texts = None, []
    if first is not None:
        yield replace(first, text=" ".join(texts).strip())


def _line(element: Element, styles: dict[str, Style]) -> Line:
    lines = paragraph_text(element).replace("\u00ad", "").splitlines()
    text = "\n".join(" ".join(part.split()) for part in lines if part.strip())
    style = style_of(element, styles)
    heading = style.name.lower().startswith(("heading", "überschrift")) or (
        len(text) <= 200 and known_heading(text) is not None
    )
    title = style.name.lower() in ("title", "titel")
    return Line(unmarked(text) if heading else text, heading, title, _is_numbered(element, style))


def _paragraphs(body: Element, name: str) -> Iterator[Element]:
    if sum(1 for _ in body.iter(f"{W}p")) > MAX_PARAGRAPHS:
        raise BadFile(f"{name} has more than {MAX_PARAGRAPHS:,} paragraphs: give the draft alone")
    for element, leaving in walk(body, lambda element: element.tag not in _UNREAD):
        if element.tag == f"{W}p" and not leaving:
            yield element


def paragraph_text(paragraph: Element) -> str:
    """The text of a paragraph, without that of paragraphs inside it (text boxes), which are paragraphs themselves."""
    parts: list[str] = []
    for element, leaving in walk(paragraph, _is_read):
        if leaving:
            continue
        if element.tag in (f"{W}t", _MATH):
            parts.append(element.text or "")
        elif element.tag in _SIGNS:
            parts.append(_SIGNS[element.tag])
    return "".join(parts)


def style_of(paragraph: Element, styles: dict[str, Style]) -> Style:
    """The style of a paragraph."""
    return styles.get(_value(paragraph, "pPr", "pStyle"), Style())


def _is_read(element: Element) -> bool:
    return element.tag not in _UNREAD and element.tag != f"{W}p" and not _is_hidden(element)


def _is_hidden(run: Element) -> bool:
    hidden = run.find(f"{W}rPr/{W}vanish") if run.tag == f"{W}r" else None
    return hidden is not None and hidden.get(f"{W}val", "1") not in ("0", "false")


def _end_is_deleted(paragraph: Element) -> bool:
    return paragraph.find(f"{W}pPr/{W}rPr/{W}del") is not None


def _is_numbered(paragraph: Element, style: Style) -> bool:
    """Whether Word numbers the paragraph on the first level: the number is then not in the text."""
    own = _numbering(paragraph)
    return bool(style.numbered) if own is None else own


def _numbering(parent: Element) -> bool | None:
    properties = parent.find(f"{W}pPr/{W}numPr")
    if properties is None:
        return None
    level, number = properties.find(f"{W}ilvl"), properties.find(f"{W}numId")
    if number is not None and number.get(f"{W}val") == "0":
        return False
    return level is None or level.get(f"{W}val") == "0"


def _styles(archive: zipfile.ZipFile, main: str, name: str) -> dict[str, Style]:
    part = _related(archive, main, "styles", name) or posixpath.join(posixpath.dirname(main), "styles.xml")
    if part not in archive.namelist():
        return {}
    root = parsed(_transitional(member(archive, part, name)), name)
    own = {style.get(f"{W}styleId", ""): style for style in root.iter(f"{W}style")}
    return {key: Style(_value(style, "name"), _inherited(style, own)) for key, style in own.items()}


def _inherited(style: Element, styles: dict[str, Element]) -> bool | None:
    for _ in range(12):  # styles may be based on each other in a circle
        numbered = _numbering(style)
        parent = styles.get(_value(style, "basedOn"))
        if numbered is not None or parent is None:
            return numbered
        style = parent
    return None


def _value(parent: Element, *path: str) -> str:
    found = parent.find("/".join(f"{W}{step}" for step in path))
    return found.get(f"{W}val", "") if found is not None else ""
