"""What a count is worth: the weights of tf-idf and BM25, taken from the counts of postings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

import numpy as np

from foreart.errors import IndexingError
from foreart.features.bm25 import Bm25, length_rooms, query_weights, rarity_weights
from foreart.features.tfidf import Tfidf, idf_weights, tf_weights
from foreart.index.storage.segment import GREAT

# A level is a weight of log-tf times this, rounded. With 39 the commonest counts are hit almost exactly (1, 2, 3, 4 and
# 6, 7, 8 times 39 · (1 + ln count) are within 0.15 of whole numbers), and 254 stays below 256.
_STEPS = 39.0


@dataclass(frozen=True)
class Weighting:
    """The parameters of the features `tfidf` or `bm25`; those of the other kind are without effect.

    A score is the sum over shared words of a factor of the query, which holds idf, and a weight of the document: its
    `worth` of the count divided by the document's length (tfidf), or count / (count + room) (bm25).
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
        """The weighting of features with these parameters; those that do not weight are left out."""
        if kind not in (Tfidf.name, Bm25.name):
            raise IndexingError(f"{kind} does not weight counts of words; {Tfidf.name} and {Bm25.name} do")
        known = {field.name for field in fields(cls)}
        return cls(kind, **{name: value for name, value in (parameters or {}).items() if name in known})  # type: ignore[arg-type]

    @property
    def measure(self) -> Literal["cosine", "linear"]:
        """How a query and a document make a score."""
        return "linear" if self.kind == Bm25.name else "cosine"

    @property
    def saturating(self) -> bool:
        """Whether the document's length is part of each weight, as in BM25."""
        return self.kind == Bm25.name

    @property
    def levelled(self) -> bool:
        """Whether weights of frequent words are read as levels, near enough to find candidates."""
        return self.kind == Tfidf.name and self.tf == "log"

    @property
    def lengths_key(self) -> str | None:
        """Equal for weightings whose documents have equal lengths; None where lengths play no part."""
        return None if self.saturating else f"tfidf-{self.tf}{'-idf' if self.idf else ''}"

    def worth(self, counts: np.ndarray) -> np.ndarray:
        """What counts above 0 are worth; BM25 leaves them as they are until the document is known."""
        return tf_weights(counts, "count" if self.saturating else self.tf)

    def rarity(self, df: np.ndarray, documents: int) -> np.ndarray:
        """The idf of words by their document frequency; 0 for a word that no living document has."""
        known = np.asarray(df) > 0
        found = np.zeros(len(known))
        if self.saturating:
            found[known] = rarity_weights(df[known].astype(np.float64), documents)
        else:
            found[known] = idf_weights(df[known].astype(np.float64), documents) if self.idf else 1.0
        return found

    def asked(self, counts: np.ndarray, rarity: np.ndarray) -> np.ndarray:
        """The row of a query, of unit length where scores are cosines."""
        if self.saturating:
            return query_weights(counts, self.query, k3=self.k3)
        row: np.ndarray = self.worth(counts) * rarity
        length = float(np.sqrt(row @ row))
        return row / length if length > 0 else row

    def rooms(self, words: np.ndarray, documents: int, all_words: int) -> np.ndarray:
        """BM25's room for each document, by its number of words."""
        return length_rooms(np.asarray(words, dtype=np.float64), documents, all_words, k1=self.k1, b=self.b)

    @cached_property
    def table(self) -> np.ndarray:
        """The worth of each code; that of the greatest is a start, to be corrected by the count itself."""
        return np.concatenate([[0.0], self.worth(np.arange(1, GREAT + 1))])

    @cached_property
    def levels(self) -> np.ndarray:
        """The level of each code."""
        return np.rint(self.table * _STEPS).astype(np.uint8)

    @property
    def step(self) -> float:
        """What one level is worth."""
        return 1.0 / _STEPS

    @cached_property
    def blur(self) -> float:
        """How far, relatively, a weight may be from that of its level."""
        exact = self.table[1:]
        return float(np.max(np.abs(self.levels[1:] * self.step / exact - 1.0))) if self.levelled else 0.0
