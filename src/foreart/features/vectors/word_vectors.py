"""The base of word2vec and PPMI: the row of a text is the tf-idf weighted sum of its word vectors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np

from foreart.errors import ForeartError, IndexingError
from foreart.features.base import QueryParts, SequenceFeatures, require_texts
from foreart.features.counting.count_rows import Counts
from foreart.features.counting.token_stream import TokenStream, tokenized
from foreart.features.products import times
from foreart.features.tfidf import Tfidf

# A sum shorter than this share of its weights is rounding: its vectors cancel out.
_NEGLIGIBLE = 1e-6


class WordVectorFeatures(SequenceFeatures):
    """Words that occur at least `min_count` times have unit vectors; rows are their weighted sums, of length 1.

    The weights are those of tf-idf, whose `norm` makes no difference because the sums are divided by their lengths.
    """

    dense: ClassVar[bool] = True
    dimensions: int
    min_count: int
    tf: Literal["count", "binary", "log"]
    idf: bool
    as_published: bool

    @abstractmethod
    def _vectors(self, stream: TokenStream, totals: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """A vector of any length for each `kept` word; `totals` are the counts of all words of the stream."""

    def fit_stream(self, stream: TokenStream) -> Self:
        """Learns vectors from the word order, and weights from the counts."""
        return self._learn(stream, stream.counts())

    def fit_encode(self, texts: Iterable[str]) -> np.ndarray:
        """Tokenizes and counts once for both."""
        stream = tokenized(texts, self.tokenizer)
        counts = stream.counts()
        return self._learn(stream, counts).encode_counts(counts)

    def encode_counts(self, counts: Counts) -> np.ndarray:
        """Rows of length 1; all zero if no word has both a weight and a vector."""
        rows = self._weights_.encode_counts(counts)
        sums = times(rows, self.vectors_)
        lengths = np.linalg.norm(sums, axis=1)
        known = lengths > _NEGLIGIBLE * np.asarray(rows.sum(axis=1)).ravel()
        sums /= np.where(known, lengths, 1.0)[:, None]
        sums[~known] = 0.0
        return sums.astype(np.float32)

    def parts(self, text: str) -> QueryParts:
        """The weight of each word times its vector."""
        row = self._weights_.encode_counts(self._count([text]))
        words = [self._vocabulary_.terms[column] for column in row.indices.tolist()]
        each = row.data[:, None] * self.vectors_[row.indices].astype(np.float64)
        return QueryParts(words, each.sum(axis=0), lambda document: np.asarray(each @ document))

    @property
    def word_columns(self) -> Mapping[str, int]:
        """The columns of all words."""
        return self._vocabulary_.columns

    def word_rows(self, columns: Sequence[int]) -> np.ndarray:
        """The learned vectors."""
        return self.vectors_[list(columns)].astype(np.float64)

    def vector(self, word: str) -> np.ndarray:
        """The unit vector of a word; all zero if it has none."""
        column = self._vocabulary_.columns.get(word)
        return np.zeros(self.dimensions, np.float32) if column is None else self.vectors_[column].copy()

    def save_learned(self, folder: Path) -> None:
        """Words, document frequencies and vectors."""
        self._weights_.save_learned(folder)
        np.save(folder / "vectors.npy", self.vectors_)

    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`."""
        weights = self._weighting()
        weights.load_learned(folder)
        vectors = np.load(folder / "vectors.npy")
        if vectors.shape != (len(weights.terms), self.dimensions):
            raise IndexingError(f"{folder}: {len(weights.terms)} words but {vectors.shape} vectors; rebuild the index")
        self._set(weights, vectors)

    def _learn(self, stream: TokenStream, counts: Counts) -> Self:
        self.check()
        require_texts(self.name, len(stream))
        totals = np.bincount(counts.rows.indices, weights=counts.rows.data, minlength=len(stream.terms)).astype(
            np.int64
        )
        kept = np.flatnonzero(totals >= self.min_count)
        vectors = unit(self._vectors(stream, totals, kept)) if len(kept) else np.zeros((0, self.dimensions), np.float32)
        words = Counts([stream.terms[column] for column in kept.tolist()], counts.onto(kept))
        self._set(self._weighting().fit_counts(words), vectors)
        return self

    def _set(self, weights: Tfidf, vectors: np.ndarray) -> None:
        self._weights_ = weights
        self._vocabulary_ = weights._vocabulary_
        self.vectors_ = vectors

    def _weighting(self) -> Tfidf:
        return Tfidf(tf=self.tf, idf=self.idf, as_published=self.as_published)

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        require_positive(self, "dimensions", "min_count", "window")


def require_positive(features: SequenceFeatures, *names: str) -> None:
    """Raises an error for parameters below 1."""
    for name in names:
        if getattr(features, name) < 1:
            raise ForeartError(f"{name} is {getattr(features, name)}; it can be 1 or more")


def unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors divided by their lengths, in single precision; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=1)
    return (vectors / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
