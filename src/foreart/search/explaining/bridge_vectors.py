"""Word vectors of an index, for words that are near in meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.index import Index

# Indexes with word vectors, the best first: vectors learned from contexts find substitutes of a word, topics only find
# words of the same documents.
MEANING_INDEXES = ("ppmi", "word2vec")
VECTOR_INDEXES = (*MEANING_INDEXES, "topics", "lsa")


@dataclass(frozen=True, slots=True)
class CosineThresholds:
    """Minimum cosines: of two words of the same kind, of two of different kinds, of phrases, of the heads of phrases.

    Chosen by hand on pairs of targets and documents that they cite, see docs/explain.md.
    """

    same: float
    other: float
    phrase: float
    head: float


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors by word; `source` is the index that learned them. `topical` ones capture topics, not meaning."""

    source: str
    columns: Mapping[str, int]
    vectors: Callable[[Sequence[int]], np.ndarray]
    topical: bool = False
    thresholds: CosineThresholds = CosineThresholds(same=0.60, other=0.70, phrase=0.70, head=0.57)

    def known(self, words: Sequence[str]) -> np.ndarray:
        """Which words have a vector."""
        return np.array([word in self.columns for word in words], dtype=bool)

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The vectors of known words, of unit length."""
        return _unit(self.vectors([self.columns[word] for word in words]))


def vectors_of(name: str, index: Index) -> WordVectors | None:
    """The word vectors of an index; None if it has none."""
    features = index.word_vectors
    if features is None or features.word_columns is None:
        return None
    return WordVectors(name, features.word_columns, features.word_rows, topical=features.topical)


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: np.ndarray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
