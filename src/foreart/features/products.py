"""Compiled products of sparse rows; results do not depend on the number of threads, as each row is one thread's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csc_array, csr_array

from foreart.compiling import compiled
from foreart.parallel import cores, parallel_map

# Words in more than this share of the texts are multiplied faster as dense columns.
_COMMON = 1 / 16
_COLUMNS = 1024
# Rows per task; below two tasks no threads are started.
_SLICE = 128


def times(rows: csr_array, dense: np.ndarray) -> np.ndarray:
    """`rows @ dense`, in double precision."""
    out = np.zeros((rows.shape[0], dense.shape[1]))
    ends, columns, weights = _arrays(rows)
    _spread(lambda start, stop: _times(ends, columns, weights, dense, out, start, stop), len(out))
    return out


def dots(rows: csr_array, texts: csc_array) -> np.ndarray:
    """`rows @ texts.T`, in double precision: the dot product of each row with each text (stored by column)."""
    out = np.zeros((rows.shape[0], texts.shape[0]))
    ends, columns, weights = _arrays(rows)
    text_ends, text_rows, text_weights = _arrays(texts)
    _spread(
        lambda start, stop: _dots(ends, columns, weights, text_ends, text_rows, text_weights, out, False, start, stop),
        len(out),
    )
    return out


def gram(rows: csr_array) -> np.ndarray:
    """`rows @ rows.T`, in double precision: common words as dense columns, the others by their texts."""
    from scipy.linalg.blas import dsyrk  # takes 0.1 s to import and is needed for fitting only

    size = rows.shape[0]
    by_column = rows.tocsc()
    common = np.flatnonzero(np.diff(by_column.indptr) > _COMMON * size)
    out = np.zeros((size, size), order="F")
    for start in range(0, len(common), _COLUMNS):
        block = np.asfortranarray(by_column[:, common[start : start + _COLUMNS]].toarray())
        out = dsyrk(1.0, block, beta=1.0, c=out, overwrite_c=1)
    half = out.T  # the lower triangle, in row-major order
    _add_rare(rows, by_column, common, half)
    _mirror(half)
    return half


def _add_rare(rows: csr_array, by_column: csc_array, common: np.ndarray, half: np.ndarray) -> None:
    rare = np.ones(rows.shape[1], dtype=bool)
    rare[common] = False
    ends, columns, weights = _arrays(without(rows, ~rare))
    text_ends, text_rows, text_weights = _arrays(by_column)
    _spread(
        lambda start, stop: _dots(ends, columns, weights, text_ends, text_rows, text_weights, half, True, start, stop),
        len(half),
    )


def _mirror(half: np.ndarray) -> None:
    """Copies the lower triangle to the upper, a strip at a time."""
    for start in range(0, len(half), _COLUMNS):
        stop = start + _COLUMNS
        half[start:stop, stop:] = half[stop:, start:stop].T
        square = half[start:stop, start:stop]
        square += np.tril(square, -1).T


def without(rows: csr_array, dropped: np.ndarray) -> csr_array:
    """The rows without the entries of the columns in a mask; the shape stays."""
    kept = ~dropped[rows.indices]
    ends = np.concatenate([[0], np.cumsum(kept)])[rows.indptr]
    return csr_array((rows.data[kept], rows.indices[kept], ends), shape=rows.shape)


def _arrays(matrix: csr_array | csc_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three CSR or CSC arrays in the types of the compiled loops."""
    return matrix.indptr.astype(np.int64, copy=False), matrix.indices.astype(np.int32, copy=False), matrix.data


def _spread(work: Callable[[int, int], None], size: int) -> None:
    """Calls `work(start, stop)` for all slices, on all cores."""
    parallel_map(lambda start: work(start, min(start + _SLICE, size)), range(0, size, _SLICE), cores())


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
        for entry in range(ends[row], ends[row + 1]):
            weight = weights[entry]
            other = dense[columns[entry]]
            for column in range(len(other)):
                out[row, column] += weight * other[column]


@compiled
def _dots(
    ends: np.ndarray,
    columns: np.ndarray,
    weights: np.ndarray,
    text_ends: np.ndarray,
    text_rows: np.ndarray,
    text_weights: np.ndarray,
    out: np.ndarray,
    half: bool,
    start: int,
    stop: int,
) -> None:
    """`half` computes the lower triangle only, for the symmetric product of rows with themselves."""
    for row in range(start, stop):
        for entry in range(ends[row], ends[row + 1]):
            weight = weights[entry]
            for other in range(text_ends[columns[entry]], text_ends[columns[entry] + 1]):
                if half and text_rows[other] > row:
                    break
                out[row, text_rows[other]] += weight * text_weights[other]
