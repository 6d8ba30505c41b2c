"""Bridges: other words of a document that may stand for words of a draft, named as such, never counted as the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import log
from typing import Literal

import numpy as np

from foreart.index.query.containing import rows_with
from foreart.index.query.snapshot_counts import frequencies
from foreart.index.storage.snapshot import Snapshot
from foreart.search.charting.claim_words import has_weight
from foreart.search.charting.reference_words import Bridges
from foreart.search.explaining.bridge_vectors import WordVectors
from foreart.search.explaining.bridge_word_kinds import OF_OFFICES, is_noun_like, kind_of_word
from foreart.search.explaining.term_places import Located, Occurrences
from foreart.text.stems import stem

BridgeKind = Literal["same stem", "near in meaning", "same topic"]
Term = tuple[str, ...]
# In how many documents each of some words stands.
Frequencies = Callable[[Sequence[str]], Iterable[int]]

# Words in more documents than this share say too little to be bridged; those of a phrase may be more usual.
_USUAL, _USUAL_IN_PHRASE = 0.20, 0.35
# Words in fewer documents than this are misprints and names, in a corpus of some size; in a small one all count.
_RAREST, _LARGE = 5, 2000
# A word must stand so often in its text, a phrase so often.
_TIMES, _PHRASE_TIMES = 2, 3
# The weightiest words and phrases of each text that are looked at.
_WORDS, _PHRASES = 120, 150
_LONGEST = 3
# Two words mean different things if more than this share of the documents of the rarer one have both; see
# docs/explain.md for how real pairs lie. Words are alike that begin with the same letters.
_TOGETHER, _ALIKE = 0.5, 6
_STEMS, _NEAR = 8, 12


@dataclass(frozen=True, slots=True)
class BridgeEnd:
    """A word or phrase on one side: in how many documents its rarest word stands, and where it stands here."""

    term: str
    documents: int
    where: Occurrences


@dataclass(frozen=True, slots=True)
class Bridge:
    """A term of the draft that the document lacks, one of the document that the draft lacks, and their likeness.

    It is 1 for two forms of one word, else the cosine of word vectors that were learned from the corpus: from the words
    around a word (`near in meaning`), or only from the documents that have it (`same topic`).
    """

    kind: BridgeKind
    draft: BridgeEnd
    document: BridgeEnd
    likeness: float


@dataclass(frozen=True, slots=True)
class Speech:
    """What is known of words: in how many of all `documents` each stands, in which, and vectors, if there are any."""

    frequencies: Frequencies
    having: Callable[[str], np.ndarray]
    documents: int
    vectors: WordVectors | None

    @classmethod
    def of(cls, postings: Snapshot, vectors: WordVectors | None) -> Speech:
        """What the postings of a corpus know."""
        count = partial(frequencies, postings)
        return cls(lambda words: count(list(words)).tolist(), partial(rows_with, postings), len(postings), vectors)

    def usual(self, words: Iterable[str]) -> dict[str, int]:
        """The number of documents of each word, but for misprints."""
        asked = list(words)
        least = min(_RAREST, self.documents // _LARGE)
        return {word: df for word, df in zip(asked, self.frequencies(asked), strict=True) if df >= max(1, least)}

    def known(self, words: Sequence[str]) -> set[str]:
        """The words that have a vector."""
        if self.vectors is None:
            return set()
        return {word for word, has in zip(words, self.vectors.known(words), strict=True) if has}

    def go_together(self, one: str, other: str) -> bool:
        """Whether two words are mostly used side by side: a shaft and its motor, which do not mean the same.

        Words that begin alike (ultrasound, ultrasonic) may be.
        """
        first, second = self.having(one), self.having(other)
        fewer = min(int(first.sum()), int(second.sum()))
        return one[:_ALIKE] != other[:_ALIKE] and int((first & second).sum()) > _TOGETHER * fewer


def bridges(draft: Located, document: Located, speech: Speech, language: str) -> tuple[Bridge, ...]:
    """The bridges between two texts: forms of one word first, weightiest first, then by likeness."""
    found = _Sides(draft, document, speech, language)
    near = sorted((*found.near_words(), *found.near_phrases()), key=lambda item: (-item.likeness, item.draft.term))
    return (*found.same_stems()[:_STEMS], *near[:_NEAR])


def chart_bridges(draft: Located, documents: Iterable[Located], speech: Speech, language: str) -> Bridges:
    """For the words of a draft's claims those near in meaning in some documents, with the credit that each earns.

    The credit is the square of the likeness: one that is doubtful earns little. Forms of one word are a chart's own.
    """
    claimed = {word for piece in draft.pieces if piece.spot.part == "claim" for word in piece.words}
    found: dict[str, dict[str, float]] = {}
    for document in documents:
        for item in _Sides(draft, document, speech, language, only=claimed).near_words():
            found.setdefault(item.draft.term, {})[item.document.term] = round(item.likeness**2, 4)
    return found


class _Sides:
    """What only the draft has, and what only the document has."""

    def __init__(
        self, draft: Located, document: Located, speech: Speech, language: str, *, only: Collection[str] | None = None
    ) -> None:
        self._draft, self._document, self._speech, self._language = draft, document, speech, language
        self._stem = partial(stem, language=language)
        topical = speech.vectors is not None and speech.vectors.topical
        self._near: BridgeKind = "same topic" if topical else "near in meaning"
        counted = partial(self._counted, documents=speech.documents)
        self._df = speech.usual({word for word in chain(draft.counts, document.counts) if self._says(word)})
        self._mine = counted(draft.counts, document.counts)
        self._theirs = counted(document.counts, draft.counts)
        if only is not None:
            self._mine = [word for word in self._mine if word in only]

    def same_stems(self) -> list[Bridge]:
        """Forms of one word, of which each text has another, weightiest first."""
        theirs: dict[str, str] = {}
        for word in self._theirs:
            theirs.setdefault(_form(self._stem(word)), word)
        often = (word for word in self._mine if self._draft.counts[word] >= _TIMES)
        pairs = ((word, theirs.get(_form(self._stem(word)))) for word in often)
        return [self._bridge("same stem", (one,), (other,), 1.0) for one, other in pairs if other is not None]

    def near_words(self) -> list[Bridge]:
        """Pairs of words each of which is the nearest to the other among those that only its text has."""
        mine = self._candidates(self._draft, self._mine, self._document)
        theirs = self._candidates(self._document, self._theirs, self._draft)
        vectors = self._speech.vectors
        if vectors is None or not mine or not theirs:
            return []
        likeness = vectors.rows(mine) @ vectors.rows(theirs).T
        least = vectors.nearness
        kinds = [[kind_of_word(word, self._language) for word in side] for side in (mine, theirs)]
        enough = np.where(np.equal.outer(*map(np.array, kinds)), least.same, least.other)
        return [
            self._bridge(self._near, (mine[one],), (theirs[other],), float(likeness[one, other]))
            for one, other in _mutual(likeness, enough)
            if not self._speech.go_together(mine[one], theirs[other])
            and not self._draft.is_name(mine[one])
            and not self._document.is_name(theirs[other])
        ]

    def near_phrases(self) -> list[Bridge]:
        """The same for frequent runs of two or three words: their vectors are the means of their words'."""
        vectors = self._speech.vectors
        mine, theirs = self._phrases(self._draft), self._phrases(self._document)
        shared = mine.keys() & theirs.keys()
        one = [term for term in mine if term not in shared][:_PHRASES]
        other = [term for term in theirs if term not in shared][:_PHRASES]
        if vectors is None or not one or not other:
            return []
        words = sorted({word for term in chain(one, other) for word in term})
        rows, place = vectors.rows(words), {word: number for number, word in enumerate(words)}
        ends = [_means(rows, place, side) for side in (one, other)]
        likeness = ends[0] @ ends[1].T
        heads = [rows[[place[term[-1]] for term in side]] for side in (one, other)]
        stems = [[{_form(self._stem(word)) for word in term} for term in side] for side in (one, other)]
        apart = np.array([[not mine & theirs for theirs in stems[1]] for mine in stems[0]])
        likeness = np.where(apart & (heads[0] @ heads[1].T >= vectors.nearness.head), likeness, -1.0)
        return [
            self._bridge(self._near, one[row], other[column], float(likeness[row, column]))
            for row, column in _mutual(likeness, np.full(likeness.shape, vectors.nearness.phrase))
        ]

    def _says(self, word: str) -> bool:
        return word.isalpha() and len(word) > 2 and has_weight(word, self._language) and word not in OF_OFFICES

    def _counted(self, own: dict[str, int], other: dict[str, int], *, documents: int) -> list[str]:
        """The words that only one side has and that are not too usual, weightiest first."""
        most = max(1.0, _USUAL * documents)
        found = [word for word in own if word not in other and 0 < self._df.get(word, 0) <= most]
        return sorted(found, key=lambda word: (-self._weight(word, own[word]), word))

    def _weight(self, word: str, times: int) -> float:
        return (1.0 + log(times)) * log((self._speech.documents + 1) / self._df[word])

    def _candidates(self, side: Located, words: Sequence[str], other: Located) -> list[str]:
        """The words that may have a near one: frequent enough, with a vector, no form of which the other side has."""
        there = {_form(self._stem(word)) for word in other.counts}
        found = [w for w in words if side.counts[w] >= _TIMES and _form(self._stem(w)) not in there]
        known = self._speech.known(found)
        return [word for word in found if word in known][:_WORDS]

    def _phrases(self, side: Located) -> dict[Term, int]:
        """Frequent runs of words that say something and end like a noun, weightiest first."""
        most = max(1.0, _USUAL_IN_PHRASE * self._speech.documents)
        fit = {word for word in side.counts if 0 < self._df.get(word, 0) <= most}
        fit &= self._speech.known(sorted(fit))
        counts: Counter[Term] = Counter()
        for piece in side.pieces:
            counts.update(_runs(piece.words, fit))
        found = {
            term: times
            for term, times in counts.items()
            if times >= _PHRASE_TIMES and len(set(term)) == len(term) and is_noun_like(term[-1], self._language)
        }
        return dict(sorted(found.items(), key=lambda item: (-sum(self._weight(w, item[1]) for w in item[0]), item[0])))

    def _bridge(self, kind: BridgeKind, one: Term, other: Term, likeness: float) -> Bridge:
        ends = ((self._draft, one), (self._document, other))
        mine, theirs = (BridgeEnd(" ".join(t), min(self._df[w] for w in t), side.of(t)) for side, t in ends)
        return Bridge(kind, mine, theirs, round(min(1.0, likeness), 6))


def _form(stemmed: str) -> str:
    """What stems leave: echo and echoes."""
    return stemmed[:-1] if stemmed.endswith("oe") else stemmed


def _runs(words: Sequence[str], fit: Collection[str]) -> Iterable[Term]:
    """All runs of two words, or three, that are fit."""
    for start, word in enumerate(words):
        if word not in fit:
            continue
        for end in range(start + 2, min(start + _LONGEST, len(words)) + 1):
            if words[end - 1] not in fit:
                break
            yield tuple(words[start:end])


def _means(rows: np.ndarray, place: dict[str, int], terms: Sequence[Term]) -> np.ndarray:
    found = np.stack([rows[[place[word] for word in term]].mean(axis=0) for term in terms])
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.where(lengths > 0, lengths, 1.0)


def _mutual(likeness: np.ndarray, least: np.ndarray) -> list[tuple[int, int]]:
    """Pairs that are each the nearest of the other, and near enough."""
    best = likeness.argmax(axis=1)
    back = likeness.argmax(axis=0)
    pairs = enumerate(best.tolist())
    return [(one, other) for one, other in pairs if back[other] == one and likeness[one, other] >= least[one, other]]
