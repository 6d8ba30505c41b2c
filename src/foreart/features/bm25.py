"""BM25: idf weights with saturating counts and length normalisation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import ForeartError, IndexingError
from foreart.features.base import Vocabulary, WordFeatures, require_texts
from foreart.features.counting.count_rows import Counts

QUERIES = ("count", "binary", "saturated")


@dataclass(kw_only=True, eq=False)
class Bm25(WordFeatures):
    """As in Lucene: idf · tf / (tf + k1 · (1 − b + b · length / mean)), with idf = ln(1 + (N − df + ½) / (df + ½)).

    This is the weight of a word in a document (Robertson et al. 1994; Lucene omits the constant factor k1 + 1;
    k1 = 1.5, the default of bm25s and rank_bm25, suits long texts better than Lucene's 1.2).
    A query's row is the count of each word, 0/1, or `saturated` (k3 + 1) · count / (k3 + count); the score is the dot
    product. The length of a text is the number of its known words; texts of the training corpus have no others.
    """

    name: ClassVar[str] = "bm25"
    stored_as: ClassVar[Literal["rows", "words"]] = "words"
    measure: ClassVar[Literal["cosine", "linear"]] = "linear"

    k1: float = 1.5
    b: float = 0.75
    query: Literal["count", "binary", "saturated"] = "count"
    k3: float = 8.0
    as_published: bool = False

    def fit_counts(self, counts: Counts) -> Self:
        """Learns the vocabulary, document frequencies and the mean length."""
        self.check()
        require_texts(self.name, len(counts))
        known = counts.narrowed()
        words = int(known.rows.data.sum(dtype=np.int64))
        return self.set_statistics(known.terms, known.document_frequencies, documents=len(known), words=words)

    def set_statistics(self, terms: Sequence[str], df: np.ndarray, *, documents: int, words: int) -> Self:
        """Sets statistics counted elsewhere: the document frequency of each term, and the number of all words."""
        self._set(Vocabulary(terms), df, documents, words)
        return self

    def encode_counts(self, counts: Counts) -> csr_array:
        """The weight of each word of each document."""
        rows = self._known(counts)
        lengths = np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()
        norms = length_norms(lengths, self.documents_, self.words_, k1=self.k1, b=self.b)
        tf = rows.data.astype(np.float64)
        idf = bm25_idf(self.df_, self.documents_)[rows.indices]
        return _like(rows, idf * tf / (tf + np.repeat(norms, np.diff(rows.indptr))))

    def encode_query_counts(self, counts: Counts) -> csr_array:
        """The weight of each word of each query."""
        rows = self._known(counts)
        return _like(rows, query_weights(rows.data, self.query, k3=self.k3))

    @property
    def terms(self) -> Sequence[str]:
        """The words in column order."""
        return self._vocabulary_.terms

    def save_learned(self, folder: Path) -> None:
        """Words, document frequencies, and the numbers of documents and words."""
        self._vocabulary_.save(folder)
        np.save(folder / "df.npy", self.df_)
        (folder / "size.json").write_text(json.dumps({"documents": self.documents_, "words": self.words_}), "utf-8")

    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`."""
        vocabulary = Vocabulary.load(folder)
        size = json.loads((folder / "size.json").read_text("utf-8"))
        df = np.load(folder / "df.npy")
        if len(df) != len(vocabulary):
            raise IndexingError(f"{folder}: {len(vocabulary)} words but {len(df)} frequencies; rebuild the index")
        self._set(vocabulary, df, size["documents"], size["words"])

    def _set(self, vocabulary: Vocabulary, df: np.ndarray, documents: int, words: int) -> None:
        self._vocabulary_ = vocabulary
        self.df_ = df
        self.documents_ = documents
        self.words_ = words

    def _known(self, counts: Counts) -> csr_array:
        return counts.over(self._vocabulary_.terms, self._vocabulary_.columns)

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        if self.query not in QUERIES:
            raise ForeartError(f"query is {self.query!r}; it can be {', '.join(QUERIES)}")
        if self.k1 < 0 or self.k3 < 0:
            raise ForeartError(f"k1 is {self.k1} and k3 is {self.k3}; they can be 0 or more")
        if not 0 <= self.b <= 1:
            raise ForeartError(f"b is {self.b}; it can be from 0 to 1")


def bm25_idf(df: np.ndarray, documents: int) -> np.ndarray:
    """The idf of BM25, by document frequency."""
    weights: np.ndarray = np.log1p((documents - df + 0.5) / (df + 0.5))
    return weights


def length_norms(lengths: np.ndarray, documents: int, words: int, *, k1: float, b: float) -> np.ndarray:
    """The term added to a count in the denominator, k1 · (1 − b + b · length / mean), for each document."""
    relative = lengths * documents / max(words, 1)
    norms: np.ndarray = k1 * (1.0 - b + b * relative)
    return norms


def query_weights(counts: np.ndarray, query: str, *, k3: float) -> np.ndarray:
    """The weight of each word of a query, by its count in the query."""
    tf = np.asarray(counts, dtype=np.float64)
    if query == "binary":
        return np.ones(len(tf))
    return (k3 + 1.0) * tf / (k3 + tf) if query == "saturated" else tf.copy()


def _like(rows: csr_array, weights: np.ndarray) -> csr_array:
    """New weights with the same sparsity pattern."""
    return csr_array((weights, rows.indices.copy(), rows.indptr.copy()), shape=rows.shape)
