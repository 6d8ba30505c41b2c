"""Dense rows in fewer bytes, how far each is from the row it stands for, and products of many of them with queries."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

# Rows of one step: as floats they stay in the cache of a core, or in that of all cores.
_STEP = 1024
_STEP_OF_MANY = 4096
_GREATEST = {"float16": 1.0, "int8": 127.0}
# The least half float with all its digits. What is smaller becomes 0, for products with such numbers are slow.
_LEAST_HALF = 2.0**-14
# By this the numbers are too small after their bits were shifted into place.
_HALVES = np.float32(2.0**112)
_HALF_BITS = np.int32(0x8FFFE000 - 2**32)
# The unit in which sums of single precision are wrong, and the greatest sum of whole numbers.
_UNIT = 2.0**-24
_GREATEST_SUM = 2**31 - 1


Multiply: TypeAlias = Callable[[np.ndarray, np.ndarray, np.float32, np.ndarray], None]


@dataclass(frozen=True, slots=True)
class Codes:
    """A row is about `scales[row] * codes[row] * weights`.

    With everything divided by `weights`, the typical numbers of the columns, what is missing of a row has the length
    `errors[row]`, and what is there `sizes[row]`. The product of a query and a row is hence known up to the length of
    the query times `errors[row]`, and what comes from the rounding of sums.
    """

    codes: np.ndarray
    scales: np.ndarray
    weights: np.ndarray
    errors: np.ndarray
    sizes: np.ndarray

    @classmethod
    def plain(cls, data: np.ndarray, lengths: np.ndarray) -> Codes:
        """The rows themselves."""
        ones, zeros = np.ones(1, dtype=np.float32), np.zeros(1, dtype=np.float32)
        return cls(np.asarray(data), ones, np.ones(data.shape[1]), zeros, not_less(lengths))

    @property
    def slack(self) -> float:
        """How much a product may be off by rounding, as a share of the lengths of both sides."""
        width = int(self.codes.shape[1])
        sums = (width + 16) * _UNIT
        return sums + _widest_step(width) * math.sqrt(width) / 2 if self.codes.dtype == np.int8 else sums


def products(codes: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Each of some rows of codes times each query (a row of length 1), a step in the cache after the other."""
    found = np.empty((len(codes), len(queries)), dtype=np.float32)
    step = _STEP if len(queries) == 1 else _STEP_OF_MANY
    floats = np.empty((min(step, len(codes)), codes.shape[1]), dtype=np.float32)
    asked = queries * _HALVES if codes.dtype == np.float16 else queries
    for start in range(0, len(codes), step):
        part = codes[start : start + step]
        _multiplied(_as_floats(part, floats[: len(part)]), asked, found[start : start + step])
    return found


def _multiplied(rows: np.ndarray, queries: np.ndarray, found: np.ndarray) -> None:
    """BLAS is for many queries: for one it is no faster, and its threads wait for each other on a busy machine."""
    if len(queries) == 1:
        np.einsum("ij,j->i", rows, queries[0], out=found[:, 0])
    else:
        np.matmul(rows, queries.T, out=found)


def whole_products(codes: np.ndarray, query: np.ndarray, multiply: Multiply) -> np.ndarray:
    """Some int8 rows times a query in whole numbers: three times as fast as in floats."""
    numbers, step = _whole(query)
    found = np.empty((len(codes), 1), dtype=np.float32)
    multiply(codes, numbers, np.float32(step), found[:, 0])
    return found


def encoded(data: np.ndarray, storage: str) -> Codes:
    """The rows in float16 or int8."""
    weights = _typical(data)
    codes = np.empty(data.shape, dtype=storage)
    scales, errors, sizes = (np.empty(len(data), dtype=np.float32) for _ in range(3))
    for start in range(0, len(data), _STEP):
        here = slice(start, start + _STEP)
        part = data[here].astype(np.float64) / weights
        scales[here] = np.abs(part).max(axis=1, initial=0.0) / _GREATEST[storage]
        scale = scales[here, np.newaxis].astype(np.float64)
        codes[here] = _rounded(np.divide(part, scale, out=np.zeros_like(part), where=scale > 0), storage)
        told = codes[here] * scale
        errors[here] = not_less(np.linalg.norm(part - told, axis=1))
        sizes[here] = not_less(np.linalg.norm(told, axis=1))
    return Codes(codes, scales, weights, errors, sizes)


def _typical(data: np.ndarray) -> np.ndarray:
    """The root of the mean square of each column; 1 where a column is empty."""
    squares = np.zeros(data.shape[1])
    for start in range(0, len(data), _STEP):
        squares += np.square(data[start : start + _STEP], dtype=np.float64).sum(axis=0)
    found: np.ndarray = np.sqrt(squares / max(1, len(data)))
    found[found == 0] = 1.0
    return found


def _rounded(numbers: np.ndarray, storage: str) -> np.ndarray:
    rounded: np.ndarray = np.rint(numbers) if storage == "int8" else numbers * (np.abs(numbers) >= _LEAST_HALF)
    return rounded.astype(storage)


def not_less(numbers: np.ndarray) -> np.ndarray:
    """In single precision, rounded up."""
    found: np.ndarray = np.nextafter(numbers.astype(np.float32), np.float32(np.inf))
    found[numbers == 0] = 0
    return found


def _as_floats(codes: np.ndarray, into: np.ndarray) -> np.ndarray:
    """Numbers as they are; half floats too small by `_HALVES`, for their bits are shifted much faster than cast."""
    if codes.dtype == np.float32:
        return codes
    if codes.dtype != np.float16:
        np.copyto(into, codes, casting="same_kind")
        return into
    bits = into.view(np.int32)
    np.copyto(bits, codes.view(np.int16))
    bits *= np.int32(2**13)  # a shift to the left, which NumPy does more slowly
    bits &= _HALF_BITS
    return into


def _widest_step(width: int) -> float:
    """The coarsest `_whole` is with a query of length 1."""
    return max(1 / 32767, 127 * math.sqrt(width) / (_GREATEST_SUM - 64 * width))


def _whole(query: np.ndarray) -> tuple[np.ndarray, float]:
    """A query in steps so fine that the sums of its products with int8 just fit 32 bits; and the step."""
    sizes = np.abs(query.astype(np.float64))
    step = max(sizes.max(initial=0.0) / 32767, 127 * sizes.sum() / (_GREATEST_SUM - 64 * len(query)))
    return np.rint(query.astype(np.float64) / (step or 1.0)).astype(np.int16), float(step)


@cache
def multiplier() -> Multiply:
    """The compiled product of whole numbers."""
    from foreart.compiling import compiled  # importing numba is slow: only where many rows are scored

    return compiled(_multiply)


def _multiply(codes: np.ndarray, query: np.ndarray, step: np.float32, found: np.ndarray) -> None:
    for row in range(codes.shape[0]):
        total = np.int32(0)
        for column in range(codes.shape[1]):
            total = np.int32(total + np.int32(np.int32(codes[row, column]) * np.int32(query[column])))
        found[row] = np.float32(total) * step
