"""The sentences of a document, with the positions of the words of a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.document.patent import Patent
from foreart.search.charting.places import Place, places
from foreart.text.sentences import sentences
from foreart.text.stems import normalised_word, stem
from foreart.text.tokens import WORD

# Term -> words of similar meaning, each with its share of the credit.
Bridges = Mapping[str, Mapping[str, float]]
# The terms that a word matches: column, credit, whether it is a bridge.
Terms = tuple[tuple[int, float, bool], ...]

_GAP = 1000  # word numbers between two texts, so that their words are never close
_CLAUSED = ("claim", "abstract")
# Minimum letters of the last and of the first part of a German compound, and the credit in each direction.
_PART, _FRONT = 5, 3
_IS_ONE, _MAY_BE = 0.9, 0.5


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, `texts[text][1][start:end]`; `words` is the number of its words."""

    text: int
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the document that matches a term, or bridges to it: its number among all words, offsets and credit."""

    number: int
    start: int
    end: int
    term: int
    credit: float
    bridge: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A document in sentences. `credits` has for each sentence and term the best credit of a word in it."""

    texts: Sequence[tuple[Place, str]]
    sentences: Sequence[Sentence]
    hits: Sequence[Sequence[WordMatch]]
    credits: np.ndarray


class ChartVocabulary:
    """Which words of a document are terms of a chart."""

    def __init__(self, stems: Sequence[str], words: Sequence[str], language: str, bridges: Bridges) -> None:
        self._numbers = {key: number for number, key in enumerate(stems)}
        self._near: dict[str, dict[int, float]] = {}
        for number, word in enumerate(words):
            for near, weight in {**bridges.get(stems[number], {}), **bridges.get(word, {})}.items():
                known = self._near.setdefault(stem(normalised_word(near), language), {})
                known[number] = max(min(1.0, weight), known.get(number, 0.0))
        self._language = language
        self._tables: dict[str, dict[str, Terms]] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def table(self, language: str) -> dict[str, Terms]:
        """The cached matches of the words of a language; `learn` adds a word."""
        return self._tables.setdefault(language, {})

    def learn(self, word: str, language: str) -> Terms:
        """The terms that a word matches: column, credit, whether it is a bridge."""
        key = stem(normalised_word(word), language)
        terms = self._exact_or_bridge(key) or (self._compound(key) if language == self._language == "de" else ())
        self.table(language)[word] = terms
        return terms

    def _exact_or_bridge(self, key: str) -> Terms:
        own = self._numbers.get(key)
        near = [(number, weight, True) for number, weight in self._near.get(key, {}).items() if number != own]
        return (*(() if own is None else ((own, 1.0, False),)), *sorted(near))

    def _compound(self, key: str) -> Terms:
        """German compounds are one word: a Kunststoffgehäuse is a Gehäuse, and a Gehäuse may be one of plastic."""
        as_compound = [(number, _IS_ONE, False) for own, number in self._numbers.items() if _ends(key, own)]
        as_part = [(number, _MAY_BE, True) for own, number in self._numbers.items() if _ends(own, key)]
        return (*as_compound, *as_part)


def _ends(compound: str, word: str) -> bool:
    return len(word) >= _PART and len(compound) >= len(word) + _FRONT and compound.endswith(word)


def read(patent: Patent, vocabulary: ChartVocabulary) -> Reading:
    """A document in sentences, with the words of the chart in them."""
    texts = list(places(patent))
    found_sentences: list[Sentence] = []
    hits: list[list[WordMatch]] = []
    number = 0
    for text_number, (place, text) in enumerate(texts):
        spans = sentences(text, clauses=place.part in _CLAUSED)
        number = _read_text(
            text_number, text, spans, place.language or patent.language, vocabulary, found_sentences, hits, number
        )
        number += _GAP
    credits = np.zeros((len(found_sentences), len(vocabulary)))
    for row, matches in enumerate(hits):
        for hit in matches:
            credits[row, hit.term] = max(credits[row, hit.term], hit.credit)
    return Reading(texts, found_sentences, hits, credits)


def _read_text(
    text_number: int,
    text: str,
    spans: Sequence[tuple[int, int]],
    language: str,
    vocabulary: ChartVocabulary,
    found_sentences: list[Sentence],
    hits: list[list[WordMatch]],
    number: int,
) -> int:
    """Adds the sentences of one text; returns the number after its last word."""
    table = vocabulary.table(language)
    for start, end in spans:
        matches: list[WordMatch] = []
        first = number
        for word in WORD.finditer(text, start, end):
            terms = table.get(word[0])
            for term, credit, bridge in vocabulary.learn(word[0], language) if terms is None else terms:
                matches.append(WordMatch(number, word.start(), word.end(), term, credit, bridge))
            number += 1
        found_sentences.append(Sentence(text_number, start, end, number - first))
        hits.append(matches)
    return number
