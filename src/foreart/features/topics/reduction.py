"""The base of LSA and KPCA: maps tf-idf rows to unit rows of few dimensions."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import ForeartError, IndexingError
from foreart.features.base import CountedFeatures, QueryParts, Vocabulary, require_texts
from foreart.features.counting.count_rows import Counts, count
from foreart.features.counting.token_stream import TokenStream, tokenized
from foreart.features.products import gram, times
from foreart.features.spectrum import Multiply
from foreart.features.tfidf import Tfidf, row_lengths
from foreart.features.topics.bigrams import Bigrams, frequent_pairs, joined, joined_counts
from foreart.features.topics.projection import Projection
from foreart.text.tokens import Tokenizer

# Up to this many texts, the dot products of all pairs are kept in memory: 1.2 GB.
DENSE_TEXTS = 12_000
# Columns of a product computed at a time, each as long as the vocabulary.
_COLUMNS = 64
# A projection shorter than this share of the row is rounding: the text is orthogonal to all dimensions.
_NEGLIGIBLE = 1e-6


class ReducedFeatures(CountedFeatures):
    """Projects tf-idf rows to few dimensions.

    Rows are bit for bit the same in two processes with the same number of BLAS threads, and for any batching; with
    another number of threads they differ in the last digit of single precision (6e-8 on 3,000 patents).
    """

    dense: ClassVar[bool] = True
    topical: ClassVar[bool] = True
    dimensions: int
    tf: Literal["count", "binary", "log"]
    idf: bool
    norm: Literal["length", "max"] | None
    min_df: int
    bigrams: bool | None
    as_published: bool
    seed: int
    bigrams_: Bigrams

    @abstractmethod
    def _learn(self, rows: csr_array) -> Projection:
        """Learns the projection from weighted rows."""

    @abstractmethod
    def _load_projection(self, folder: Path) -> Projection:
        """Reads the projection from a folder."""

    def from_counts(self) -> ReducedFeatures | None:
        """Itself, unless pairs of words are joined: postings do not have pairs."""
        return None if self.bigrams or self.as_published else self

    def fit(self, texts: Iterable[str]) -> Self:
        """Counts, joining pairs of words if requested, and learns."""
        return self._fit(self._read(texts))

    def fit_counts(self, counts: Counts) -> Self:
        """Learns from counts; not possible with pairs of words."""
        if self._joins:
            raise TypeError(f"{self.name} with bigrams learns from the order of words: use fit or fit_stream")
        return self._fit(counts)

    def fit_stream(self, stream: TokenStream) -> Self:
        """Learns from a stream of single words."""
        return self._fit(self._counts(stream))

    def fit_encode(self, texts: Iterable[str]) -> np.ndarray:
        """Reads the texts once for both."""
        counts = self._read(texts)
        return self._fit(counts).encode_counts(counts)

    def encode_stream(self, stream: TokenStream) -> np.ndarray:
        """The rows of a stream of single words."""
        return self.encode_counts(joined_counts(stream, self.bigrams_) if self._joins else stream.counts())

    def encode_counts(self, counts: Counts) -> np.ndarray:
        """Rows of length 1; all zero if no word is known or the text is orthogonal to all dimensions."""
        rows = self._weights_.encode_counts(counts)
        projected = self._projection_.apply(rows)
        lengths = np.linalg.norm(projected, axis=1)
        sizes = row_lengths(rows)
        projected /= np.where(lengths > 0, lengths, 1.0)[:, None]
        projected[(sizes == 0) | (lengths <= _NEGLIGIBLE * sizes)] = 0.0
        return projected.astype(np.float32)

    @property
    def tokenizer(self) -> Tokenizer:
        """The function that splits texts into words and joins frequent pairs."""
        single = super().tokenizer
        return (lambda text: joined(single(text), self.bigrams_)) if self._joins else single

    def parts(self, text: str) -> QueryParts | None:
        """The weight of each word times its vector, and a constant part if rows are centred."""
        projection = self._projection_
        if not projection.linear:
            return None
        row = self._weights_.encode_counts(self._count([text]))
        words = [self._vocabulary_.terms[column] for column in row.indices.tolist()]
        constant = [-projection.offset] if projection.offset.any() and words else []

        def products(document: np.ndarray) -> np.ndarray:
            each = row.data * projection.word_products(row.indices, document)
            return np.append(each, [part @ document for part in constant])

        return QueryParts([*words, *([""] * len(constant))], projection.apply(row)[0], products)

    @property
    def word_columns(self) -> Mapping[str, int] | None:
        """The columns of all words, if rows are sums over words."""
        return self._vocabulary_.columns if self._projection_.linear else None

    def word_rows(self, columns: Sequence[int]) -> np.ndarray:
        """The projections of texts of one word."""
        shape = (len(columns), len(self._vocabulary_))
        each = csr_array((np.ones(len(columns)), columns, np.arange(len(columns) + 1)), shape=shape)
        return np.asarray(self._projection_.apply(each) + self._projection_.offset)

    def save_learned(self, folder: Path) -> None:
        """Words, document frequencies, pairs and the projection."""
        self._weights_.save_learned(folder)
        self._projection_.save(folder)
        if self._joins:
            pairs = {first: sorted(seconds) for first, seconds in self.bigrams_.items()}
            (folder / "bigrams.json").write_text(json.dumps(pairs, ensure_ascii=False), "utf-8")

    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`."""
        weights = self._weighting()
        weights.load_learned(folder)
        if self._joins:
            pairs = json.loads((folder / "bigrams.json").read_text("utf-8"))
            self.bigrams_ = {first: frozenset(seconds) for first, seconds in pairs.items()}
        self._set(weights)
        self._projection_ = self._load_projection(folder)
        if self._projection_.texts.shape[1] != len(weights.terms):
            raise IndexingError(f"{folder}: the projection does not fit the words; rebuild the index")

    def _fit(self, counts: Counts) -> Self:
        self.check()
        require_texts(self.name, len(counts))
        chosen = self.learns_from(len(counts))
        if len(chosen) < len(counts):
            counts = counts.take(chosen).narrowed()
        if self.min_df > 1:
            kept = np.flatnonzero(counts.document_frequencies >= self.min_df)
            counts = Counts([counts.terms[column] for column in kept.tolist()], counts.onto(kept))
        weights = self._weighting().fit_counts(counts)
        self._set(weights)
        self._projection_ = self._learn(_narrow(weights.encode_counts(counts)))
        return self

    def _set(self, weights: Tfidf) -> None:
        self._weights_ = weights
        self._vocabulary_: Vocabulary = weights._vocabulary_

    def _weighting(self) -> Tfidf:
        norm = self.norm or ("max" if self.as_published else "length")
        return Tfidf(tf=self.tf, idf=self.idf, norm=norm, as_published=self.as_published)

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        for name in ("dimensions", "min_df"):
            if getattr(self, name) < 1:
                raise ForeartError(f"{name} is {getattr(self, name)}; it can be 1 or more")

    @property
    def _joins(self) -> bool:
        return self.as_published if self.bigrams is None else self.bigrams

    def _read(self, texts: Iterable[str]) -> Counts:
        single = super().tokenizer
        return self._counts(tokenized(texts, single)) if self._joins else count(texts, single)

    def _counts(self, stream: TokenStream) -> Counts:
        if not self._joins:
            return stream.counts()
        self.bigrams_ = frequent_pairs(stream)
        return joined_counts(stream, self.bigrams_)


def _narrow(rows: csr_array) -> csr_array:
    """Indices as int32 if they fit: half the memory of int64."""
    if rows.nnz > np.iinfo(np.int32).max:
        return rows
    return csr_array((rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)), shape=rows.shape)


def products_of(rows: csr_array) -> Multiply:
    """Multiplies by X·Xᵀ: as one square matrix, or by Xᵀ and then X if that is too large."""
    if rows.shape[0] <= DENSE_TEXTS:
        kernel = gram(rows)
        return lambda columns: np.asarray(kernel @ columns)
    by_word = rows.T.tocsr()

    def multiply(columns: np.ndarray) -> np.ndarray:
        found = np.empty_like(columns)
        for start in range(0, columns.shape[1], _COLUMNS):
            block = np.ascontiguousarray(columns[:, start : start + _COLUMNS])
            found[:, start : start + _COLUMNS] = times(rows, times(by_word, block))
        return found

    return multiply
