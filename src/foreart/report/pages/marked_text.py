"""Text split into segments, some of them marked: words of the draft, and words of similar meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from foreart.report.pages.templating import verbatim
from foreart.report.wording.extract_marks import marks, word_marks
from foreart.search.charting import Match, Quote
from foreart.search.explaining import Extract

MarkKind = Literal["", "shared", "alone", "bridge"]


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A segment of text and how it is marked.

    A `shared` word counts in full, one `alone`, away from its neighbours in the element, counts half, a `bridge` is
    another word of similar meaning.
    """

    text: str
    kind: MarkKind = ""
    tooltip: str = ""


def word_segments(text: str, words: Collection[str]) -> tuple[TextSegment, ...]:
    """A text with each of the words marked."""
    return _segments(text, ((start, end, "shared", "") for start, end in word_marks(text, words)))


def extract_segments(item: Extract) -> tuple[TextSegment, ...]:
    """A passage with shared words and bridges marked."""
    return _segments(
        item.text,
        (
            (start, end, "bridge", f"may mean: {term}") if term else (start, end, "shared", "")
            for start, end, term in marks(item.text, item)
        ),
    )


def quote_segments(quote: Quote) -> tuple[TextSegment, ...]:
    """A quote, verbatim, with its matched words marked."""
    segments = _segments(quote.text, ((match.start, match.end, *_kind(match)) for match in quote.matches))
    return tuple(TextSegment(verbatim(part.text), part.kind, part.tooltip) for part in segments)


def _kind(match: Match) -> tuple[MarkKind, str]:
    if match.bridge:
        return "bridge", f"close in meaning to {match.word}"
    return ("shared" if match.credit == 1 else "alone"), ""


def _segments(text: str, marked: Iterable[tuple[int, int, MarkKind, str]]) -> tuple[TextSegment, ...]:
    """The full text in order; of overlapping marks the first counts."""
    segments, done = [], 0
    for start, end, kind, tooltip in marked:
        if start >= done:
            segments += [TextSegment(text[done:start]), TextSegment(text[start:end], kind, tooltip)]
            done = end
    return (*segments, TextSegment(text[done:]))
