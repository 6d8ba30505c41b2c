"""tf-idf weights, the bag of words of Helmers et al. (2019)."""

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

TF = ("count", "binary", "log")
NORMS = ("length", "max")


@dataclass(kw_only=True, eq=False)
class Tfidf(WordFeatures):
    """tf × idf with idf = ln(N / df), unsmoothed; each row then divided by its length (L2) or its largest weight.

    `tf` is the raw count, 0/1, or 1 + ln(count). A word that occurs in every text has idf 0 and is dropped.
    """

    name: ClassVar[str] = "tfidf"
    stored_as: ClassVar[Literal["rows", "words"]] = "words"

    tf: Literal["count", "binary", "log"] = "count"
    idf: bool = True
    norm: Literal["length", "max"] = "length"
    as_published: bool = False

    def fit_counts(self, counts: Counts) -> Self:
        """Learns the vocabulary, in alphabetical order, and document frequencies."""
        self.check()
        require_texts(self.name, len(counts))
        df = counts.document_frequencies
        kept = np.flatnonzero(df)
        terms = counts.terms if len(kept) == len(df) else [counts.terms[column] for column in kept.tolist()]
        return self.set_statistics(terms, df[kept], documents=len(counts))

    def set_statistics(self, terms: Sequence[str], df: np.ndarray, *, documents: int, words: int = 0) -> Self:
        """Sets statistics counted elsewhere: the document frequency of each term."""
        self._set(Vocabulary(terms), df, documents)
        return self

    def encode_counts(self, counts: Counts) -> csr_array:
        """Weighted rows, columns in ascending order."""
        known = self._vocabulary_
        return self._weighted(counts.over(known.terms, known.columns))

    @property
    def terms(self) -> Sequence[str]:
        """The words in column order."""
        return self._vocabulary_.terms

    def save_learned(self, folder: Path) -> None:
        """The words as JSON, their document frequencies as an array."""
        self._vocabulary_.save(folder)
        np.save(folder / "df.npy", self.df_)
        (folder / "documents.json").write_text(json.dumps(self.documents_), "utf-8")

    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`."""
        vocabulary = Vocabulary.load(folder)
        documents = json.loads((folder / "documents.json").read_text("utf-8"))
        df = np.load(folder / "df.npy")
        if len(df) != len(vocabulary):
            raise IndexingError(f"{folder}: {len(vocabulary)} words but {len(df)} frequencies; rebuild the index")
        self._set(vocabulary, df, documents)

    def _set(self, vocabulary: Vocabulary, df: np.ndarray, documents: int) -> None:
        self._vocabulary_ = vocabulary
        self.df_ = df
        self.documents_ = documents

    def _weighted(self, counts: csr_array) -> csr_array:
        """The weights of rows of counts."""
        data = tf_weights(counts.data, self.tf)
        if self.idf:
            data *= idf_weights(self.df_, self.documents_)[counts.indices]
        rows = csr_array((data, counts.indices.copy(), counts.indptr.copy()), shape=counts.shape)
        rows.eliminate_zeros()
        sizes = row_lengths(rows) if self.norm == "length" else _row_maxima(rows)
        rows.data /= np.repeat(np.where(sizes > 0, sizes, 1.0), np.diff(rows.indptr))
        return rows

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        if self.tf not in TF:
            raise ForeartError(f"tf is {self.tf!r}; it can be {', '.join(TF)}")
        if self.norm not in NORMS:
            raise ForeartError(f"norm is {self.norm!r}; it can be {', '.join(NORMS)}")


def tf_weights(counts: np.ndarray, tf: str) -> np.ndarray:
    """The tf weight of counts above 0: the count, 1, or 1 + ln(count)."""
    if tf == "binary":
        return np.ones(len(counts))
    weights: np.ndarray = np.asarray(counts, dtype=np.float64)
    return 1.0 + np.log(weights) if tf == "log" else weights.copy()


def idf_weights(df: np.ndarray, documents: int) -> np.ndarray:
    """ln(N / df), by document frequency."""
    weights: np.ndarray = np.log(documents / df)
    return weights


def row_lengths(rows: csr_array) -> np.ndarray:
    """The length (L2) of each row."""
    return np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64).ravel())


def _row_maxima(rows: csr_array) -> np.ndarray:
    if not rows.nnz:
        return np.zeros(rows.shape[0])
    return np.asarray(rows.max(axis=1).toarray(), dtype=np.float64).ravel()
