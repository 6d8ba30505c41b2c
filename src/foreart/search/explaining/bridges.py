"""Bridges: words of a document that may mean the same as other words of the draft; they never count as a match."""

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
from foreart.search.explaining.bridge_word_kinds import OFFICE_WORDS, is_noun_like, kind_of_word
from foreart.search.explaining.term_places import Located, Occurrences, ngrams
from foreart.text.stems import stem

BridgeKind = Literal["same stem", "near in meaning", "same topic"]
Term = tuple[str, ...]
# The document frequencies of some words.
Frequencies = Callable[[Sequence[str]], Iterable[int]]

# Maximum share of documents that may have a bridged word, or a word of a bridged phrase: common words say too little.
_COMMON, _COMMON_IN_PHRASE = 0.20, 0.35
# Minimum document frequency, as rarer words are misprints and names: 1 for each 2,000 documents, 5 at most.
_MIN_DOCUMENTS, _PER_DOCUMENTS = 5, 2000
# Minimum occurrences of a word and of a phrase in its text.
_TIMES, _PHRASE_TIMES = 2, 3
# Maximum number of words and phrases of each text that are compared, heaviest first.
_WORDS, _PHRASES = 120, 150
_LONGEST = 3
# Two words mean different things if more than this share of the documents of the rarer one have both (figures of real
# pairs: docs/explain.md), unless they share a prefix of this length.
_TOGETHER, _PREFIX = 0.5, 6
_STEMS, _NEAR = 8, 12


@dataclass(frozen=True, slots=True)
class BridgeEnd:
    """A word or phrase of one text: the document frequency of its rarest word, and its occurrences in the text."""

    term: str
    documents: int
    where: Occurrences


@dataclass(frozen=True, slots=True)
class Bridge:
    """A term of the draft that the document lacks, a term of the document that the draft lacks, and their similarity.

    `similarity` is 1 for two forms of one word, else the cosine of word vectors learned from the corpus: from contexts
    (`near in meaning`), or only from the documents that have a word (`same topic`).
    """

    kind: BridgeKind
    draft: BridgeEnd
    document: BridgeEnd
    similarity: float


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """Document frequencies of words in `documents` documents, the rows that have a word, and word vectors if any."""

    frequencies: Frequencies
    rows_with: Callable[[str], np.ndarray]
    documents: int
    vectors: WordVectors | None

    @classmethod
    def of(cls, postings: Snapshot, vectors: WordVectors | None) -> WordStatistics:
        """The statistics of the postings of a corpus."""
        count = partial(frequencies, postings)
        return cls(lambda words: count(list(words)).tolist(), partial(rows_with, postings), len(postings), vectors)

    def established(self, words: Iterable[str]) -> dict[str, int]:
        """The document frequencies of words, without misprints."""
        listed = list(words)
        minimum = max(1, min(_MIN_DOCUMENTS, self.documents // _PER_DOCUMENTS))
        return {word: df for word, df in zip(listed, self.frequencies(listed), strict=True) if df >= minimum}

    def known(self, words: Sequence[str]) -> set[str]:
        """The words that have a vector."""
        if self.vectors is None:
            return set()
        return {word for word, has in zip(words, self.vectors.known(words), strict=True) if has}

    def co_occur(self, one: str, other: str) -> bool:
        """Whether two words are mostly used together: a shaft and its motor, which do not mean the same.

        Words with the same prefix (ultrasound, ultrasonic) are exempt.
        """
        first, second = self.rows_with(one), self.rows_with(other)
        fewer = min(int(first.sum()), int(second.sum()))
        return one[:_PREFIX] != other[:_PREFIX] and int((first & second).sum()) > _TOGETHER * fewer


def bridges(draft: Located, document: Located, statistics: WordStatistics, language: str) -> tuple[Bridge, ...]:
    """The bridges between two texts: forms of one word first, heaviest first, then by similarity."""
    sides = _Sides(draft, document, statistics, language)
    near = sorted((*sides.near_words(), *sides.near_phrases()), key=lambda item: (-item.similarity, item.draft.term))
    return (*sides.same_stems()[:_STEMS], *near[:_NEAR])


def chart_bridges(draft: Located, documents: Iterable[Located], statistics: WordStatistics, language: str) -> Bridges:
    """For words of the draft's claims, the words near in meaning in some documents, with the credit that each earns.

    The credit is the square of the similarity, so that doubtful ones earn little. Charts match word forms themselves.
    """
    claimed = {word for piece in draft.pieces if piece.spot.part == "claim" for word in piece.words}
    found: dict[str, dict[str, float]] = {}
    for document in documents:
        for item in _Sides(draft, document, statistics, language, only=claimed).near_words():
            found.setdefault(item.draft.term, {})[item.document.term] = round(item.similarity**2, 4)
    return found


class _Sides:
    """The words that only the draft has, and those that only the document has."""

    def __init__(
        self,
        draft: Located,
        document: Located,
        statistics: WordStatistics,
        language: str,
        *,
        only: Collection[str] | None = None,
    ) -> None:
        self._draft, self._document, self._statistics, self._language = draft, document, statistics, language
        self._stem = partial(stem, language=language)
        topical = statistics.vectors is not None and statistics.vectors.topical
        self._near: BridgeKind = "same topic" if topical else "near in meaning"
        own_words = partial(self._own_words, documents=statistics.documents)
        self._df = statistics.established(
            {word for word in chain(draft.counts, document.counts) if self._has_content(word)}
        )
        self._mine = own_words(draft.counts, document.counts)
        self._theirs = own_words(document.counts, draft.counts)
        if only is not None:
            self._mine = [word for word in self._mine if word in only]

    def same_stems(self) -> list[Bridge]:
        """Different forms of one word in the two texts, heaviest first."""
        theirs: dict[str, str] = {}
        for word in self._theirs:
            theirs.setdefault(_form(self._stem(word)), word)
        frequent = (word for word in self._mine if self._draft.counts[word] >= _TIMES)
        pairs = ((word, theirs.get(_form(self._stem(word)))) for word in frequent)
        return [self._bridge("same stem", (one,), (other,), 1.0) for one, other in pairs if other is not None]

    def near_words(self) -> list[Bridge]:
        """Pairs of words that are mutual nearest neighbours among the words of only one text."""
        mine = self._candidates(self._draft, self._mine, self._document)
        theirs = self._candidates(self._document, self._theirs, self._draft)
        vectors = self._statistics.vectors
        if vectors is None or not mine or not theirs:
            return []
        similarity = vectors.rows(mine) @ vectors.rows(theirs).T
        least = vectors.thresholds
        kinds = [[kind_of_word(word, self._language) for word in side] for side in (mine, theirs)]
        enough = np.where(np.equal.outer(*map(np.array, kinds)), least.same, least.other)
        return [
            self._bridge(self._near, (mine[one],), (theirs[other],), float(similarity[one, other]))
            for one, other in _mutual(similarity, enough)
            if not self._statistics.co_occur(mine[one], theirs[other])
            and not self._draft.is_name(mine[one])
            and not self._document.is_name(theirs[other])
        ]

    def near_phrases(self) -> list[Bridge]:
        """The same for frequent n-grams of two or three words, whose vectors are the means of those of their words."""
        vectors = self._statistics.vectors
        mine, theirs = self._phrases(self._draft), self._phrases(self._document)
        shared = mine.keys() & theirs.keys()
        one = [term for term in mine if term not in shared][:_PHRASES]
        other = [term for term in theirs if term not in shared][:_PHRASES]
        if vectors is None or not one or not other:
            return []
        words = sorted({word for term in chain(one, other) for word in term})
        rows, row_of = vectors.rows(words), {word: row for row, word in enumerate(words)}
        means = [_means(rows, row_of, side) for side in (one, other)]
        similarity = means[0] @ means[1].T
        heads = [rows[[row_of[term[-1]] for term in side]] for side in (one, other)]
        stems = [[{_form(self._stem(word)) for word in term} for term in side] for side in (one, other)]
        apart = np.array([[not mine & theirs for theirs in stems[1]] for mine in stems[0]])
        similarity = np.where(apart & (heads[0] @ heads[1].T >= vectors.thresholds.head), similarity, -1.0)
        return [
            self._bridge(self._near, one[row], other[column], float(similarity[row, column]))
            for row, column in _mutual(similarity, np.full(similarity.shape, vectors.thresholds.phrase))
        ]

    def _has_content(self, word: str) -> bool:
        return word.isalpha() and len(word) > 2 and has_weight(word, self._language) and word not in OFFICE_WORDS

    def _own_words(self, own: dict[str, int], other: dict[str, int], *, documents: int) -> list[str]:
        """The words that only one side has and that are not too common, heaviest first."""
        limit = max(1.0, _COMMON * documents)
        words = [word for word in own if word not in other and 0 < self._df.get(word, 0) <= limit]
        return sorted(words, key=lambda word: (-self._weight(word, own[word]), word))

    def _weight(self, word: str, times: int) -> float:
        return (1.0 + log(times)) * log((self._statistics.documents + 1) / self._df[word])

    def _candidates(self, side: Located, words: Sequence[str], other: Located) -> list[str]:
        """The words that may be bridged: frequent enough, with a vector, and no form of them on the other side."""
        there = {_form(self._stem(word)) for word in other.counts}
        found = [w for w in words if side.counts[w] >= _TIMES and _form(self._stem(w)) not in there]
        known = self._statistics.known(found)
        return [word for word in found if word in known][:_WORDS]

    def _phrases(self, side: Located) -> dict[Term, int]:
        """Frequent n-grams of words with content that end with a noun, heaviest first."""
        limit = max(1.0, _COMMON_IN_PHRASE * self._statistics.documents)
        fit = {word for word in side.counts if 0 < self._df.get(word, 0) <= limit}
        fit &= self._statistics.known(sorted(fit))
        counts: Counter[Term] = Counter()
        for piece in side.pieces:
            counts.update(ngrams(piece.words, fit, _LONGEST))
        frequent = {
            term: times
            for term, times in counts.items()
            if times >= _PHRASE_TIMES and len(set(term)) == len(term) and is_noun_like(term[-1], self._language)
        }
        return dict(
            sorted(frequent.items(), key=lambda item: (-sum(self._weight(w, item[1]) for w in item[0]), item[0]))
        )

    def _bridge(self, kind: BridgeKind, one: Term, other: Term, similarity: float) -> Bridge:
        ends = ((self._draft, one), (self._document, other))
        mine, theirs = (BridgeEnd(" ".join(t), min(self._df[w] for w in t), side.of(t)) for side, t in ends)
        return Bridge(kind, mine, theirs, round(min(1.0, similarity), 6))


def _form(stemmed: str) -> str:
    """Corrects what the stemmer leaves: echo and echoes."""
    return stemmed[:-1] if stemmed.endswith("oe") else stemmed


def _means(rows: np.ndarray, row_of: dict[str, int], terms: Sequence[Term]) -> np.ndarray:
    means = np.stack([rows[[row_of[word] for word in term]].mean(axis=0) for term in terms])
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return means / np.where(lengths > 0, lengths, 1.0)


def _mutual(similarity: np.ndarray, minimum: np.ndarray) -> list[tuple[int, int]]:
    """Pairs that are mutual nearest neighbours, and similar enough."""
    nearest, back = similarity.argmax(axis=1).tolist(), similarity.argmax(axis=0)
    close = similarity >= minimum
    return [(one, other) for one, other in enumerate(nearest) if back[other] == one and close[one, other]]
