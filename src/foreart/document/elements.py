"""Splits a claim into its elements: the preamble, then each feature, as verbatim spans of the claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["preamble", "element", "wherein", "characterising"]

# The comma and spaces before a word. Matches from the start of a run of spaces only, else it takes quadratic time.
_GAP = r"(?:,\s*+|(?<!\s)\s*+)"
_CHARACTERISED = re.compile(
    rf"{_GAP}\b(?:(?:being\s+|is\s+|and\s+)?characteri[sz]ed\s+(?:in\s+that|by(?:\s+the\s+(?:fact\s+that"
    r"|following\s+features))?|in)|the\s+improvement\s+(?:which\s+)?(?:comprises|comprising|wherein|being)"
    r"|(?:dadurch\s+)?gekennzeichnet\s*+,?\s*+(?:dass|daß|durch)|caractérisée?s?\s+(?:en\s+ce\s+qu[e’']|par))\s*:?",
    re.IGNORECASE,
)
_STEPS = (
    r"(?:\s+(?:at\s+least\s+)?(?:the\s+)?(?:steps?|acts?|operations?|following(?:\s+\w+)?)(?:\s+of)?\b"
    r"|\s+(?:die\s+)?(?:folgenden?\s+)?(?:schritte|merkmale|verfahrensschritte))?"
)
_STRONG = re.compile(
    rf"{_GAP}\b(?:(?:which|that|and)\s+)?(?:compris(?:ing|es?)|consist(?:ing|s)\s+(?:essentially\s+)?of|composed\s+of"
    r"|umfassend|aufweisend|enthaltend|bestehend\s+aus|beinhaltend|umfasst|umfaßt|aufweist|enthält|comprenant)\b"
    rf"{_STEPS}\s*:?|{_GAP}\b(?:including|having|with|mit)\b{_STEPS}\s*:",
    re.IGNORECASE,
)
_WEAK = re.compile(rf"{_GAP}\b(?:(?:which|that)\s+)?(?:includ(?:ing|es)|having|contain(?:ing|s))\b\s*", re.IGNORECASE)
_WHEREIN = re.compile(
    r"(?:[,;]|(?<=\s)(?<!\s\s))\s*+(?:and\s+|und\s+)?"
    r"(?=\b(?:wherein|whereby|whereupon|wobei|where\s+(?:the|said|each|a|an)\s)\b)",
    re.IGNORECASE,
)
_ENUMERATED = re.compile(
    r"(?:(?<=[,;:.])|(?<!\s)[^\S\n]*+\n|(?<=\band)|(?<=\bund))\s*+(?=\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s*\S)",
    re.IGNORECASE,
)
_LINE = re.compile(r";|\n")
_ARTICLE = re.compile(
    r",\s+(?:and\s+|und\s+|sowie\s+)?(?=(?:an?|at\s+least|one\s+or\s+more|two|three|means|first|second|said|the\s+step"
    r"|ein(?:e[nmrs]?)?|mindestens|wenigstens|zumindest|zwei|mittel(?:n)?)\s)",
    re.IGNORECASE,
)
# Within a long feature: "…, the lever having a spring".
_NESTED = re.compile(
    r",\s+(?:and\s+)?(?=(?:the|said|each)\s+(?:[\w/-]+\s+){1,6}?"
    r"(?:having|being|including|comprising|configured|adapted|arranged)\b)",
    re.IGNORECASE,
)
_LONG = 40
_CONJUNCTIONS = ("and/or", "and", "or", "und", "oder", "sowie")
_BEFORE = re.compile(rf"(?:[\s,;:.•–—-]++|(?:{'|'.join(_CONJUNCTIONS)})(?=[\s,;:]|$))++", re.IGNORECASE)
_SEPARATORS = "".join(sign for code in range(0x3001) if (sign := chr(code)).isspace()) + ",;:"
_CLAUSE = re.compile(r"wherein|whereby|whereupon|wobei|where\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Element:
    """One feature of a claim: `claim.text[start:end] == text`."""

    claim: int
    text: str
    start: int
    end: int
    kind: Kind = "element"


def elements(text: str, claim: int = 1) -> tuple[Element, ...]:
    """The elements of a claim in order; together they cover all of its features.

    >>> [item.text for item in elements("A screw comprising: a head; and a shank, wherein the head is round.")]
    ['A screw', 'a head', 'a shank', 'wherein the head is round']
    """
    preamble, body = _opening(text)
    spans: list[tuple[int, int, Kind]] = [(0, preamble, "preamble")]
    characterised = _CHARACTERISED.search(text, preamble)
    parts: list[tuple[int, int, Kind]] = [(body, len(text), "element")]
    if characterised and characterised.start() == preamble:
        parts = [(body, len(text), "characterising")]
    elif characterised and characterised.start() >= body:
        parts = [(body, characterised.start(), "element"), (characterised.end(), len(text), "characterising")]
    for start, end, kind in parts:
        spans += [(*span, kind) for span in _pieces(text, start, end)]
    last = len(text.rstrip(" \n.,;"))
    trimmed = (_trimmed(text, *span, claim, last) for span in spans)
    return tuple(item for item in trimmed if item is not None)


def by_claim(items: Iterable[Element]) -> dict[int, list[Element]]:
    """Groups elements by claim number, in one pass because drafts may have thousands of claims."""
    groups: dict[int, list[Element]] = {}
    for item in items:
        groups.setdefault(item.claim, []).append(item)
    return groups


def _opening(text: str) -> tuple[int, int]:
    """The end of the preamble and the start of the features: around the first transitional phrase.

    "Having" and "including" count only if no "comprising" follows; a "wherein" before them also ends the preamble.
    """
    lead = _STRONG.search(text, 1) or _WEAK.search(text, 1)
    breaks = [found for found in (lead, _CHARACTERISED.search(text, 1), _WHEREIN.search(text)) if found]
    if breaks:
        return min(found.span() for found in breaks)
    pause = re.search(r":(?=\s)|\n|;", text)
    return pause.span() if pause else (len(text), len(text))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the features between two offsets; commas separate them only if no semicolon, line or letter does."""
    body = text[start:end]
    first, last = end - len(body.lstrip()), start + len(body.rstrip(" .\n"))
    firm = {*_outside(text, start, end, _LINE), *_outside(text, start, end, _ENUMERATED)}
    firm = {span for span in firm if span[0] > first and span[1] < last}
    cuts = firm | {*_outside(text, start, end, _WHEREIN)}
    if not firm:
        cuts |= {*_outside(text, start, end, _ARTICLE)}
    for first, last in _between(cuts, start, end):
        long = len(text[first:last].split()) > _LONG
        yield from _between({*_outside(text, first, last, _NESTED)} if long else set(), first, last)


def _between(cuts: set[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans between the cuts."""
    position = start
    for before, after in sorted(cuts):
        if before >= position:
            yield position, before
            position = after
    yield position, end


def _outside(text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Spans of the matches of a pattern outside brackets."""
    depth, position = 0, start
    for match in pattern.finditer(text, start, end):
        for sign in text[position : match.start()]:
            depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        position = match.start()
        if depth == 0:
            yield match.span()


def _trimmed(text: str, start: int, end: int, kind: Kind, claim: int, last: int) -> Element | None:
    """The element without punctuation and conjunctions at its edges; None if nothing is left.

    `last` is the end of the claim text; a full stop there is not part of the element.
    """
    before = _BEFORE.match(text, start, end)
    start = before.end() if before else start
    end = start + len(_without_tail(text[start:end]))
    if end >= last and text[start:end].endswith("."):
        end = start + len(text[start:end].rstrip(". \n"))
    piece = text[start:end]
    if not any(map(str.isalnum, piece)):
        return None
    if kind == "element" and _CLAUSE.match(piece):
        kind = "wherein"
    return Element(claim, piece, start, end, kind)


def _without_tail(piece: str) -> str:
    """Removes separators at the end of a piece, and a conjunction between two of them."""
    bare = piece.rstrip(_SEPARATORS)
    tail = bare[-7:].lower()
    for word in _CONJUNCTIONS:
        if tail.endswith(word) and bare[-len(word) - 1 : -len(word)] in _SEPARATORS and len(bare) > len(word):
            return bare[: -len(word)].rstrip(_SEPARATORS)
    return bare
