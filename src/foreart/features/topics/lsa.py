"""Latent semantic analysis: the dimensions along which words vary together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import ForeartError
from foreart.features.spectrum import leading
from foreart.features.topics.projection import Linear
from foreart.features.topics.reduction import ReducedFeatures, products_of


@dataclass(kw_only=True, eq=False)
class Lsa(ReducedFeatures):
    """Truncated SVD of tf-idf rows, not centred; a row is the projection on the right singular vectors, of length 1.

    The paper uses 100, 250, 500 and 1000 dimensions; 1000 are best on full texts. `as_published` tokenizes as the
    authors' scripts do, joins frequent pairs of words, and divides weights by the largest of the text (`norm` "max";
    the scripts also divide the counts by their maximum, which then changes nothing); `norm` and `bigrams` follow it if
    None. Words in fewer than `min_df` texts are left out. There are fewer dimensions if the rank of the texts is lower.
    With `sample`, at most that many texts, evenly spread, are learned from: the cost of fitting then does not grow with
    the corpus.
    """

    name: ClassVar[str] = "lsa"

    dimensions: int = 1000
    tf: Literal["count", "binary", "log"] = "count"
    idf: bool = True
    norm: Literal["length", "max"] | None = None
    min_df: int = 1
    sample: int = 0
    bigrams: bool | None = None
    as_published: bool = False
    seed: int = 0

    def learns_from(self, documents: int) -> np.ndarray:
        """All documents, or the sample."""
        if not 0 < self.sample < documents:
            return super().learns_from(documents)
        return np.arange(self.sample) * documents // self.sample

    @property
    def singular_values_(self) -> np.ndarray:
        """The singular values of the dimensions, largest first."""
        lengths: np.ndarray = np.linalg.norm(self._projection_.left, axis=0)
        values: np.ndarray = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return values

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        super().check()
        if self.sample < 0:
            raise ForeartError(f"sample is {self.sample}; it can be 0 (all texts) or more")

    def _learn(self, rows: csr_array) -> Linear:
        """Computes U of X = U·S·Vᵀ, as there are fewer texts than words; V is Xᵀ·U / S."""
        values, left = leading(products_of(rows), rows.shape[0], self.dimensions, seed=self.seed)
        return Linear.of(rows, scaled(left, values))

    def _load_projection(self, folder: Path) -> Linear:
        return Linear.load(folder)


def scaled(vectors: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Each eigenvector divided by the root of its eigenvalue; one column of zeros if there are none."""
    if not len(values):
        return np.zeros((len(vectors), 1))
    columns: np.ndarray = np.ascontiguousarray(vectors / np.sqrt(values))
    return columns
