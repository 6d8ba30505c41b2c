"""Sentences of a text, and pieces of those that are too long to be quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 70  # words of one piece
_SIGNS = 900  # and its signs: sequence listings and scripts without spaces have no words to count

_END = re.compile(r"[.!?]+[\"')\]}”’»]*(?=\s)|[。！？]|\n")
_CLAUSE = re.compile(r";(?=\s)|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'])(?:abb|al|approx|appl?|art|bzw|ca|cf|co|col|corp|d\.h|dr|e\.g|eqs?|etc|ex|figs?|i\.e|inc|jr|ltd"
    r"|mrs?|nos?|nr|pats?|pp?|prof|publ?|refs?|secs?|ser|sog|st|u\.s|usw|vgl|vols?|vs|z\.b|[a-z])\.$",
    re.IGNORECASE,
)


def sentences(text: str, *, clauses: bool = False) -> list[tuple[int, int]]:
    """Where each sentence begins and ends; with `clauses` semicolons end one too, as in claims.

    >>> [text[a:b] for text in ["See FIG. 2. It has a lever 12. "] for a, b in sentences(text)]
    ['See FIG. 2.', 'It has a lever 12.']
    """
    spans = [span for span in _cut(text, 0, len(text), _ends(text))]
    if clauses:
        spans = [piece for span in spans for piece in _cut(text, *span, _matches(text, span, _CLAUSE))]
    return [piece for span in spans for piece in _pieces(text, *span)]


def _ends(text: str) -> Iterator[int]:
    for found in _END.finditer(text):
        end = found.end()
        if found[0][0] != ".":
            yield end
            continue
        following = text[end:].lstrip()[:1] if end + 8 > len(text) else text[end : end + 8].lstrip()[:1]
        if not following.islower() and not _ABBREVIATION.search(text, max(0, end - 10), end):
            yield end


def _matches(text: str, span: tuple[int, int], pattern: re.Pattern[str]) -> Iterator[int]:
    for found in pattern.finditer(text, *span):
        yield found.end()


def _cut(text: str, start: int, end: int, ends: Iterator[int]) -> Iterator[tuple[int, int]]:
    """The pieces between the ends, without the space around them."""
    place = start
    for stop in (*ends, end):
        piece = text[place:stop]
        if piece.strip():
            yield place + len(piece) - len(piece.lstrip()), stop - len(piece) + len(piece.rstrip())
        place = stop


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, cut at semicolons, else commas, else between words, else anywhere, where it is too long."""
    if text.count(" ", start, end) < LONGEST and end - start <= _SIGNS:
        yield start, end
        return
    middle = (start + end) // 2
    for sign in ("; ", ": ", ", ", " "):
        before, after = text.rfind(sign, start + 1, middle), text.find(sign, middle, end - 1)
        places = [place + len(sign.rstrip()) for place in (before, after) if place > 0]
        near = [place for place in places if abs(place - middle) < (end - start) * 0.4]
        if near:
            cut = min(near, key=lambda place: abs(place - middle))
            yield from _pieces(text, start, cut)
            rest = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
            yield from _pieces(text, rest, end)
            return
    yield from _pieces(text, start, middle)
    yield from _pieces(text, middle, end)
