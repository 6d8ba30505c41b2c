"""A draft as its owner corrected it: title, dates, people, sections, parents and elements of claims."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from foreart.document.draft import Draft, understood
from foreart.document.elements import Element, Kind, elements
from foreart.document.headings import SectionName, known_heading
from foreart.document.outline import made_of
from foreart.document.patent import Claim
from foreart.errors import BadFile
from foreart.sources.drafts.sidecar import Border, ClaimCorrection, Correction, read_sidecar

_NUMBER = re.compile(r"\s*(?:[\[(\u3010]\s*(\d{1,5})\s*[\])\u3011]|(?:claim\s+)?\d{1,4}\s?[.)])\s*", re.IGNORECASE)
_OUTSIDE = ("title", "abstract", "claims")


def borders_in(texts: Sequence[str], correction: Correction) -> list[tuple[int, SectionName]]:
    """The paragraph at which each corrected section begins, its heading above included."""
    found: list[tuple[int, SectionName]] = []
    for number, border in enumerate(correction.sections or (), start=1):
        after = found[-1][0] + 1 if found else 0
        place = _place(texts, border, after)
        if place is None:
            raise BadFile(
                f"{correction.source}: section {number}, {border.name}: no paragraph begins so after those before"
            )
        known = known_heading(texts[place - 1]) if place > after else None
        found.append((place - 1 if known and known.section == border.name else place, border.name))
    return found


def corrected(draft: Draft, correction: Correction, *, sections_done: bool = True) -> Draft:
    """The draft with all corrections; sections only if they were not already given to the reader of the file."""
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
    fresh = understood(draft)
    by_claim = {claim.number: [item for item in fresh.elements if item.claim == claim.number] for claim in claims}
    for number, said in correction.claims.items():
        if said.elements is not None:
            by_claim[number] = _elements(known[number], said, correction.source)
    return replace(fresh, elements=tuple(item for items in by_claim.values() for item in items))


def _place(texts: Sequence[str], border: Border, after: int) -> int | None:
    bodies = 0
    for place, text in enumerate(texts):
        number = _NUMBER.match(text)
        bodies += known_heading(text) is None
        if place < after:
            continue
        if border.paragraph:
            printed = number[1] if number and number[1] else ""
            if printed and int(printed) == _whole(border.paragraph):
                return place
            continue
        plain = _plain(text)
        bare = _plain(text[number.end() :]) if number else plain
        if plain.startswith(_plain(border.starts)) or bare.startswith(_plain(border.starts)):
            return place
    if border.paragraph:
        return _counted(texts, _whole(border.paragraph), after)
    return None


def _counted(texts: Sequence[str], number: int, after: int) -> int | None:
    """Where no numbers are printed: the paragraphs counted, headings not."""
    if any((found := _NUMBER.match(text)) and found[1] for text in texts):
        return None
    bodies = [place for place, text in enumerate(texts) if known_heading(text) is None]
    return bodies[number - 1] if 0 < number <= len(bodies) and bodies[number - 1] >= after else None


def _whole(text: str) -> int:
    digits = re.sub(r"\D", "", text)
    return int(digits) if digits else -1


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _with_parents(claim: Claim, correction: Correction) -> Claim:
    said = correction.claims.get(claim.number)
    return claim if said is None or said.parents is None else replace(claim, depends_on=said.parents)


def _with_sections(draft: Draft, correction: Correction) -> Draft:
    """Sections of a text that came divided: those of the description can be set anew, the others are as published."""
    inner = replace(correction, sections=tuple(item for item in correction.sections or () if item.name not in _OUTSIDE))
    texts = [paragraph.text for paragraph in draft.description]
    borders = [
        (place, name, texts[place] if draft.description[place].is_heading else "")
        for place, name in borders_in(texts, inner)
    ]
    front: list[tuple[int, SectionName, str]] = [(0, "description", "")] if borders and borders[0][0] else []
    return replace(draft, sections=made_of([*front, *borders], len(texts)))


def _elements(claim: Claim, said: ClaimCorrection, source: str) -> list[Element]:
    """The given pieces where they stand in the claim, whatever its line breaks."""
    kinds = {item.start: item.kind for item in elements(claim.text, claim.number)}
    found: list[Element] = []
    place = 0
    for number, (text, kind) in enumerate(said.elements or (), start=1):
        words = r"\s+".join(map(re.escape, text.split()))
        match = re.compile(words).search(claim.text, place)
        if match is None:
            raise BadFile(
                f"{source}: claim {claim.number}: element {number} is no piece of the claim after the elements before"
            )
        start, end = match.span()
        usual: Kind = "preamble" if not found and start == 0 else "element"
        found.append(Element(claim.number, claim.text[start:end], start, end, kind or kinds.get(start, usual)))
        place = end
    return found


def corrected_draft(draft: Draft, sidecar: str | Path) -> Draft:
    """A draft that came from no file of its own, with the corrections of a sidecar."""
    return corrected(draft, read_sidecar(sidecar), sections_done=False)
