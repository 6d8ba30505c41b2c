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
_NOTHING = 1e-10


@dataclass(kw_only=True, eq=False)
class Kpca(ReducedFeatures):
    """Components of the centred kernel matrix; a row is the text's projection on them, of length 1.

    The kernel is `linear`, x·y, or `gaussian`, exp(−|x − y|² / 2σ²). `landmarks` is the number of texts, chosen by
    seed, through which the kernel is approximated (Nyström): 0 is none, so that the kernel is exact; None is none as
    long as that is possible, which is always with the linear kernel, and up to 12,000 texts with the Gaussian one;
    beyond them it takes four for each dimension, at least 2,000. All other parameters are those of LSA.
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
        """Principal components of φ(x) = k(x, Z)·k(Z, Z)^−½ over all texts; with all as landmarks Z that is exact."""
        chosen = np.sort(np.random.default_rng(self.seed).choice(rows.shape[0], count, replace=False))
        marks = rows[chosen]
        from scipy.linalg import eigh  # a tenth of a second to import, and only what learns needs it

        values, vectors = eigh(self._kernel_matrix(gram(marks), squares(marks), squares(marks)))
        kept = values > max(_NOTHING * values[-1], np.finfo(float).tiny)
        root = scaled(vectors[:, kept], values[kept])
        mean, spread = self._moments(rows, marks, root)
        found = leading(lambda columns: np.asarray(spread @ columns), len(spread), self.dimensions, seed=self.seed)
        turn = found[1] if len(found[0]) else np.zeros((len(spread), 1))
        return self._projection(marks, np.ascontiguousarray(root @ turn), mean @ turn)

    def _moments(self, rows: csr_array, marks: csr_array, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean of φ and the sums of the products of its coordinates, each less its mean."""
        by_column, lengths = marks.tocsc(), squares(marks)
        total, spread = np.zeros(root.shape[1]), np.zeros((root.shape[1], root.shape[1]))
        for start in range(0, rows.shape[0], _BATCH):
            batch = rows[start : start + _BATCH]
            found = self._kernel_matrix(dots(batch, by_column), squares(batch), lengths) @ root
            total += found.sum(axis=0)
            spread += found.T @ found
        mean = total / rows.shape[0]
        return mean, spread - rows.shape[0] * np.outer(mean, mean)

    def _products(self, rows: csr_array) -> Multiply:
        if self.kernel == "linear":
            return products_of(rows)
        lengths = squares(rows)
        matrix = self._kernel_matrix(gram(rows), lengths, lengths)
        return lambda columns: np.asarray(matrix @ columns)

    def _kernel_matrix(self, products: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return products if self.kernel == "linear" else gaussian(products, one, other, sigma=self.sigma)

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
        """Refuses parameters without a meaning."""
        super().check()
        if self.kernel not in KERNELS:
            raise ForeartError(f"kernel is {self.kernel!r}; it can be {', '.join(KERNELS)}")
        if self.sigma <= 0:
            raise ForeartError(f"sigma is {self.sigma}; it can be any number above 0")
        if self.landmarks is not None and self.landmarks < 0:
            raise ForeartError(f"landmarks is {self.landmarks}; it can be 0, for none, or more, or None")


def _centred(multiply: Multiply) -> Multiply:
    """The product with the matrix after the mean is taken from its rows and its columns."""

    def centred(columns: np.ndarray) -> np.ndarray:
        found = multiply(columns - columns.mean(axis=0))
        found -= found.mean(axis=0)
        return found

    return centred
