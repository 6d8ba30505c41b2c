"""Where words stand in a draft or a document: section, paragraph, claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from foreart.document.draft import Draft
from foreart.document.outline import sections_of
from foreart.document.patent import Patent
from foreart.search.charting.places import Part, Place

# Places that are named of a word; how many more there are is told.
SPOTS = 4

Cut = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as it is cited, `[0012]`, `claim 1`, and the section of the description it is in, if it is."""

    label: str
    part: Part
    section: str = ""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often a term stands in a text, in how many places, and the first of these: claims, then the others."""

    times: int
    places: int
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """One text that can be cited, and its words."""

    spot: Spot
    text: str
    words: Sequence[str]


class Located:
    """A draft or a document in pieces, by whose words it can be asked where a term stands."""

    def __init__(self, document: Draft | Patent, cut: Cut) -> None:
        self.pieces = tuple(TextPiece(spot, text, cut(text)) for spot, text in _texts(document))

    @cached_property
    def places(self) -> dict[str, dict[int, int]]:
        """Of each word the pieces that have it, and how often they do."""
        found: dict[str, dict[int, int]] = {}
        for number, piece in enumerate(self.pieces):
            for word in piece.words:
                counts = found.setdefault(word, {})
                counts[number] = counts.get(number, 0) + 1
        return found

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each word stands here."""
        return {word: sum(counts.values()) for word, counts in self.places.items()}

    def of(self, term: Sequence[str]) -> Occurrences:
        """Where a word, or a run of words, stands."""
        found = self.places.get(term[0], {}) if len(term) == 1 else self._runs(tuple(term))
        order = sorted(found, key=lambda number: (self.pieces[number].spot.part != "claim", number))
        return Occurrences(sum(found.values()), len(found), tuple(self.pieces[number].spot for number in order[:SPOTS]))

    def is_name(self, word: str) -> bool:
        """Whether a word is written with a capital wherever it stands: a name."""
        small = re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])")
        return bool(self.places.get(word)) and not any(small.search(self.pieces[at].text) for at in self.places[word])

    def _runs(self, term: tuple[str, ...]) -> dict[int, int]:
        rarest = min((self.places.get(word, {}) for word in term), key=len)
        found = {}
        for number in rarest:
            words = self.pieces[number].words
            ends = range(len(words) - len(term) + 1)
            times = sum(words[at] == term[0] and tuple(words[at : at + len(term)]) == term for at in ends)
            if times:
                found[number] = times
        return found


def _texts(document: Draft | Patent) -> Iterator[tuple[Spot, str]]:
    """All texts with their places, in the order of reading; headings are none."""
    if document.title:
        yield Spot("title", "title"), document.title
    if document.abstract:
        yield Spot("abstract", "abstract"), document.abstract
    sections = _sections(document)
    ordinal = 0
    for number, paragraph in enumerate(document.description):
        if not paragraph.is_heading:
            ordinal += 1
            label = Place("description", ordinal, paragraph.number).label
            yield Spot(label, "description", sections.get(number, "")), paragraph.text
    for claim in document.claims:
        yield Spot(f"claim {claim.number}", "claim"), claim.text


def _sections(document: Draft | Patent) -> dict[int, str]:
    """The name of the section of each paragraph; the bare `description` says nothing."""
    known = document.sections if isinstance(document, Draft) else ()
    return {
        number: section.name
        for section in known or sections_of(document.description)
        if section.name != "description"
        for number in range(section.start, section.end)
    }


def spots_at(document: Draft, starts: Sequence[int]) -> tuple[Spot, ...]:
    """The paragraphs of a draft in which some places of its `description_text` lie, each once."""
    sections = _sections(document)
    found: dict[Spot, None] = {}
    begin, ordinal = 0, 0
    for number, paragraph in enumerate(document.description):
        ordinal += not paragraph.is_heading
        end = begin + len(paragraph.text)
        if any(begin <= start <= end for start in starts):
            label = Place("description", ordinal, paragraph.number).label
            found[Spot(label, "description", sections.get(number, ""))] = None
        begin = end + 1
    return tuple(found)
