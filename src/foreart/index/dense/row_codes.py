"""Quantised dense rows with error bounds, and their products with queries."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

# Rows per step: as floats they fit into the cache of a core, or the shared cache.
_STEP = 1024
_BATCH_STEP = 4096
_MAX_CODE = {"float16": 1.0, "int8": 127.0}
# The smallest normal half float. Smaller values become 0, because products with subnormal numbers are slow.
_SMALLEST_HALF = 2.0**-14
# The factor by which half floats are too small after their bits are shifted to float32.
_HALF_SCALE = np.float32(2.0**112)
_HALF_BITS = np.int32(0x8FFFE000 - 2**32)
# The unit roundoff of single precision, and the largest sum of integers.
_ROUNDOFF = 2.0**-24
_MAX_SUM = 2**31 - 1


Multiply: TypeAlias = Callable[[np.ndarray, np.ndarray, np.float32, np.ndarray], None]


@dataclass(frozen=True, slots=True)
class Codes:
    """A row is approximately `scales[row] * codes[row] * weights`.

    After division by `weights`, the typical values of the columns, the error of a row has the length `errors[row]`, and
    its approximation `sizes[row]`. The error of a product with a query is at most the length of the query times
    `errors[row]`, plus the rounding of sums.
    """

    codes: np.ndarray
    scales: np.ndarray
    weights: np.ndarray
    errors: np.ndarray
    sizes: np.ndarray

    @classmethod
    def plain(cls, data: np.ndarray, lengths: np.ndarray) -> Codes:
        """Codes that are the rows."""
        ones, zeros = np.ones(1, dtype=np.float32), np.zeros(1, dtype=np.float32)
        return cls(np.asarray(data), ones, np.ones(data.shape[1]), zeros, rounded_up(lengths))

    def between(self, rows: slice) -> Codes:
        """Those of some consecutive rows."""
        return Codes(self.codes[rows], self.scales[rows], self.weights, self.errors[rows], self.sizes[rows])

    @property
    def slack(self) -> float:
        """The rounding error of a product, relative to the lengths of both sides."""
        width = int(self.codes.shape[1])
        sums = (width + 16) * _ROUNDOFF
        return sums + _widest_step(width) * math.sqrt(width) / 2 if self.codes.dtype == np.int8 else sums


def products(codes: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The products of rows of codes with unit queries, in steps that fit into the cache."""
    found = np.empty((len(codes), len(queries)), dtype=np.float32)
    step = _STEP if len(queries) == 1 else _BATCH_STEP
    floats = np.empty((min(step, len(codes)), codes.shape[1]), dtype=np.float32)
    scaled = queries * _HALF_SCALE if codes.dtype == np.float16 else queries
    for start in range(0, len(codes), step):
        part = codes[start : start + step]
        _multiplied(_as_floats(part, floats[: len(part)]), scaled, found[start : start + step])
    return found


def _multiplied(rows: np.ndarray, queries: np.ndarray, found: np.ndarray) -> None:
    """BLAS for many queries; for one it is not faster, and its threads wait for each other on a busy machine."""
    if len(queries) == 1:
        np.einsum("ij,j->i", rows, queries[0], out=found[:, 0])
    else:
        np.matmul(rows, queries.T, out=found)


def integer_products(codes: np.ndarray, query: np.ndarray, multiply: Multiply) -> np.ndarray:
    """The products of int8 rows with a quantised query: three times as fast as in floats."""
    numbers, step = _quantised(query)
    found = np.empty((len(codes), 1), dtype=np.float32)
    multiply(codes, numbers, np.float32(step), found[:, 0])
    return found


def encoded(data: np.ndarray, storage: str) -> Codes:
    """Encodes rows as float16 or int8."""
    weights = _typical(data)
    codes = np.empty(data.shape, dtype=storage)
    scales, errors, sizes = (np.empty(len(data), dtype=np.float32) for _ in range(3))
    for start in range(0, len(data), _STEP):
        here = slice(start, start + _STEP)
        part = data[here].astype(np.float64) / weights
        scales[here] = np.abs(part).max(axis=1, initial=0.0) / _MAX_CODE[storage]
        scale = scales[here, np.newaxis].astype(np.float64)
        codes[here] = _rounded(np.divide(part, scale, out=np.zeros_like(part), where=scale > 0), storage)
        decoded = codes[here] * scale
        errors[here] = rounded_up(np.linalg.norm(part - decoded, axis=1))
        sizes[here] = rounded_up(np.linalg.norm(decoded, axis=1))
    return Codes(codes, scales, weights, errors, sizes)


def _typical(data: np.ndarray) -> np.ndarray:
    """The root mean square of each column; 1 for an empty column."""
    squares = np.zeros(data.shape[1])
    for start in range(0, len(data), _STEP):
        squares += np.square(data[start : start + _STEP], dtype=np.float64).sum(axis=0)
    found: np.ndarray = np.sqrt(squares / max(1, len(data)))
    found[found == 0] = 1.0
    return found


def _rounded(numbers: np.ndarray, storage: str) -> np.ndarray:
    rounded: np.ndarray = np.rint(numbers) if storage == "int8" else numbers * (np.abs(numbers) >= _SMALLEST_HALF)
    return rounded.astype(storage)


def rounded_up(numbers: np.ndarray) -> np.ndarray:
    """Converts to single precision, rounding up."""
    rounded: np.ndarray = np.nextafter(numbers.astype(np.float32), np.float32(np.inf))
    rounded[numbers == 0] = 0
    return rounded


def _as_floats(codes: np.ndarray, into: np.ndarray) -> np.ndarray:
    """Codes as floats; half floats are too small by `_HALF_SCALE`, because shifting bits is faster than a cast."""
    if codes.dtype == np.float32:
        return codes
    if codes.dtype != np.float16:
        np.copyto(into, codes, casting="same_kind")
        return into
    bits = into.view(np.int32)
    np.copyto(bits, codes.view(np.int16))
    bits *= np.int32(2**13)  # a left shift, which is slower in NumPy
    bits &= _HALF_BITS
    return into


def _widest_step(width: int) -> float:
    """The largest step of `_quantised` for a unit query."""
    return max(1 / 32767, 127 * math.sqrt(width) / (_MAX_SUM - 64 * width))


def _quantised(query: np.ndarray) -> tuple[np.ndarray, float]:
    """A query as int16 with the finest step for which its products with int8 rows fit into 32 bits; and the step."""
    sizes = np.abs(query.astype(np.float64))
    step = max(sizes.max(initial=0.0) / 32767, 127 * sizes.sum() / (_MAX_SUM - 64 * len(query)))
    return np.rint(query.astype(np.float64) / (step or 1.0)).astype(np.int16), float(step)


@cache
def multiplier() -> Multiply:
    """The compiled product of integers."""
    from foreart.compiling import compiled  # importing numba is slow; needed for many rows only

    return compiled(_multiply)


def _multiply(codes: np.ndarray, query: np.ndarray, step: np.float32, found: np.ndarray) -> None:
    for row in range(codes.shape[0]):
        total = np.int32(0)
        for column in range(codes.shape[1]):
            total = np.int32(total + np.int32(np.int32(codes[row, column]) * np.int32(query[column])))
        found[row] = np.float32(total) * step
