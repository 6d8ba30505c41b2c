"""Text cut into segments, of which some are marked: words of the draft, and words that may stand for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from foreart.report.pages.templating import verbatim
from foreart.report.wording.extract_marks import marks
from foreart.search.charting import Match, Quote
from foreart.search.explaining import Extract
from foreart.text.tokens import WORD, tokens

MarkKind = Literal["", "shared", "alone", "bridge"]


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A piece of text; `kind` says how it is marked, `told` is its tooltip.

    A `shared` word counts in full, one that stands `alone` counts half, a `bridge` is another word, close in meaning.
    """

    text: str
    kind: MarkKind = ""
    told: str = ""


def word_segments(text: str, words: Collection[str]) -> tuple[TextSegment, ...]:
    """A text with each of the words marked."""
    cut = ((found.start(), found.end(), tokens(found[0])) for found in WORD.finditer(text))
    shared = ((start, end) for start, end, found in cut if found and all(token in words for token in found))
    return _segments(text, ((start, end, "shared", "") for start, end in shared))


def extract_segments(item: Extract) -> tuple[TextSegment, ...]:
    """A passage with shared words and bridges marked."""
    return _segments(
        item.text,
        (
            (start, end, "bridge", f"may stand for: {term}") if term else (start, end, "shared", "")
            for start, end, term in marks(item.text, item)
        ),
    )


def quote_segments(quote: Quote) -> tuple[TextSegment, ...]:
    """A quote, every letter of it, with its matched words marked."""
    found = _segments(quote.text, ((match.start, match.end, *_kind(match)) for match in quote.matches))
    return tuple(TextSegment(verbatim(part.text), part.kind, part.told) for part in found)


def _kind(match: Match) -> tuple[MarkKind, str]:
    if match.bridge:
        return "bridge", f"close in meaning to {match.word}"
    return ("shared" if match.credit == 1 else "alone"), ""


def _segments(text: str, marked: Iterable[tuple[int, int, MarkKind, str]]) -> tuple[TextSegment, ...]:
    """The whole text in order; of marks that overlap the first counts."""
    found, end = [], 0
    for start, stop, kind, told in marked:
        if start >= end:
            found += [TextSegment(text[end:start]), TextSegment(text[start:stop], kind, told)]
            end = stop
    return (*found, TextSegment(text[end:]))
