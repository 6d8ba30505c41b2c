"""Divides a description into sections: by its headings, else by the content of its paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foreart.document.headings import Heading, SectionName, known_heading
from foreart.document.patent import Paragraph

_FIGURE = re.compile(
    r"\s*(?:in\s+)?(?:the\s+)?(?:FIGS?|Figs?|Figures?|Figur|Figuren|Abb|Abbildung)\.?\s*\d+\w{0,2}\b.{0,60}?\b"
    r"(?:is|are|shows?|depicts?|illustrates?|represents?|zeigt|zeigen|ist|sind|stellt)\b",
    re.DOTALL,
)
_FIELD = re.compile(
    r".{0,80}\b(?:invention|disclosure|application|erfindung|offenbarung)\b.{0,60}\b(?:relates?|betrifft|bezieht\s+sich"
    r"|concerns?|pertains?|directed)\b",
    re.IGNORECASE | re.DOTALL,
)
# These precede the detailed description and are not opened again inside it: "Summary" among examples.
_EARLY: tuple[SectionName, ...] = ("related", "field", "background", "summary", "drawings")
_WEIGHTY = re.compile(
    r"\b(?:invention|disclosure|drawings?|figures|erfindung|offenbarung|zeichnung(?:en)?|applications?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A run of paragraphs, from `start` up to `end` of the description, including its heading if it has one."""

    name: SectionName
    heading: str
    start: int
    end: int


def sections_of(description: Sequence[Paragraph]) -> tuple[Section, ...]:
    """The sections of a description in order; every paragraph is in one."""
    borders = _by_headings(description)
    if not any(name in ("drawings", "detailed") for _, name, _ in borders):
        borders = _by_figures(description, borders)
    if borders and all(name == "description" for _, name, _ in borders):
        borders = _by_field(description, borders)
    return sections_from(borders, len(description))


def sections_from(borders: Sequence[tuple[int, SectionName, str]], end: int) -> tuple[Section, ...]:
    """Sections from their borders: first paragraph, name, heading."""
    ends = [*(start for start, _, _ in borders[1:]), end][: len(borders)]
    return tuple(
        Section(name, heading, start, stop)
        for (start, name, heading), stop in zip(borders, ends, strict=True)
        if stop > start
    )


def _by_headings(description: Sequence[Paragraph]) -> list[tuple[int, SectionName, str]]:
    borders: list[tuple[int, SectionName, str]] = []
    opened: set[SectionName] = set()
    for position, paragraph in enumerate(description):
        known = known_heading(paragraph.text) if paragraph.is_heading else None
        section = _opened(known, opened, borders[-1][1] if borders else "") if known else None
        if section:
            borders.append((position, section, paragraph.text))
            opened.add(section)
        elif not borders:
            borders.append((position, "description", ""))
            opened.add("description")
    return borders


def _opened(known: Heading, opened: set[SectionName], last: str) -> SectionName | None:
    """The section that a known heading opens, given those before it; None if it is a subheading."""
    section = known.section
    if section in ("title", "claims", "abstract") or section == last == "detailed":
        return None
    if "detailed" in opened and section in _EARLY:
        return section if section not in opened and (known.text.isupper() or _WEIGHTY.search(known.text)) else None
    if section == "description" and "detailed" in opened:
        return None
    if section == "description" and ("drawings" in opened or "summary" in opened):
        return "detailed"
    return section


def _by_figures(
    description: Sequence[Paragraph], borders: list[tuple[int, SectionName, str]]
) -> list[tuple[int, SectionName, str]]:
    """Two or more consecutive paragraphs that say what a figure shows are the list of drawings; details follow."""
    shows_figure = [bool(_FIGURE.match(paragraph.text)) for paragraph in description]
    total = len(shows_figure)
    for first in range(total - 1):
        if shows_figure[first] and shows_figure[first + 1]:
            last = next((position for position in range(first, total) if not shows_figure[position]), total)
            before = [border for border in borders if border[0] < first]
            after = [border for border in borders if border[0] > last]
            return [*before, (first, "drawings", ""), (last, "detailed", ""), *after]
    return borders


def _by_field(
    description: Sequence[Paragraph], borders: list[tuple[int, SectionName, str]]
) -> list[tuple[int, SectionName, str]]:
    """The first paragraph of a text without headings is the field, if it says what the invention relates to."""
    bodies = [position for position, paragraph in enumerate(description) if not paragraph.is_heading]
    if len(bodies) < 3 or not _FIELD.match(description[bodies[0]].text[:400]):
        return borders
    return [(0, "field", ""), (bodies[1], "description", ""), *(b for b in borders if b[0] > bodies[1])]
