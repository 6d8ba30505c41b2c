"""The prose about figures: what of a description only says what its drawings show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_FIG = r"(?:FIGS?|Figs?|FIGURES?|Figures?|Figuren|Figur|Abb(?:ildung(?:en)?)?)\.?\s*"
_LABEL = r"\d{1,3}(?:\s?\([A-Za-z]\)|[A-Za-z]{1,2}(?![a-zA-Z])|\s?[B-H](?![A-Za-z])|['′]+)?"
_LABELS = rf"{_LABEL}(?:\s*(?:,|-|–|and|or|to|through|und|bis|&)+\s*(?:and\s+|und\s+)?(?:{_FIG})?{_LABEL})*"
_MENTION = re.compile(rf"\b{_FIG}({_LABELS})")
_SHOWS = (
    r"(?:is|are|shows?|depicts?|illustrates?|represents?|provides?|presents?|displays?|discloses?|describes?"
    r"|exemplif\w+|schematically"
    r"|diagrammatically|zeigt|zeigen|ist|sind|stellt|stellen|veranschaulicht|illustriert)"
)
_STATEMENT = re.compile(
    rf"(?:in\s+|the\s+)*{_FIG}{_LABELS}\s*(?:\([^)]*\)\s*)?,?\s*(?:\w+ly\s+|also\s+|each\s+"
    rf"|respectively,?\s+)?{_SHOWS}\b"
)
_POINTER = re.compile(
    r"(?:\(\s*(?:see\s+(?:also\s+)?|cf\.\s+|siehe\s+|vgl\.\s+|e\.g\.,?\s+)?" + _FIG + _LABELS + r"\s*\)"
    r"|\b(?:As\s+(?:best\s+|is\s+|also\s+)?(?:shown|seen|illustrated|depicted|indicated)\s+(?:\w+\s+)?in"
    r"|(?:Now\s+)?(?:Referring|Turning|Returning)\s+(?:now\s+|back\s+|again\s+|also\s+|next\s+|first\s+"
    r"|specifically\s+)*to|(?:With|In)\s+(?:further\s+|particular\s+)?reference\s+(?:now\s+)?to"
    r"|In|Wie\s+in|Bezugnehmend\s+auf|Unter\s+Bezugnahme\s+auf)\s+(?:the\s+)?"
    + _FIG
    + _LABELS
    + r"(?:\s+(?:gezeigt|dargestellt))?(?:\s+of\s+the\s+drawings)?\s*,?)",
)
_SENTENCE_END = re.compile(
    r"(?<!\bFIG)(?<!\bFig)(?<!\bFIGS)(?<!\bFigs)(?<!\bNo)(?<!\be\.g)(?<!\bi\.e)[.!?](?=\s+[A-ZÄÖÜ\[(]|\s*$)|\n"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece of prose about figures: a `statement` says what one shows, a `pointer` only sends the reader to it."""

    labels: str
    start: int
    end: int
    kind: Literal["statement", "pointer"]


def figures(text: str) -> tuple[Figure, ...]:
    """Sentences that say what a figure shows, and phrases that point to one, in their order, none inside another."""
    found: list[Figure] = []
    for match in _STATEMENT.finditer(text):
        if match.start() and text[: match.start()].rstrip(" \t")[-1:] not in ("", ".", "\n", ";", ":"):
            continue
        end = _SENTENCE_END.search(text, match.end())
        found.append(Figure(_labels(match[0]), match.start(), end.end() if end else len(text), "statement"))
    inside = [(item.start, item.end) for item in found]
    for match in _POINTER.finditer(text):
        if not any(start <= match.start() < end for start, end in inside):
            found.append(Figure(_labels(match[0]), *match.span(), "pointer"))
    return tuple(sorted(found, key=lambda item: item.start))


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text without some places of it."""
    kept, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            kept.append(text[place:start])
        place = max(place, end)
    return "".join((*kept, text[place:]))


def _labels(text: str) -> str:
    found = _MENTION.search(text)
    return " ".join(found[1].split()) if found else ""
