"""Splits paragraphs into claims: by their printed numbers, by Word's numbering, or by how they begin and end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foreart.document.claims import numbered_claims, references, split_claims
from foreart.document.patent import Claim
from foreart.sources.drafts.file_types.lines import Line

_NUMBER = re.compile(
    r"\s*(?:(?:claim|anspruch)\s+)?(\d{1,4})(?:\s?[.)](?!\d)\s*|\s?[:\u2013-]\s+|\s+(?=[A-ZÄÖÜ(\"“]))(?=\S)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*(\d{1,4})\s?\.?\s?[-\u2013\u2014]\s?(\d{1,4})\s?\.?\s*\(")
_INLINE = re.compile(r"(?<=[.;])\s+(\d{1,4})\s?[.)]\s+(?=[A-ZÄÖÜ])")
_ENDED = re.compile(r"[.!?]['\"”)]*\s*$|\)\s*$")
_REFERENCE = re.compile(r"\b(?:claims?|anspruch|ansprüchen?|revendications?)\s+\d", re.IGNORECASE)
_FURTHEST = 30  # consecutive numbers of cancelled claims that may be missing


def claims_of(lines: Sequence[Line]) -> tuple[Claim, ...]:
    """Claims by printed numbers, else by Word's numbering, else one per line that begins with a capital letter."""
    text = "\n".join(line.text for line in lines)
    if not text.strip():
        return ()
    starts = _printed(lines)
    if starts:
        return _cut(lines, starts)
    if any(_INLINE.search(line.text) for line in lines):
        return split_claims(text)
    by_word = any(line.numbered for line in lines)
    texts: list[list[str]] = []
    for line in lines:
        begins = line.numbered if by_word else not line.text[:1].islower()
        if not texts or (begins and (by_word or _ENDED.search(texts[-1][-1]))):
            texts.append([])
        texts[-1].append(line.text)
    return numbered_claims("\n".join(claim) for claim in texts)


def unheaded_claims(texts: Sequence[str]) -> int | None:
    """Where claims begin in a text without a heading for them: at the last `1.` after which others refer to claims.

    Backwards, so that each number is looked at once: what follows is already known.
    """
    lines = [Line(text) for text in texts]
    exact: dict[int, tuple[int, bool]] = {}  # place of the next claim of a number, and whether it or a later one refers
    skipped: dict[int, tuple[int, bool]] = {}  # the same for claims that may follow missing ones
    for opening in reversed(_openings(lines)):
        number, text = opening.number, lines[opening.place].text
        refers = _follows(exact, skipped, number + 1)
        refers_after_range = _follows(exact, skipped, opening.last + 1)
        if number == 1 and refers_after_range:
            return opening.place
        own = _REFERENCE.search(text) is not None
        if opening.is_next:
            exact[number] = opening.place, own or refers_after_range
        if opening.is_certain:
            skipped[number] = opening.place, own or refers
    return None


def _follows(exact: Mapping[int, tuple[int, bool]], skipped: Mapping[int, tuple[int, bool]], expected: int) -> bool:
    """Whether the next claim, or one after it, refers to others."""
    later = [skipped[number] for number in range(expected + 1, expected + _FURTHEST + 1) if number in skipped]
    return min([*later, *([exact[expected]] if expected in exact else [])], default=(0, False))[1]


@dataclass(frozen=True, slots=True)
class _Opening:
    """A line that begins with a number, or with the first and last of cancelled claims."""

    place: int
    number: int
    last: int
    is_next: bool  # begins a claim if its number is expected
    is_certain: bool  # begins a claim even if some numbers before it are missing


def _openings(lines: Sequence[Line]) -> list[_Opening]:
    """Numbers at the start of lines; those of steps or amounts within a claim are not followed by a capital."""
    capitals: dict[int, int] = {}  # the last place of each number before a capital: a better beginning of that claim
    found: list[_Opening] = []
    for place in range(len(lines) - 1, -1, -1):
        text = lines[place].text
        several, numbered = _RANGE.match(text), _NUMBER.match(text)
        printed = numbered or several
        if printed is None:
            continue
        number = int(printed[1])
        capital = numbered is not None and not text[numbered.end() :][:1].islower()
        ended = place == 0 or _ENDED.search(lines[place - 1].text) is not None
        found.append(
            _Opening(
                place,
                number,
                int(several[2]) if several else number,
                several is not None or capital or ended or number not in capitals,
                capital and ended and "." in printed[0],
            )
        )
        if capital:
            capitals.setdefault(number, place)
    return found[::-1]


def _printed(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """The lines that begin a claim with its printed number, and the numbers; the first of them is claim 1."""
    starts: list[tuple[int, int]] = []
    expected = 1
    for opening in _openings(lines):
        number = opening.number
        if number == expected and (opening.is_next or not starts):
            starts.append((opening.place, number))
            expected = opening.last + 1
        elif starts and expected < number <= expected + _FURTHEST and opening.is_certain:
            starts.append((opening.place, number))
            expected = number + 1
    return starts


def _cut(lines: Sequence[Line], starts: Sequence[tuple[int, int]]) -> tuple[Claim, ...]:
    ends = [place for place, _ in starts[1:]] + [len(lines)]
    claims: list[Claim] = []
    for (start, number), end in zip(starts, ends, strict=True):
        text = "\n".join(line.text for line in lines[start:end])
        if _RANGE.match(text):
            claims.append(Claim(number, text))
            continue
        found = _NUMBER.match(text)
        body = text[found.end() :].strip() if found else text
        claims += _several(number, body, starts[-1][1])
    return tuple(claims)


def _several(number: int, body: str, last: int) -> list[Claim]:
    """One claim, or all those in its paragraph: `A screw. 2. The screw of claim 1.`"""
    cuts = []
    expected = number + 1
    for found in _INLINE.finditer(body):
        if int(found[1]) == expected and expected > last:
            cuts.append(found)
            expected += 1
    edges = [0, *(found.end() for found in cuts)]
    ends = [*(found.start() for found in cuts), len(body)]
    texts = [body[start:end].strip() for start, end in zip(edges, ends, strict=True)]
    return [Claim(number + place, text, references(text, number + place)) for place, text in enumerate(texts)]
