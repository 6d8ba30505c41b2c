"""Which words are near in meaning: by the vectors that an index has learned from the corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.index import Index

# Indexes that have vectors of words, the best first: those of words around a word know what can stand in its place,
# topics know only what occurs in the same documents.
MEANING_INDEXES = ("ppmi", "word2vec")
VECTOR_INDEXES = (*MEANING_INDEXES, "topics", "lsa")


@dataclass(frozen=True, slots=True)
class Nearness:
    """Least cosines: of two words that look like the same kind of word, of two that do not, of phrases, of their heads.

    Chosen by eye on pairs of targets and documents they cite, see docs/explain.md.
    """

    same: float
    other: float
    phrase: float
    head: float


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors by word; `source` is the name of the index that learned them. `topical` ones know topics, not meaning."""

    source: str
    columns: Mapping[str, int]
    vectors: Callable[[Sequence[int]], np.ndarray]
    topical: bool = False
    nearness: Nearness = Nearness(same=0.60, other=0.70, phrase=0.70, head=0.57)

    def known(self, words: Sequence[str]) -> np.ndarray:
        """Which words have a vector."""
        return np.array([word in self.columns for word in words], dtype=bool)

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The vectors of known words, of length 1."""
        return _unit(self.vectors([self.columns[word] for word in words]))


def vectors_of(name: str, index: Index) -> WordVectors | None:
    """The vectors of words that an index has; None if it has none."""
    features = index.word_vectors
    if features is None or features.word_columns is None:
        return None
    return WordVectors(name, features.word_columns, features.word_rows, topical=features.topical)


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: np.ndarray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found
