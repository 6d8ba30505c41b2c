"""Parses paragraphs from text: printed numbers, headings, and the heading of each paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foreart.document.patent import Paragraph

_PRINTED = re.compile(r"\s*[\[(\u3010]\s*((?:\d{4,5}|\d{1,3}))\s*[\])\u3011]\s*(?=\S)")
_BRACKETS = ("[", "(", "\u3010")
_HEADING_WORDS = re.compile(
    r"(?:technical\s+)?field|background|summary|brief\s+(?:description|summary)|detailed\s+description|description"
    r"|disclosure|prior\s+art|related\s+(?:art|applications?)|cross[- ]reference|statement|examples?\b|embodiments?"
    r"|industrial\s+applicability|drawings|figures|government|technisches\s+gebiet|stand\s+der\s+technik|beschreibung"
    r"|aufgabe|zusammenfassung|domaine|arri\u00e8re-plan|r\u00e9sum\u00e9|best\s+mode",
    re.IGNORECASE,
)


def under_headings(paragraphs: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    """Sets the heading of each paragraph and drops empty ones."""
    heading = ""
    placed: list[Paragraph] = []
    for paragraph in paragraphs:
        if not paragraph.text:
            continue
        if paragraph.is_heading:
            heading = paragraph.text
        if paragraph.heading != heading:
            paragraph = Paragraph(paragraph.text, paragraph.number, heading, paragraph.is_heading)
        placed.append(paragraph)
    return tuple(placed)


def numbered(text: str, *, number: str = "", is_heading: bool = False) -> Paragraph:
    """A paragraph; its printed number, `[0012]`, is removed from the text if there is one."""
    stripped = text.strip()
    printed = _PRINTED.match(stripped) if stripped[:1] in _BRACKETS else None
    # "(3) ..." may be a list item: paragraph numbers have square brackets, or at least four digits.
    if printed and (len(printed[1]) >= 4 or stripped[0] in "[\u3010"):
        return Paragraph(stripped[printed.end() :], number=printed[1])
    return Paragraph(stripped, number=number, is_heading=is_heading)


def looks_like_heading(line: str) -> bool:
    """Whether a line of plain text is a heading: short, no full stop, in capitals or with the usual words."""
    stripped = line.strip()
    if not 3 <= len(stripped) <= 120 or stripped[-1] in ".;,":
        return False
    letters = [char for char in stripped if char.isalpha()]
    if len(letters) < 4:
        return False
    if all(char.isupper() for char in letters):
        return True
    return len(stripped.split()) <= 8 and stripped[0].isupper() and _HEADING_WORDS.match(stripped) is not None


def plain_paragraphs(text: str) -> tuple[Paragraph, ...]:
    """Paragraphs of a plain text that has one paragraph per line."""
    lines = (line.strip() for line in text.splitlines())
    return under_headings(
        Paragraph(line, is_heading=True) if looks_like_heading(line) else numbered(line) for line in lines if line
    )
