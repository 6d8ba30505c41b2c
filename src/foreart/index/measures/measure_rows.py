"""Sparse rows made ready to be measured: checked, in order, and each one's own sums taken once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import IndexingError

# How many of a row's heaviest terms are known by place; only Chebyshev's distance asks, and seldom for more.
_HEAVIEST = 16
NOT_FINITE = "the rows have weights that are no finite numbers; build the index anew"


@dataclass(frozen=True, eq=False)
class Prepared:
    """The arrays of a CSR matrix, columns ascending, without zeros and duplicates. The weights may be single precision.

    Worth keeping where many queries meet the same documents: what is learned of a row here is learned once.
    """

    data: np.ndarray
    columns: np.ndarray
    ends: np.ndarray
    width: int
    negative: bool

    def __len__(self) -> int:
        return len(self.ends) - 1

    @cached_property
    def terms(self) -> np.ndarray:
        """How many terms each row has."""
        return np.diff(self.ends).astype(np.float64)

    @cached_property
    def longest(self) -> int:
        """How many terms the longest row has."""
        return int(np.diff(self.ends).max(initial=0))

    @property
    def totals(self) -> np.ndarray:
        """The sum of each row's weights."""
        return self._sums[0]

    @property
    def squares(self) -> np.ndarray:
        """The sum of the squares of each row's weights."""
        return self._sums[1]

    def powers(self, power: float) -> np.ndarray:
        """The sum of each row's weights to a power."""
        if power not in self._powers:
            from foreart.index.measures.overlap import own_powers

            found = np.empty(len(self))
            own_powers(self.data, self.ends, float(power), found)
            self._powers[power] = found  # whole, for other threads
        return self._powers[power]

    @cached_property
    def heaviest(self) -> np.ndarray:
        """Where the heaviest terms of each row stand."""
        from foreart.index.measures.overlap import own_heaviest

        places = np.empty((len(self), _HEAVIEST), dtype=np.int32)
        own_heaviest(self.data, self.ends, places)
        return fixed(places)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, np.ndarray]:
        from foreart.index.measures.overlap import own_sums

        totals, squares = np.empty(len(self)), np.empty(len(self))
        own_sums(self.data, self.ends, totals, squares)
        return totals, squares

    @cached_property
    def _powers(self) -> dict[float, np.ndarray]:
        return {}


def prepare(rows: csr_array | Prepared) -> Prepared:
    """Sparse rows in any order, with stored zeros or duplicates, put right; those given are not changed."""
    if isinstance(rows, Prepared):
        return rows
    right = _in_order(csr_array(rows))
    data = right.data if right.data.dtype in (np.float32, np.float64) else right.data.astype(np.float64)
    low, high = (float(data.min()), float(data.max())) if len(data) else (0.0, 0.0)
    if not (np.isfinite(low) and np.isfinite(high)):
        raise IndexingError(NOT_FINITE)
    columns = right.indices.astype(np.int32, copy=False).view(np.uint32)
    ends = right.indptr.astype(np.int64, copy=False)
    return Prepared(fixed(data), fixed(columns), fixed(ends), int(right.shape[1]), low < 0.0)


def _in_order(rows: csr_array) -> csr_array:
    if rows.has_canonical_format and np.count_nonzero(rows.data) == rows.nnz:
        return rows
    right = rows.copy()
    right.sum_duplicates()
    right.eliminate_zeros()
    return right


def fixed(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written to, so that arrays in files and in memory are of one kind to the compiler."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
