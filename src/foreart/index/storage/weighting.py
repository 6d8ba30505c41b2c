"""The weights of tf-idf and BM25, computed from the counts of postings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

import numpy as np

from foreart.errors import IndexingError
from foreart.features.bm25 import Bm25, bm25_idf, length_norms, query_weights
from foreart.features.tfidf import Tfidf, idf_weights, tf_weights
from foreart.index.storage.segment import OVERFLOW

# A level is a weight of log-tf times this, rounded. With 39 the most common counts are almost exact (39 · (1 + ln
# count) is within 0.15 of an integer for 1, 2, 3, 4, 6, 7, 8), and 254 stays below 256.
_STEPS = 39.0


@dataclass(frozen=True)
class Weighting:
    """The parameters of the features `tfidf` or `bm25`; those of the other kind have no effect.

    A score is the sum over shared words of a query factor, which includes idf, times a document weight: the `tf_weight`
    of the count divided by the length of the document (tfidf), or count / (count + length norm) (bm25).
    """

    kind: Literal["tfidf", "bm25"] = "tfidf"
    tf: Literal["count", "binary", "log"] = "count"
    idf: bool = True
    norm: Literal["length", "max"] = "length"
    k1: float = 1.5
    b: float = 0.75
    query: Literal["count", "binary", "saturated"] = "count"
    k3: float = 8.0

    @classmethod
    def of(cls, kind: str, parameters: Mapping[str, Any] | None = None) -> Weighting:
        """The weighting of features with these parameters; parameters that do not affect weights are ignored."""
        if kind not in (Tfidf.name, Bm25.name):
            raise IndexingError(f"{kind} does not weight word counts; {Tfidf.name} and {Bm25.name} do")
        known = {field.name for field in fields(cls)}
        return cls(kind, **{name: value for name, value in (parameters or {}).items() if name in known})  # type: ignore[arg-type]

    @property
    def measure(self) -> Literal["cosine", "linear"]:
        """The measure of the features."""
        return "linear" if self.kind == Bm25.name else "cosine"

    @property
    def saturating(self) -> bool:
        """Whether the length of the document is part of each weight, as in BM25."""
        return self.kind == Bm25.name

    @property
    def uses_levels(self) -> bool:
        """Whether weights of frequent words are quantised to levels, precise enough to find candidates."""
        return self.kind == Tfidf.name and self.tf == "log"

    @property
    def lengths_key(self) -> str | None:
        """Equal for weightings with equal document lengths; None if lengths are not used."""
        return None if self.saturating else f"tfidf-{self.tf}{'-idf' if self.idf else ''}"

    def tf_weight(self, counts: np.ndarray) -> np.ndarray:
        """The tf weight of counts above 0; for BM25 the counts, as their weights depend on the document."""
        return tf_weights(counts, "count" if self.saturating else self.tf)

    def idf_of(self, df: np.ndarray, documents: int) -> np.ndarray:
        """The idf of words by document frequency; 0 for a word that no live document has."""
        known = np.asarray(df) > 0
        idf = np.zeros(len(known))
        if self.saturating:
            idf[known] = bm25_idf(df[known].astype(np.float64), documents)
        else:
            idf[known] = idf_weights(df[known].astype(np.float64), documents) if self.idf else 1.0
        return idf

    def query_row(self, counts: np.ndarray, idf: np.ndarray) -> np.ndarray:
        """The row of a query, of unit length if scores are cosines."""
        if self.saturating:
            return query_weights(counts, self.query, k3=self.k3)
        row: np.ndarray = self.tf_weight(counts) * idf
        length = float(np.sqrt(row @ row))
        return row / length if length > 0 else row

    def length_norms(self, words: np.ndarray, documents: int, all_words: int) -> np.ndarray:
        """The length norm of BM25 for each document, by its number of words."""
        return length_norms(np.asarray(words, dtype=np.float64), documents, all_words, k1=self.k1, b=self.b)

    @cached_property
    def table(self) -> np.ndarray:
        """The tf weight of each code; that of `OVERFLOW` is corrected later by the actual count."""
        return np.concatenate([[0.0], self.tf_weight(np.arange(1, OVERFLOW + 1))])

    @cached_property
    def levels(self) -> np.ndarray:
        """The level of each code."""
        return np.rint(self.table * _STEPS).astype(np.uint8)

    @property
    def step(self) -> float:
        """The weight of one level."""
        return 1.0 / _STEPS

    @cached_property
    def level_error(self) -> float:
        """The largest relative error of levels."""
        exact = self.table[1:]
        return float(np.max(np.abs(self.levels[1:] * self.step / exact - 1.0))) if self.uses_levels else 0.0
