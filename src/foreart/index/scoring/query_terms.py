"""The words of a query, weighted, with their numbers in every segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from foreart.features.counting.string_arrays import hashes, joined
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting


@dataclass(frozen=True)
class Query:
    """Words that some living document has and that weigh something, in the order of their bytes.

    `weights` is the row of the query, of unit length where scores are cosines; `factors` are weights times idf, which
    the worth of a document's counts is multiplied by. `terms` has for each segment the number of each word, -1 where
    the segment does not have it.
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
        """The place of each word."""
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def scored(self) -> np.ndarray:
        """The factors behind a 0, for words that the query lacks."""
        return np.concatenate([[0.0], self.factors])

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number of each word, a row for each segment."""
        return np.array(self.terms, dtype=np.int64).reshape(len(self.terms), len(self))

    def take(self, chosen: np.ndarray) -> Query:
        """Some of the words, with the weights they have among all."""
        return Query(
            tuple(self.words[place] for place in chosen.tolist()),
            self.counts[chosen],
            self.df[chosen],
            self.weights[chosen],
            self.factors[chosen],
            tuple(numbers[chosen] for numbers in self.terms),
        )


def make_query(snapshot: Snapshot, weighting: Weighting, words: Iterable[str] | Mapping[str, int]) -> Query:
    """The query of a text, cut into words, or of words and how often the text has them."""
    number = words if isinstance(words, Mapping) else Counter(words)
    # The order of characters is that of their bytes.
    asked = sorted(number)
    letters, ends = joined(asked)
    hashed = hashes(letters, ends)
    terms = [segment.terms.find_letters(letters, ends, hashed) for segment in snapshot.segments]
    df = _frequencies(snapshot, terms, len(asked))
    rarity = weighting.rarity(df, snapshot.documents)
    counts = np.array(list(map(number.__getitem__, asked)), dtype=np.int64)
    weighty = (rarity > 0) & (counts > 0)
    kept = np.flatnonzero(weighty)
    weights = weighting.asked(counts[kept], rarity[kept])
    return Query(
        tuple(compress(asked, weighty.tolist())),
        counts[kept],
        df[kept],
        weights,
        weights * rarity[kept],
        tuple(numbers[kept] for numbers in terms),
    )


def _frequencies(snapshot: Snapshot, terms: list[np.ndarray], words: int) -> np.ndarray:
    """In how many living documents each word stands: every segment that has the word knows it of all."""
    df = np.zeros(words, dtype=np.int64)
    for numbers, known in zip(terms, snapshot.df, strict=True):
        there = np.flatnonzero((numbers >= 0) & (df == 0))
        df[there] = known[numbers[there]]
    return df
