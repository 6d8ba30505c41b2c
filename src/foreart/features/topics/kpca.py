"""Kernel principal component analysis (Schölkopf, Smola, Müller 1998) of tf-idf rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import ForeartError
from foreart.features.products import dots, gram
from foreart.features.spectrum import Multiply, leading
from foreart.features.topics.lsa import scaled
from foreart.features.topics.projection import Gaussian, Linear, gaussian, squares
from foreart.features.topics.reduction import DENSE_TEXTS, ReducedFeatures, products_of

KERNELS = ("linear", "gaussian")
_BATCH = 512
_NEGLIGIBLE = 1e-10


@dataclass(kw_only=True, eq=False)
class Kpca(ReducedFeatures):
    """Components of the centred kernel matrix; a row is the projection of the text on them, of length 1.

    The kernel is `linear`, x·y, or `gaussian`, exp(−|x − y|² / 2σ²). `landmarks` is the number of texts, sampled with
    the seed, for the Nyström approximation of the kernel; 0 is exact. None is exact where possible: always for the
    linear kernel, up to 12,000 texts for the Gaussian one; beyond that, four landmarks per dimension and at least
    2,000. All other parameters are those of LSA.
    """

    name: ClassVar[str] = "kpca"

    dimensions: int = 1000
    kernel: Literal["linear", "gaussian"] = "linear"
    sigma: float = math.sqrt(2.0)
    landmarks: int | None = None
    tf: Literal["count", "binary", "log"] = "count"
    idf: bool = True
    norm: Literal["length", "max"] | None = None
    min_df: int = 1
    bigrams: bool | None = None
    as_published: bool = False
    seed: int = 0

    def _learn(self, rows: csr_array) -> Linear | Gaussian:
        landmarks = self._landmarks(rows.shape[0])
        if landmarks:
            return self._nystrom(rows, landmarks)
        multiply = self._products(rows)
        size = rows.shape[0]
        values, vectors = leading(_centred(multiply), size, self.dimensions, seed=self.seed)
        left = scaled(vectors, values)
        left -= left.mean(axis=0)
        mean = multiply(np.full((size, 1), 1.0 / size))
        return self._projection(rows, left, (mean.T @ left)[0])

    def _nystrom(self, rows: csr_array, count: int) -> Linear | Gaussian:
        """Principal components of φ(x) = k(x, Z)·k(Z, Z)^−½ over all texts; exact if all texts are landmarks Z."""
        chosen = np.sort(np.random.default_rng(self.seed).choice(rows.shape[0], count, replace=False))
        marks = rows[chosen]
        from scipy.linalg import eigh  # takes 0.1 s to import and is needed for fitting only

        values, vectors = eigh(self._kernel_matrix(gram(marks), squares(marks), squares(marks)))
        kept = values > max(_NEGLIGIBLE * values[-1], np.finfo(float).tiny)
        root = scaled(vectors[:, kept], values[kept])
        mean, scatter = self._moments(rows, marks, root)
        found = leading(lambda columns: np.asarray(scatter @ columns), len(scatter), self.dimensions, seed=self.seed)
        turn = found[1] if len(found[0]) else np.zeros((len(scatter), 1))
        return self._projection(marks, np.ascontiguousarray(root @ turn), mean @ turn)

    def _moments(self, rows: csr_array, marks: csr_array, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean and the scatter matrix of φ over all texts."""
        by_column, lengths = marks.tocsc(), squares(marks)
        total, scatter = np.zeros(root.shape[1]), np.zeros((root.shape[1], root.shape[1]))
        for start in range(0, rows.shape[0], _BATCH):
            batch = rows[start : start + _BATCH]
            mapped = self._kernel_matrix(dots(batch, by_column), squares(batch), lengths) @ root
            total += mapped.sum(axis=0)
            scatter += mapped.T @ mapped
        mean = total / rows.shape[0]
        return mean, scatter - rows.shape[0] * np.outer(mean, mean)

    def _products(self, rows: csr_array) -> Multiply:
        if self.kernel == "linear":
            return products_of(rows)
        lengths = squares(rows)
        matrix = self._kernel_matrix(gram(rows), lengths, lengths)
        return lambda columns: np.asarray(matrix @ columns)

    def _kernel_matrix(self, products: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return products if self.kernel == "linear" else gaussian(products, left, right, sigma=self.sigma)

    def _projection(self, rows: csr_array, left: np.ndarray, offset: np.ndarray) -> Linear | Gaussian:
        if self.kernel == "linear":
            return Linear.of(rows, left, offset)
        return Gaussian.of(rows, left, offset, sigma=self.sigma)

    def _load_projection(self, folder: Path) -> Linear | Gaussian:
        if self.kernel == "linear":
            return Linear.load(folder)
        return Gaussian.load(folder, width=len(self._vocabulary_), sigma=self.sigma)

    def _landmarks(self, texts: int) -> int:
        if self.landmarks is not None:
            return min(self.landmarks, texts)
        exact = self.kernel == "linear" or texts <= DENSE_TEXTS
        return 0 if exact else min(max(2000, 4 * self.dimensions), texts)

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        super().check()
        if self.kernel not in KERNELS:
            raise ForeartError(f"kernel is {self.kernel!r}; it can be {', '.join(KERNELS)}")
        if self.sigma <= 0:
            raise ForeartError(f"sigma is {self.sigma}; it can be any number above 0")
        if self.landmarks is not None and self.landmarks < 0:
            raise ForeartError(f"landmarks is {self.landmarks}; it can be 0 (exact), a positive number, or None")


def _centred(multiply: Multiply) -> Multiply:
    """The product with the matrix after centring its rows and columns."""

    def centred(columns: np.ndarray) -> np.ndarray:
        product = multiply(columns - columns.mean(axis=0))
        product -= product.mean(axis=0)
        return product

    return centred
