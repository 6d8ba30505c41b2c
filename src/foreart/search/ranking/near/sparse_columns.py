"""Columns with a value for few of all documents, and their products with links between documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, eq=False)
class SparseColumn:
    """The values of some rows, which ascend; every other row has 0."""

    rows: np.ndarray
    values: np.ndarray

    def at(self, rows: np.ndarray) -> np.ndarray:
        """The values of any rows."""
        found = np.zeros(len(rows))
        if len(self.rows):
            places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
            here = self.rows[places] == rows
            found[here] = self.values[places[here]]
        return found

    def with_values(self, values: np.ndarray) -> SparseColumn:
        """Other values of the same rows."""
        return SparseColumn(self.rows, values)

    def only(self, mask: np.ndarray) -> SparseColumn:
        """Without the rows that a mask over all rows does not have."""
        kept = mask[self.rows]
        return SparseColumn(self.rows[kept], self.values[kept])

    def best(self, k: int, allowed: np.ndarray) -> np.ndarray:
        """The k allowed rows with the largest values above 0, the first of ties."""
        rows = np.flatnonzero(allowed[self.rows] & (self.values > 0))
        if len(rows) > k:
            rows = rows[np.argsort(-self.values[rows], kind="stable")[:k]]
        return self.rows[rows]

    @property
    def largest(self) -> float:
        """The largest value; 0 if there is none."""
        return float(self.values.max(initial=0.0))


def column_of(rows: np.ndarray, values: np.ndarray) -> SparseColumn:
    """The column of distinct rows in any order."""
    order = np.argsort(rows, kind="stable")
    return SparseColumn(np.asarray(rows, dtype=np.int64)[order], np.asarray(values, dtype=np.float64)[order])


def ones(rows: np.ndarray) -> SparseColumn:
    """The column with 1 at ascending rows."""
    return SparseColumn(np.asarray(rows, dtype=np.int64), np.ones(len(rows)))


def lengths(links: csr_array, rows: np.ndarray) -> np.ndarray:
    """How many links some rows have."""
    counts: np.ndarray = (links.indptr[rows + 1] - links.indptr[rows]).astype(np.int64)
    return counts


def linked(links: csr_array, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All links of some rows: the place in `rows` where each begins, and the row where it ends."""
    starts, counts = links.indptr[rows].astype(np.int64), lengths(links, rows)
    sources = np.repeat(np.arange(len(rows)), counts)
    offsets = np.arange(len(sources)) - np.repeat(np.cumsum(counts) - counts, counts)
    return sources, links.indices[starts[sources] + offsets].astype(np.int64)


def along(links: csr_array, column: SparseColumn, combine: Callable[..., np.ndarray] = np.add.reduceat) -> SparseColumn:
    """The values of a column carried along links from its rows, and summed (or combined) where they end."""
    sources, targets = linked(links, column.rows)
    if not len(targets):
        return SparseColumn(np.empty(0, dtype=np.int64), np.empty(0))
    order = np.argsort(targets, kind="stable")
    ends = targets[order]
    firsts = np.flatnonzero(np.concatenate([[True], ends[1:] != ends[:-1]]))
    return SparseColumn(ends[firsts], combine(column.values[sources[order]], firsts))


def counted(links: csr_array, rows: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """How many links of each row end at rows that a mask has."""
    sources, targets = linked(links, rows)
    return np.bincount(sources[mask[targets]], minlength=len(rows)).astype(np.float64)
