"""Paragraphs become claims: by their printed numbers, by those that Word counts, or by their looks."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_FURTHEST = 30  # numbers of cancelled claims that may be missing in a row


def claims_of(lines: Sequence[Line]) -> tuple[Claim, ...]:
    """Claims by printed numbers, else by Word's numbering, else a claim where a line begins with a capital."""
    text = "\n".join(line.text for line in lines)
    if not text.strip():
        return ()
    starts = _printed(lines)
    if starts:
        return _cut(lines, starts)
    if any(_INLINE.search(line.text) for line in lines):
        return split_claims(text)
    by_word = any(line.numbered for line in lines)
    texts: list[str] = []
    for line in lines:
        begins = line.numbered if by_word else not line.text[:1].islower() and _over(texts)
        if begins or not texts:
            texts.append(line.text)
        else:
            texts[-1] += "\n" + line.text
    return numbered_claims(texts)


def unheaded_claims(texts: Sequence[str]) -> int | None:
    """Where claims begin in a text without a heading for them: at the last `1.` after which others refer to claims."""
    for place in range(len(texts) - 1, -1, -1):
        found = _NUMBER.match(texts[place])
        if found and int(found[1]) == 1:
            starts = _printed([Line(text) for text in texts[place:]])
            later = [texts[place + start] for start, _ in starts[1:]]
            if later and any(_REFERENCE.search(text) for text in later):
                return place
    return None


def _over(texts: Sequence[str]) -> bool:
    """Whether the claim before is at an end, so that a capital may begin the next one."""
    return not texts or _ENDED.search(texts[-1]) is not None


def _printed(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """The lines that begin a claim with its printed number, and the numbers; the first of them is claim 1."""
    starts: list[tuple[int, int]] = []
    expected = 1
    for place, line in enumerate(lines):
        several = _RANGE.match(line.text)
        if several and int(several[1]) == expected:
            starts.append((place, expected))
            expected = int(several[2]) + 1
            continue
        found = _NUMBER.match(line.text)
        if found is None or not _is_next(lines, place, found, expected, bool(starts)):
            continue
        starts.append((place, int(found[1])))
        expected = int(found[1]) + 1
    return starts


def _is_next(lines: Sequence[Line], place: int, found: re.Match[str], expected: int, begun: bool) -> bool:
    """Whether a number that opens a line is that of the next claim, not of a step or an amount within the last one."""
    number = int(found[1])
    capital = not line_rest(lines[place], found)[:1].islower()
    ended = place == 0 or not begun or _ENDED.search(lines[place - 1].text) is not None
    if number == expected:
        return capital or ended or not _comes_later(lines, place, expected)
    return begun and expected < number <= expected + _FURTHEST and capital and ended and "." in found[0]


def _comes_later(lines: Sequence[Line], place: int, expected: int) -> bool:
    """Whether a better beginning of the same claim follows: a number after an end, before a capital."""
    for at in range(place + 1, len(lines)):
        found = _NUMBER.match(lines[at].text)
        if found and int(found[1]) == expected and not line_rest(lines[at], found)[:1].islower():
            return True
    return False


def line_rest(line: Line, found: re.Match[str]) -> str:
    """What follows the number."""
    return line.text[found.end() :]


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
    """One claim, or all that run on in its paragraph: `A screw. 2. The screw of claim 1.`"""
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
