"""A document read for the words of a chart: its sentences, and which of the words stand where in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.document.patent import Patent
from foreart.search.charting.places import Place, places
from foreart.text.sentences import sentences
from foreart.text.stems import plain_word, stem
from foreart.text.tokens import WORD

# Term -> words near in meaning, each with the part of the credit that it earns.
Bridges = Mapping[str, Mapping[str, float]]
# The terms a word stands for: number, credit, whether it is a bridge.
Terms = tuple[tuple[int, float, bool], ...]

_GAP = 1000  # between the words of two texts, which are never near each other
_CLAUSED = ("claim", "abstract")
# Letters of the last and of the other part of a German compound, and what either earns for the other.
_PART, _FRONT = 5, 3
_IS_ONE, _MAY_BE = 0.9, 0.5


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of one text: `texts[text][1][start:end]`; `words` counts them."""

    text: int
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the document that is a term, or bridges to it: its number among all words, its place, its credit."""

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
                known = self._near.setdefault(stem(plain_word(near), language), {})
                known[number] = max(min(1.0, weight), known.get(number, 0.0))
        self._language = language
        self._tables: dict[str, dict[str, Terms]] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def table(self, language: str) -> dict[str, Terms]:
        """What is known of the words of a language so far; a word not in it is asked for with `learn`."""
        return self._tables.setdefault(language, {})

    def learn(self, word: str, language: str) -> Terms:
        """The terms a word stands for: number, credit, whether it is a bridge."""
        key = stem(plain_word(word), language)
        found = self._looked_up(key) or (self._compound(key) if language == self._language == "de" else ())
        self.table(language)[word] = found
        return found

    def _looked_up(self, key: str) -> Terms:
        own = self._numbers.get(key)
        near = [(number, weight, True) for number, weight in self._near.get(key, {}).items() if number != own]
        return (*(() if own is None else ((own, 1.0, False),)), *sorted(near))

    def _compound(self, key: str) -> Terms:
        """German writes compounds as one word: a Kunststoffgehäuse is a Gehäuse, and a Gehäuse may be of plastic."""
        whole = [(number, _IS_ONE, False) for own, number in self._numbers.items() if _ends(key, own)]
        part = [(number, _MAY_BE, True) for own, number in self._numbers.items() if _ends(own, key)]
        return (*whole, *part)


def _ends(compound: str, word: str) -> bool:
    return len(word) >= _PART and len(compound) >= len(word) + _FRONT and compound.endswith(word)


def read(patent: Patent, vocabulary: ChartVocabulary) -> Reading:
    """A document in sentences, with the words of the chart in them."""
    texts = list(places(patent))
    found: list[Sentence] = []
    hits: list[list[WordMatch]] = []
    number = 0
    for which, (place, text) in enumerate(texts):
        spans = sentences(text, clauses=place.part in _CLAUSED)
        number = _read_text(which, text, spans, place.language or patent.language, vocabulary, found, hits, number)
        number += _GAP
    credits = np.zeros((len(found), len(vocabulary)))
    for row, inside in enumerate(hits):
        for hit in inside:
            credits[row, hit.term] = max(credits[row, hit.term], hit.credit)
    return Reading(texts, found, hits, credits)


def _read_text(
    which: int,
    text: str,
    spans: Sequence[tuple[int, int]],
    language: str,
    vocabulary: ChartVocabulary,
    found: list[Sentence],
    hits: list[list[WordMatch]],
    number: int,
) -> int:
    """Adds the sentences of one text; the number of the word behind its last one."""
    table = vocabulary.table(language)
    for start, end in spans:
        inside: list[WordMatch] = []
        first = number
        for word in WORD.finditer(text, start, end):
            terms = table.get(word[0])
            for term, credit, bridge in vocabulary.learn(word[0], language) if terms is None else terms:
                inside.append(WordMatch(number, word.start(), word.end(), term, credit, bridge))
            number += 1
        found.append(Sentence(which, start, end, number - first))
        hits.append(inside)
    return number
