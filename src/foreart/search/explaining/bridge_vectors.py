"""Which words are near in meaning: by the vectors that an index has learned from the corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from foreart.features.topics.projection import Linear
from foreart.features.topics.reduction import ReducedFeatures
from foreart.features.vectors.word_vectors import WordVectorFeatures
from foreart.index import Index
from foreart.index.row_index import RowIndex

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


class WordVectors(ABC):
    """Vectors of length 1 by word. `source` is the name of the index; `topical` ones know topics, not meaning."""

    source: str
    topical: bool = False
    nearness: Nearness

    @abstractmethod
    def known(self, words: Sequence[str]) -> np.ndarray:
        """Of which words there is a vector."""

    @abstractmethod
    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The vectors of known words."""


class _Learned(WordVectors):
    nearness = Nearness(same=0.60, other=0.70, phrase=0.70, head=0.57)

    def __init__(self, source: str, features: WordVectorFeatures) -> None:
        self.source, self._vectors, self._columns = source, features.vectors_, features._vocabulary_.columns

    def known(self, words: Sequence[str]) -> np.ndarray:
        return np.array([word in self._columns for word in words], dtype=bool)

    def rows(self, words: Sequence[str]) -> np.ndarray:
        return _unit(self._vectors[[self._columns[word] for word in words]].astype(np.float64))


class _Topics(WordVectors):
    nearness = Nearness(same=0.60, other=0.70, phrase=0.70, head=0.57)
    topical = True

    def __init__(self, source: str, projection: Linear, columns: Mapping[str, int]) -> None:
        self.source, self._projection, self._columns = source, projection, columns

    def known(self, words: Sequence[str]) -> np.ndarray:
        return np.array([word in self._columns for word in words], dtype=bool)

    def rows(self, words: Sequence[str]) -> np.ndarray:
        columns = [self._columns[word] for word in words]
        shape = (len(columns), len(self._columns))
        each = csr_array((np.ones(len(columns)), columns, np.arange(len(columns) + 1)), shape=shape)
        return _unit(self._projection.apply(each) + self._projection.offset)


def vectors_of(name: str, index: Index) -> WordVectors | None:
    """The vectors of words that an index has; None if it has none."""
    features = index.features if isinstance(index, RowIndex) else None
    if isinstance(features, WordVectorFeatures):
        return _Learned(name, features)
    if isinstance(features, ReducedFeatures) and isinstance(features._projection_, Linear):
        return _Topics(name, features._projection_, features._vocabulary_.columns)
    return None


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: np.ndarray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found
