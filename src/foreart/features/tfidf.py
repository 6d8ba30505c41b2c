"""Words weighted by how often they occur here and how rarely elsewhere: the bag of words of Helmers et al. (2019)."""

from __future__ import annotations

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import ForeartError, IndexError_
from foreart.features.base import Features
from foreart.text import tokens

TF = ("count", "binary", "log")
NORMS = ("length", "max")


class Tfidf(Features):
    """tf × idf with idf = ln(N / df), unsmoothed; each row then divided by its length (L2) or its greatest weight.

    `tf` is the raw count, 0/1, or 1 + ln(count). A word that stands in every text has idf 0 and leaves the row.
    """

    name: ClassVar[str] = "tfidf"

    def __init__(
        self,
        *,
        tf: Literal["count", "binary", "log"] = "count",
        idf: bool = True,
        norm: Literal["length", "max"] = "length",
        as_published: bool = False,
    ) -> None:
        self.tf = tf
        self.idf = idf
        self.norm = norm
        self.as_published = as_published

    def fit(self, texts: Iterable[str]) -> Self:
        """Learns the vocabulary, in alphabetical order, and in how many texts each word stands."""
        self._learn(texts)
        return self

    def encode(self, texts: Iterable[str]) -> csr_array:
        """Weighted rows, columns in order."""
        known = self._columns_
        counts = _Counts()
        for text in texts:
            found = Counter(self.words(text))
            counts.add({known[word]: count for word, count in found.items() if word in known})
        return self._weighted(counts.matrix(len(self.terms_)))

    def fit_encode(self, texts: Iterable[str]) -> csr_array:
        """`fit` and `encode` in one pass."""
        return self._weighted(self._learn(texts))

    def words(self, text: str) -> list[str]:
        """The words that are counted."""
        return tokens(text, as_published=self.as_published)

    @property
    def terms(self) -> Sequence[str]:
        """The words in the order of the columns."""
        return self.terms_

    def save_learned(self, folder: Path) -> None:
        """The words as JSON, their document frequencies as an array."""
        (folder / "terms.json").write_text(json.dumps(self.terms_, ensure_ascii=False), "utf-8")
        np.save(folder / "df.npy", self.df_)
        (folder / "documents.json").write_text(json.dumps(self.documents_), "utf-8")

    def load_learned(self, folder: Path) -> None:
        """Takes up what `save_learned` wrote."""
        terms = json.loads((folder / "terms.json").read_text("utf-8"))
        documents = json.loads((folder / "documents.json").read_text("utf-8"))
        df = np.load(folder / "df.npy")
        if len(df) != len(terms):
            raise IndexError_(f"{folder}: {len(terms)} words but {len(df)} frequencies; build the index anew")
        self._set(terms, df, documents)

    def _learn(self, texts: Iterable[str]) -> csr_array:
        """Learns, and gives the raw counts it learned from."""
        self._check()
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        counts = _Counts()
        for text in texts:
            found = Counter(self.words(text))
            counts.add({numbers[word]: count for word, count in found.items()})
        terms = sorted(numbers)
        places = np.empty(len(terms), dtype=np.int32)
        places[[numbers[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
        matrix = counts.matrix(len(terms), places)
        df = np.bincount(matrix.indices, minlength=len(terms)).astype(np.int64)
        self._set(terms, df, matrix.shape[0])
        return matrix

    def _set(self, terms: list[str], df: np.ndarray, documents: int) -> None:
        self.terms_ = terms
        self.df_ = df
        self.documents_ = documents
        self._columns_ = {term: column for column, term in enumerate(terms)}

    def _weighted(self, counts: csr_array) -> csr_array:
        """The weights of rows of counts."""
        data = counts.data.astype(np.float64)
        if self.tf == "binary":
            data = np.ones_like(data)
        elif self.tf == "log":
            data = 1.0 + np.log(data)
        if self.idf:
            data *= np.log(self.documents_ / self.df_)[counts.indices]
        rows = csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
        rows.eliminate_zeros()
        sizes = _lengths(rows) if self.norm == "length" else _greatest(rows)
        rows.data /= np.repeat(np.where(sizes > 0, sizes, 1.0), np.diff(rows.indptr))
        return rows

    def _check(self) -> None:
        if self.tf not in TF:
            raise ForeartError(f"tf is {self.tf!r}; it can be {', '.join(TF)}")
        if self.norm not in NORMS:
            raise ForeartError(f"norm is {self.norm!r}; it can be {', '.join(NORMS)}")


class _Counts:
    """Growing arrays of columns and counts: eight bytes for each word of each text."""

    def __init__(self) -> None:
        self._columns = array("i")
        self._counts = array("i")
        self._ends = array("q", [0])

    def add(self, row: dict[int, int]) -> None:
        """One more text."""
        self._columns.extend(row.keys())
        self._counts.extend(row.values())
        self._ends.append(len(self._columns))

    def matrix(self, width: int, places: np.ndarray | None = None) -> csr_array:
        """All texts as rows of counts in order of column; `places` renames the columns."""
        columns = np.frombuffer(self._columns, dtype=np.int32) if self._columns else np.empty(0, np.int32)
        counts = np.frombuffer(self._counts, dtype=np.int32) if self._counts else np.empty(0, np.int32)
        named = columns.copy() if places is None else places[columns]
        ends = np.array(self._ends, dtype=np.int64)
        matrix = csr_array((counts.copy(), named, ends), shape=(len(ends) - 1, width))
        matrix.sort_indices()
        return matrix


def _lengths(rows: csr_array) -> np.ndarray:
    squares = np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64)
    return np.sqrt(squares.ravel())


def _greatest(rows: csr_array) -> np.ndarray:
    if not rows.nnz:
        return np.zeros(rows.shape[0])
    return np.asarray(rows.max(axis=1).toarray(), dtype=np.float64).ravel()
