"""Finds the parts of a description that say what its drawings show, or refer to them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

_FIG = r"(?:FIGS?|Figs?|FIGURES?|Figures?|Figuren|Figur|Abb(?:ildung(?:en)?)?)\.?\s*"
_LABEL = r"\d{1,3}(?:\s?\([A-Za-z]\)|[A-Za-z]{1,2}(?![a-zA-Z])|\s?[B-H](?![A-Za-z])|['′]+)?"
_BETWEEN = rf"\s*+(?:,|-|–|and|or|to|through|und|bis|&)++\s*+(?:and\s+|und\s+)?(?:{_FIG})?"
_LABELS = rf"(?:{_LABEL}{_BETWEEN}(?=\d))*+{_LABEL}"
_MENTION = re.compile(rf"\b{_FIG}({_LABELS})")
_SHOWS = (
    r"(?:is|are|shows?|depicts?|illustrates?|represents?|provides?|presents?|displays?|discloses?|describes?"
    r"|exemplif\w+|schematically"
    r"|diagrammatically|zeigt|zeigen|ist|sind|stellt|stellen|veranschaulicht|illustriert)"
)
# A list of figures, and the verb after it if there is one. The list is consumed either way, so that it is read once
# and not again from each of its figures.
_STATEMENT = re.compile(
    rf"{_FIG}(?:{_LABELS}\s*+(?:\([^)]{{0,400}}\)\s*+)?,?\s*+(?:\w+ly\s+|also\s+|each\s+"
    rf"|respectively,?\s+)?(?P<verb>{_SHOWS})\b|{_LABELS})"
)
_LEAD_IN = ("in", "the")
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
    """A span about figures: a `statement` says what one shows, a `pointer` refers to it ("as shown in FIG. 1")."""

    labels: str
    start: int
    end: int
    kind: Literal["statement", "pointer"]


def figures(text: str) -> tuple[Figure, ...]:
    """Sentences that say what a figure shows and phrases that refer to one, in order, not nested."""
    found = list(_statements(text))
    starts = [item.start for item in found]
    ends = list(accumulate((item.end for item in found), max))
    for match in _POINTER.finditer(text):
        before = bisect_right(starts, match.start())
        if not before or ends[before - 1] <= match.start():
            found.append(Figure(_labels(match[0]), *match.span(), "pointer"))
    return tuple(sorted(found, key=lambda item: item.start))


def _statements(text: str) -> Iterator[Figure]:
    end = 0
    for match in _STATEMENT.finditer(text):
        start = _sentence_start(text, match.start())
        if match["verb"] is None or start is None:
            continue
        if end < match.end():
            stop = _SENTENCE_END.search(text, match.end())
            end = stop.end() if stop else len(text)
        yield Figure(_labels(text[start : match.end()]), start, end, "statement")


def _sentence_start(text: str, start: int) -> int | None:
    """Start of the sentence that opens with the figure at `start`, "in the" allowed before it; else None."""
    while True:
        before = _without_spaces(text, start)
        lead = next((word for word in _LEAD_IN if before < start and text.endswith(word, 0, before)), "")
        if not lead:
            break
        start = before - len(lead)
    end = start
    while end and text[end - 1] in " \t":
        end -= 1
    return start if not end or text[end - 1] in ".\n;:" else None


def _without_spaces(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text without some spans."""
    kept, position = [], 0
    for start, end in sorted(spans):
        if start >= position:
            kept.append(text[position:start])
        position = max(position, end)
    return "".join((*kept, text[position:]))


def _labels(text: str) -> str:
    found = _MENTION.search(text)
    return " ".join(found[1].split()) if found else ""
