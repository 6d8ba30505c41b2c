"""Applies a user's corrections to a draft: title, dates, people, sections, parents and elements of claims."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from foreart.document.draft import Draft, analysed
from foreart.document.elements import Element, Kind, by_claim, elements
from foreart.document.headings import SectionName, known_heading
from foreart.document.outline import sections_from
from foreart.document.patent import Claim
from foreart.errors import BadFile
from foreart.sources.drafts.sidecar import Border, ClaimCorrection, Correction, read_sidecar

_NUMBER = re.compile(r"\s*(?:[\[(\u3010]\s*(\d{1,5})\s*[\])\u3011]|(?:claim\s+)?\d{1,4}\s?[.)])\s*", re.IGNORECASE)
_OUTSIDE = ("title", "abstract", "claims")


def borders_in(texts: Sequence[str], correction: Correction) -> list[tuple[int, SectionName]]:
    """The paragraph where each corrected section begins, with the heading above it."""
    found: list[tuple[int, SectionName]] = []
    starts = _Starts(texts)
    for number, border in enumerate(correction.sections or (), start=1):
        after = found[-1][0] + 1 if found else 0
        place = starts.place(border, after)
        if place is None:
            raise BadFile(f"{correction.source}: section {number}, {border.name}: no later paragraph begins like this")
        known = known_heading(texts[place - 1]) if place > after else None
        found.append((place - 1 if known and known.section == border.name else place, border.name))
    return found


def corrected(draft: Draft, correction: Correction, *, sections_done: bool = True) -> Draft:
    """The draft with all corrections; with those of sections unless the file was already split by them."""
    claims = tuple(_with_parents(claim, correction) for claim in draft.claims)
    known = {claim.number: claim for claim in claims}
    for number in correction.claims:
        if number not in known:
            raise BadFile(f"{correction.source}: there is no claim {number} in the draft")
    given = {
        name: value
        for name in ("title", "language", "priority", "filed", "applicants", "inventors")
        if (value := getattr(correction, name)) is not None
    }
    changed = {name for name, value in given.items() if value != getattr(draft, name)}
    grounds = [(name, text) for name, text in draft.grounds if name not in changed]
    grounds += [(name, correction.source) for name in sorted(changed)]
    draft = replace(draft, claims=claims, elements=(), grounds=tuple(grounds), **given)
    if correction.sections is not None and not sections_done:
        draft = _with_sections(draft, correction)
    fresh = analysed(draft)
    found = by_claim(fresh.elements)
    for number, change in correction.claims.items():
        if change.elements is not None:
            found[number] = _elements(known[number], change, correction.source)
    return replace(fresh, elements=tuple(item for number in known for item in found.get(number, ())))


class _Starts:
    """The beginnings of paragraphs; one pass finds all sections, because they are in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        numbers = [_NUMBER.match(text) for text in texts]
        self._printed = [int(number[1]) if number and number[1] else -1 for number in numbers]
        self._plain = [_plain(text) for text in texts]
        self._bare = [
            _plain(text[number.end() :]) if number else "" for text, number in zip(texts, numbers, strict=True)
        ]
        # If no numbers are printed, paragraphs are counted without headings.
        self._counted = [place for place, text in enumerate(texts) if known_heading(text) is None]

    def place(self, border: Border, after: int) -> int | None:
        """The first paragraph from `after` on that matches the border."""
        if border.paragraph:
            return self._numbered(_whole(border.paragraph), after)
        start = _plain(border.starts)
        for place in range(after, len(self._plain)):
            if self._plain[place].startswith(start) or self._bare[place].startswith(start):
                return place
        return None

    def _numbered(self, number: int, after: int) -> int | None:
        if any(printed >= 0 for printed in self._printed):
            return next((place for place in range(after, len(self._printed)) if self._printed[place] == number), None)
        counted = self._counted[number - 1] if 0 < number <= len(self._counted) else -1
        return counted if counted >= after else None


def _whole(text: str) -> int:
    digits = re.sub(r"\D", "", text)
    return int(digits) if 0 < len(digits) < 10 else -1


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _with_parents(claim: Claim, correction: Correction) -> Claim:
    change = correction.claims.get(claim.number)
    return claim if change is None or change.parents is None else replace(claim, depends_on=change.parents)


def _with_sections(draft: Draft, correction: Correction) -> Draft:
    """Corrected sections of a published document: of its description only, the others are as published."""
    inner = replace(correction, sections=tuple(item for item in correction.sections or () if item.name not in _OUTSIDE))
    texts = [paragraph.text for paragraph in draft.description]
    borders = [
        (place, name, texts[place] if draft.description[place].is_heading else "")
        for place, name in borders_in(texts, inner)
    ]
    front: list[tuple[int, SectionName, str]] = [(0, "description", "")] if borders and borders[0][0] else []
    return replace(draft, sections=sections_from([*front, *borders], len(texts)))


def _elements(claim: Claim, change: ClaimCorrection, source: str) -> list[Element]:
    """The spans of the given elements in the claim; line breaks are ignored."""
    words = list(re.finditer(r"\S+", claim.text))
    flat = " ".join(word[0] for word in words)
    # The offset of each word in the flat text, to find its offset in the claim.
    places = list(accumulate((len(word[0]) + 1 for word in words), initial=0))
    kinds = {item.start: item.kind for item in elements(claim.text, claim.number)}
    found: list[Element] = []
    place = 0
    for number, (text, kind) in enumerate(change.elements or (), start=1):
        wanted = " ".join(text.split())
        at = flat.find(wanted, place)
        if at < 0:
            raise BadFile(f"{source}: claim {claim.number}: element {number} does not follow in the claim")
        place = at + len(wanted)
        first, last = bisect_right(places, at) - 1, bisect_right(places, place - 1) - 1
        start, end = words[first].start() + at - places[first], words[last].start() + place - places[last]
        usual: Kind = "preamble" if not found and start == 0 else "element"
        found.append(Element(claim.number, claim.text[start:end], start, end, kind or kinds.get(start, usual)))
    return found


def corrected_draft(draft: Draft, sidecar: str | Path) -> Draft:
    """A draft that was not read from a file, with the corrections of a sidecar."""
    return corrected(draft, read_sidecar(sidecar), sections_done=False)
