"""Products of sparse rows, compiled: no sum depends on how many threads there are, for each thread has whole rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csc_array, csr_array

from foreart.compiling import compiled
from foreart.parallel import cores, side_by_side

# A word that stands in more than this share of the texts is quicker multiplied as a dense column.
_COMMON = 1 / 16
_COLUMNS = 1024
# Rows of one slice. Threads are not worth their start below two slices.
_SLICE = 128


def times(rows: csr_array, dense: np.ndarray) -> np.ndarray:
    """`rows @ dense`, in double precision."""
    out = np.zeros((rows.shape[0], dense.shape[1]))
    ends, columns, weights = _arrays(rows)
    _spread(lambda start, stop: _times(ends, columns, weights, dense, out, start, stop), len(out))
    return out


def dots(rows: csr_array, texts: csc_array) -> np.ndarray:
    """`rows @ texts.T`, in double precision: the dot product of each row with each text, which lie by column."""
    out = np.zeros((rows.shape[0], texts.shape[0]))
    ends, columns, weights = _arrays(rows)
    places, numbers, others = _arrays(texts)
    _spread(
        lambda start, stop: _dots(ends, columns, weights, places, numbers, others, out, False, start, stop), len(out)
    )
    return out


def gram(rows: csr_array) -> np.ndarray:
    """`rows @ rows.T`, in double precision: common words as dense columns, the others by their texts."""
    from scipy.linalg.blas import dsyrk  # a tenth of a second to import, and only what learns needs it

    size = rows.shape[0]
    by_column = rows.tocsc()
    common = np.flatnonzero(np.diff(by_column.indptr) > _COMMON * size)
    out = np.zeros((size, size), order="F")
    for start in range(0, len(common), _COLUMNS):
        block = np.asfortranarray(by_column[:, common[start : start + _COLUMNS]].toarray())
        out = dsyrk(1.0, block, beta=1.0, c=out, overwrite_c=1)
    half = out.T  # below the diagonal, and row by row
    _add_rare(rows, by_column, common, half)
    _mirror(half)
    return half


def _add_rare(rows: csr_array, by_column: csc_array, common: np.ndarray, half: np.ndarray) -> None:
    rare = np.ones(rows.shape[1], dtype=bool)
    rare[common] = False
    ends, columns, weights = _arrays(without(rows, ~rare))
    places, numbers, others = _arrays(by_column)
    _spread(
        lambda start, stop: _dots(ends, columns, weights, places, numbers, others, half, True, start, stop), len(half)
    )


def _mirror(half: np.ndarray) -> None:
    """Fills what is above the diagonal with what is below it, a strip at a time."""
    for start in range(0, len(half), _COLUMNS):
        stop = start + _COLUMNS
        half[start:stop, stop:] = half[stop:, start:stop].T
        square = half[start:stop, start:stop]
        square += np.tril(square, -1).T


def without(rows: csr_array, dropped: np.ndarray) -> csr_array:
    """The rows without the entries of some columns, which are given as a mask; the columns keep their numbers."""
    kept = ~dropped[rows.indices]
    ends = np.concatenate([[0], np.cumsum(kept)])[rows.indptr]
    return csr_array((rows.data[kept], rows.indices[kept], ends), shape=rows.shape)


def _arrays(matrix: csr_array | csc_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three arrays in the types that the compiled loops are made for."""
    return matrix.indptr.astype(np.int64, copy=False), matrix.indices.astype(np.int32, copy=False), matrix.data


def _spread(work: Callable[[int, int], None], size: int) -> None:
    """Does `work(start, stop)` for all slices, on all cores."""
    side_by_side(lambda start: work(start, min(start + _SLICE, size)), range(0, size, _SLICE), cores())


@compiled
def _times(
    ends: np.ndarray,
    columns: np.ndarray,
    weights: np.ndarray,
    dense: np.ndarray,
    out: np.ndarray,
    start: int,
    stop: int,
) -> None:
    for row in range(start, stop):
        for place in range(ends[row], ends[row + 1]):
            weight = weights[place]
            other = dense[columns[place]]
            for column in range(len(other)):
                out[row, column] += weight * other[column]


@compiled
def _dots(
    ends: np.ndarray,
    columns: np.ndarray,
    weights: np.ndarray,
    places: np.ndarray,
    numbers: np.ndarray,
    others: np.ndarray,
    out: np.ndarray,
    half: bool,
    start: int,
    stop: int,
) -> None:
    """`half` leaves out texts after the row's own number: a product of rows with themselves has the same there."""
    for row in range(start, stop):
        for place in range(ends[row], ends[row + 1]):
            weight = weights[place]
            for other in range(places[columns[place]], places[columns[place] + 1]):
                if half and numbers[other] > row:
                    break
                out[row, numbers[other]] += weight * others[other]
