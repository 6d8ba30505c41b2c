"""Sparse rows prepared for measures: checked, sorted, with cached sums of each row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import IndexingError

# The number of heaviest terms indexed per row; only Chebyshev's distance needs them, and rarely more.
_HEAVIEST = 16
NOT_FINITE = "the rows have weights that are not finite; rebuild the index"


@dataclass(frozen=True, eq=False)
class PreparedRows:
    """The arrays of a CSR matrix, columns ascending, without zeros and duplicates. The weights may be single precision.

    Reuse it for many queries of the same documents: the sums of rows are computed once.
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
        """The number of terms of each row."""
        return np.diff(self.ends).astype(np.float64)

    @cached_property
    def longest(self) -> int:
        """The number of terms of the longest row."""
        return int(np.diff(self.ends).max(initial=0))

    @property
    def totals(self) -> np.ndarray:
        """The sum of the weights of each row."""
        return self._sums[0]

    @property
    def squares(self) -> np.ndarray:
        """The sum of the squared weights of each row."""
        return self._sums[1]

    def powers(self, power: float) -> np.ndarray:
        """The sum of the weights of each row to a power."""
        if power not in self._powers:
            from foreart.index.measures.overlap import own_powers

            sums = np.empty(len(self))
            own_powers(self.data, self.ends, float(power), sums)
            self._powers[power] = sums  # only when complete, for other threads
        return self._powers[power]

    @cached_property
    def heaviest(self) -> np.ndarray:
        """The positions of the heaviest terms of each row."""
        from foreart.index.measures.overlap import own_heaviest

        positions = np.empty((len(self), _HEAVIEST), dtype=np.int32)
        own_heaviest(self.data, self.ends, positions)
        return read_only(positions)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, np.ndarray]:
        from foreart.index.measures.overlap import own_sums

        totals, squares = np.empty(len(self)), np.empty(len(self))
        own_sums(self.data, self.ends, totals, squares)
        return totals, squares

    @cached_property
    def _powers(self) -> dict[float, np.ndarray]:
        return {}


def prepare(rows: csr_array | PreparedRows) -> PreparedRows:
    """Sorts rows and removes stored zeros and duplicates, in a copy if necessary."""
    if isinstance(rows, PreparedRows):
        return rows
    clean = _canonical(csr_array(rows))
    data = clean.data if clean.data.dtype in (np.float32, np.float64) else clean.data.astype(np.float64)
    low, high = (float(data.min()), float(data.max())) if len(data) else (0.0, 0.0)
    if not (np.isfinite(low) and np.isfinite(high)):
        raise IndexingError(NOT_FINITE)
    columns = clean.indices.astype(np.int32, copy=False).view(np.uint32)
    ends = clean.indptr.astype(np.int64, copy=False)
    return PreparedRows(read_only(data), read_only(columns), read_only(ends), int(clean.shape[1]), low < 0.0)


def _canonical(rows: csr_array) -> csr_array:
    if rows.has_canonical_format and np.count_nonzero(rows.data) == rows.nnz:
        return rows
    clean = rows.copy()
    clean.sum_duplicates()
    clean.eliminate_zeros()
    return clean


def read_only(array: np.ndarray) -> np.ndarray:
    """A contiguous read-only view, so that memory-mapped arrays and others have one type for the compiler."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
