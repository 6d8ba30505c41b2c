"""The weighted words of a query, with their numbers in every segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np

from foreart.features.counting.string_arrays import hashes, joined
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting


@dataclass(frozen=True)
class Query:
    """The words with a nonzero weight that some live document has, in the order of their bytes.

    `weights` is the row of the query, of unit length if scores are cosines; `factors` are weights times idf, by which
    tf weights of documents are multiplied. `terms` has for each segment the number of each word, -1 if it is absent.
    """

    words: tuple[str, ...]
    counts: np.ndarray
    df: np.ndarray
    weights: np.ndarray
    factors: np.ndarray
    terms: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def columns(self) -> dict[str, int]:
        """The position of each word."""
        return {word: column for column, word in enumerate(self.words)}

    @cached_property
    def scored(self) -> np.ndarray:
        """0, for words that the query lacks, followed by the factors."""
        return np.concatenate([[0.0], self.factors])

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number of each word, a row per segment."""
        return np.array(self.terms, dtype=np.int64).reshape(len(self.terms), len(self))

    @property
    def unplaced(self) -> Query:
        """Without the numbers in segments, to be sent to whoever has some of them."""
        return replace(self, terms=())

    def over(self, snapshot: Snapshot) -> Query:
        """The same words and weights with their numbers in the segments of a snapshot."""
        letters, ends = joined(self.words)
        hashed = hashes(letters, ends)
        terms = tuple(segment.terms.find_letters(letters, ends, hashed) for segment in snapshot.segments)
        return replace(self, terms=terms)

    def take(self, chosen: np.ndarray) -> Query:
        """A query of some of the words, with unchanged weights."""
        return Query(
            tuple(self.words[column] for column in chosen.tolist()),
            self.counts[chosen],
            self.df[chosen],
            self.weights[chosen],
            self.factors[chosen],
            tuple(numbers[chosen] for numbers in self.terms),
        )


def make_query(snapshot: Snapshot, weighting: Weighting, words: Iterable[str] | Mapping[str, int]) -> Query:
    """The query of a list of words, or of words with their counts."""
    word_counts = words if isinstance(words, Mapping) else Counter(words)
    # The order of code points is that of UTF-8 bytes.
    distinct = sorted(word_counts)
    letters, ends = joined(distinct)
    hashed = hashes(letters, ends)
    terms = [segment.terms.find_letters(letters, ends, hashed) for segment in snapshot.segments]
    df = _frequencies(snapshot, terms, len(distinct))
    idf = weighting.idf_of(df, snapshot.documents)
    counts = np.array(list(map(word_counts.__getitem__, distinct)), dtype=np.int64)
    nonzero = (idf > 0) & (counts > 0)
    kept = np.flatnonzero(nonzero)
    weights = weighting.query_row(counts[kept], idf[kept])
    return Query(
        tuple(compress(distinct, nonzero.tolist())),
        counts[kept],
        df[kept],
        weights,
        weights * idf[kept],
        tuple(numbers[kept] for numbers in terms),
    )


def _frequencies(snapshot: Snapshot, terms: list[np.ndarray], words: int) -> np.ndarray:
    """The document frequency of each word; every segment with the word stores that of all segments."""
    df = np.zeros(words, dtype=np.int64)
    for numbers, known in zip(terms, snapshot.df, strict=True):
        present = np.flatnonzero((numbers >= 0) & (df == 0))
        df[present] = known[numbers[present]]
    return df
