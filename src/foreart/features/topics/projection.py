"""The learned projections of LSA and KPCA, in the smallest form that is exact."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from scipy.sparse import csc_array, csr_array

from foreart.features.products import dots, times, without

# Texts projected at a time.
_BATCH = 512


class Projection(ABC):
    """Maps weighted rows to few dimensions; with a linear one, rows are sums of word vectors."""

    linear: ClassVar[bool] = False
    texts: csc_array
    left: np.ndarray
    offset: np.ndarray

    @abstractmethod
    def apply(self, rows: csr_array) -> np.ndarray:
        """The projections in double precision."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Writes arrays."""

    def word_products(self, columns: np.ndarray, row: np.ndarray) -> np.ndarray:
        """The products of some word vectors with a projected row."""
        raise TypeError(f"{type(self).__name__} has no word vectors")


@dataclass(frozen=True)
class Linear(Projection):
    """x ↦ x·Xᵀ·left − offset, where X are the training rows.

    The matrix Xᵀ·left (words × dimensions) would take gigabytes, most of it for words of a single text. Therefore
    `right` has the rows of words for which this is smaller than their column of X; for the others X is kept.
    """

    linear: ClassVar[bool] = True
    right: np.ndarray
    # The row of `right` for each word, −1 if there is none.
    places: np.ndarray
    texts: csc_array
    left: np.ndarray
    offset: np.ndarray

    @classmethod
    def of(cls, rows: csr_array, left: np.ndarray, offset: np.ndarray | None = None) -> Self:
        """The projection for training rows and left vectors."""
        by_column = rows.tocsc()
        # A weight and its text index take as much memory as two dimensions.
        folded = np.diff(by_column.indptr) > left.shape[1] / 2
        places = np.full(rows.shape[1], -1, dtype=np.int32)
        places[folded] = np.arange(folded.sum(), dtype=np.int32)
        right = times(by_column[:, np.flatnonzero(folded)].T.tocsr(), left).astype(np.float32)
        texts = without(rows, folded).tocsc().astype(np.float32)
        return cls(right, places, texts, left, np.zeros(left.shape[1]) if offset is None else offset)

    def apply(self, rows: csr_array) -> np.ndarray:
        """The projections, in double precision so that they do not depend on batching."""
        found = times(_remapped(rows, self.places, len(self.right)), self.right)
        for start in range(0, rows.shape[0], _BATCH):
            found[start : start + _BATCH] += dots(rows[start : start + _BATCH], self.texts) @ self.left
        found -= self.offset
        return found

    def word_products(self, columns: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Computes Xᵀ·(left·row), without materialising word vectors."""
        places = self.places[columns]
        folded = places >= 0
        found = np.empty(len(columns))
        found[folded] = self.right[places[folded]].astype(np.float64) @ row
        found[~folded] = self.texts[:, columns[~folded]].T @ (self.left @ row)
        return found

    def save(self, folder: Path) -> None:
        """Writes arrays."""
        np.save(folder / "right.npy", self.right)
        np.save(folder / "places.npy", self.places)
        _save_texts(folder, self.texts)
        np.save(folder / "left.npy", self.left)
        np.save(folder / "offset.npy", self.offset)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Reads what `save` wrote."""
        right, places, left, offset = (
            _mapped(folder / f"{name}.npy") for name in ("right", "places", "left", "offset")
        )
        if not right.shape[1:] == left.shape[1:] == offset.shape:
            raise ValueError(f"{right.shape}, {left.shape} and {offset.shape} do not fit together")
        return cls(right, places, _load_texts(folder, len(left), len(places)), left, offset)


@dataclass(frozen=True)
class Gaussian(Projection):
    """x ↦ k(x, Z)·left − offset, with k(x, z) = exp(−|x − z|² / 2σ²) and Z the landmarks."""

    texts: csc_array
    squares: np.ndarray
    left: np.ndarray
    offset: np.ndarray
    sigma: float

    @classmethod
    def of(cls, rows: csr_array, left: np.ndarray, offset: np.ndarray, *, sigma: float) -> Self:
        """The projection for rows of landmarks and left vectors."""
        return cls(rows.tocsc().astype(np.float32), squares(rows), left, offset, sigma)

    def apply(self, rows: csr_array) -> np.ndarray:
        """The projections in double precision."""
        found = np.empty((rows.shape[0], self.left.shape[1]))
        for start in range(0, rows.shape[0], _BATCH):
            batch = rows[start : start + _BATCH]
            kernel = gaussian(dots(batch, self.texts), squares(batch), self.squares, sigma=self.sigma)
            found[start : start + _BATCH] = kernel @ self.left - self.offset
        return found

    def save(self, folder: Path) -> None:
        """Writes arrays."""
        _save_texts(folder, self.texts)
        np.save(folder / "squares.npy", self.squares)
        np.save(folder / "left.npy", self.left)
        np.save(folder / "offset.npy", self.offset)

    @classmethod
    def load(cls, folder: Path, *, width: int, sigma: float) -> Self:
        """Reads what `save` wrote."""
        lengths, left, offset = (np.load(folder / f"{name}.npy") for name in ("squares", "left", "offset"))
        if left.shape != (len(lengths), len(offset)):
            raise ValueError(f"{left.shape}, {lengths.shape} and {offset.shape} do not fit together")
        return cls(_load_texts(folder, len(left), width), lengths, left, offset, sigma)


def gaussian(products: np.ndarray, left: np.ndarray, right: np.ndarray, *, sigma: float) -> np.ndarray:
    """The Gaussian kernel from dot products and squared lengths; overwrites the dot products."""
    products *= 2.0
    products -= left[:, None]
    products -= right
    np.minimum(products, 0.0, out=products)
    products /= 2.0 * sigma**2
    np.exp(products, out=products)
    return products


def squares(rows: csr_array) -> np.ndarray:
    """The squared length of each row."""
    return np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64).ravel()


def _remapped(rows: csr_array, places: np.ndarray, width: int) -> csr_array:
    """The rows with their columns mapped, without those that map to −1."""
    kept = without(rows, places < 0)
    return csr_array((kept.data, places[kept.indices], kept.indptr), shape=(rows.shape[0], width))


def _save_texts(folder: Path, texts: csc_array) -> None:
    np.save(folder / "weights.npy", texts.data)
    np.save(folder / "texts.npy", texts.indices.astype(np.int32))
    np.save(folder / "ends.npy", texts.indptr.astype(np.int64))


def _load_texts(folder: Path, height: int, width: int) -> csc_array:
    weights, texts, ends = (_mapped(folder / f"{name}.npy") for name in ("weights", "texts", "ends"))
    if len(ends) and ends[-1] <= np.iinfo(np.int32).max:
        ends = ends.astype(np.int32)  # the type of `texts`, else scipy copies them to a wider one
    return csc_array((weights, texts, ends), shape=(height, width))


def _mapped(file: Path) -> np.ndarray:
    """A memory-mapped array, of which a query reads little; writable (copy on write), as arrays in memory are.

    Compiled loops then see one type for both.
    """
    return np.asarray(np.load(file, mmap_mode="c"))
