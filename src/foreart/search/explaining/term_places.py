"""Where terms occur in a draft or a document: section, paragraph, claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from foreart.document.draft import Draft
from foreart.document.outline import sections_of
from foreart.document.patent import Patent
from foreart.search.charting.places import Part, Place

# How many locations of a term are listed; the others are counted.
SPOTS = 4

Cut = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Spot:
    """A location as it is cited, `[0012]`, `claim 1`, and its section of the description, if any."""

    label: str
    part: Part
    section: str = ""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often a term occurs, in how many paragraphs and claims, and the first of these, claims before others."""

    times: int
    places: int
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A text that can be cited, and its words."""

    spot: Spot
    text: str
    words: Sequence[str]


class Located:
    """A draft or a document split into citable pieces, with an index of their words."""

    def __init__(self, document: Draft | Patent, cut: Cut) -> None:
        self.pieces = tuple(TextPiece(spot, text, cut(text)) for spot, text in _texts(document))

    @cached_property
    def places(self) -> dict[str, dict[int, int]]:
        """For each word the pieces that have it, with counts."""
        places: dict[str, dict[int, int]] = {}
        for at, piece in enumerate(self.pieces):
            for word in piece.words:
                counts = places.setdefault(word, {})
                counts[at] = counts.get(at, 0) + 1
        return places

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each word occurs."""
        return {word: sum(counts.values()) for word, counts in self.places.items()}

    def of(self, term: Sequence[str]) -> Occurrences:
        """Where a word or an n-gram occurs."""
        counts = self.places.get(term[0], {}) if len(term) == 1 else self._with_ngram(tuple(term))
        order = sorted(counts, key=lambda at: (self.pieces[at].spot.part != "claim", at))
        return Occurrences(sum(counts.values()), len(counts), tuple(self.pieces[at].spot for at in order[:SPOTS]))

    def is_name(self, word: str) -> bool:
        """Whether a word is always capitalised, as names are."""
        lower = re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])")
        return bool(self.places.get(word)) and not any(lower.search(self.pieces[at].text) for at in self.places[word])

    def _with_ngram(self, term: tuple[str, ...]) -> dict[int, int]:
        """The pieces that have an n-gram, with counts."""
        counts = {}
        for at in min((self.places.get(word, {}) for word in term), key=len):
            words = self.pieces[at].words
            starts = range(len(words) - len(term) + 1)
            times = sum(words[start] == term[0] and tuple(words[start : start + len(term)]) == term for start in starts)
            if times:
                counts[at] = times
        return counts


def ngrams(words: Sequence[str], fit: Collection[str], longest: int) -> Iterator[tuple[str, ...]]:
    """All n-grams of two or more words that are all in `fit`."""
    for start, word in enumerate(words):
        if word not in fit:
            continue
        for end in range(start + 2, min(start + longest, len(words)) + 1):
            if words[end - 1] not in fit:
                break
            yield tuple(words[start:end])


def _texts(document: Draft | Patent) -> Iterator[tuple[Spot, str]]:
    """All texts with their locations, in reading order, without headings."""
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
    """The section name of each paragraph, unless it is just `description`."""
    known = document.sections if isinstance(document, Draft) else ()
    return {
        number: section.name
        for section in known or sections_of(document.description)
        if section.name != "description"
        for number in range(section.start, section.end)
    }


def spots_at(document: Draft, starts: Sequence[int]) -> tuple[Spot, ...]:
    """The paragraphs of a draft that contain some offsets of its `description_text`, each once."""
    sections = _sections(document)
    spots: dict[Spot, None] = {}
    offset, ordinal = 0, 0
    for number, paragraph in enumerate(document.description):
        ordinal += not paragraph.is_heading
        end = offset + len(paragraph.text)
        if any(offset <= start <= end for start in starts):
            label = Place("description", ordinal, paragraph.number).label
            spots[Spot(label, "description", sections.get(number, ""))] = None
        offset = end + 1
    return tuple(spots)
