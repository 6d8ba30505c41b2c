"""Compiled sums over the terms that rows share, from which all measures follow (`measures`).

Sums are computed in the order of columns, without fused or reordered operations. The values of a pair are therefore
bit for bit the same in both directions, for any number of threads and any selection of sums, and the distance of equal
rows is exactly 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np
from numba import types
from numba.extending import intrinsic

from foreart.compiling import compiled

# The rows of the output of `walk`; the first two are cheap, and the last is a maximum.
SUMS = ("product", "minimum", "overlap", "harmonic", "root", "entropy", "power", "max_difference")
LIGHT = SUMS[:2]

# Weights, columns (ascending, unsigned) and offsets of a CSR matrix, and the output of `own_heaviest`.
Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
# Weights, columns and the positions of the heaviest weights of one row.
Row = tuple[np.ndarray, np.ndarray, np.ndarray]
# The query row and the document row of each pair.
Pairs = tuple[np.ndarray, np.ndarray]

_LIGHT = len(LIGHT)
_LOG2_E = 1.0 / math.log(2.0)
_ONE_LESS_ROOT_HALF = 0x3FF0000000000000 - 0x3FE6A09E667F3BCD  # as bits of double-precision numbers


def _to_bits(typing: object, value: object) -> tuple[object, object]:
    form = types.int64
    return form(types.float64), lambda context, builder, _, given: builder.bitcast(
        given[0], context.get_value_type(form)
    )


def _from_bits(typing: object, bits: object) -> tuple[object, object]:
    form = types.float64
    return form(types.int64), lambda context, builder, _, given: builder.bitcast(given[0], context.get_value_type(form))


_bits = cast("Callable[[float], int]", intrinsic(_to_bits))
_float = cast("Callable[[int], float]", intrinsic(_from_bits))


@compiled
def own_sums(data: np.ndarray, ends: np.ndarray, totals: np.ndarray, squares: np.ndarray) -> None:
    """The sums of the weights of each row, and of their squares."""
    for row in range(len(totals)):
        total = square = 0.0
        for position in range(ends[row], ends[row + 1]):
            weight = np.float64(data[position])
            total += weight
            square += weight * weight
        totals[row], squares[row] = total, square


@compiled
def own_powers(data: np.ndarray, ends: np.ndarray, power: float, powers: np.ndarray) -> None:
    """The sum of the weights of each row to a power."""
    for row in range(len(powers)):
        total = 0.0
        for position in range(ends[row], ends[row + 1]):
            total += _raised(np.float64(data[position]), power)
        powers[row] = total


@compiled
def own_heaviest(data: np.ndarray, ends: np.ndarray, heaviest: np.ndarray) -> None:
    """The positions of the heaviest terms of each row, in descending order of weight; -1 after the last."""
    for row in range(len(heaviest)):
        best, found = heaviest[row], 0
        weights = data[ends[row] : ends[row + 1]]
        for position in range(len(weights)):
            if found == len(best) and weights[position] <= weights[best[-1]]:
                continue
            found = min(found + 1, len(best))
            rank = found - 1
            while rank > 0 and weights[best[rank - 1]] < weights[position]:
                best[rank] = best[rank - 1]
                rank -= 1
            best[rank] = position
        best[found:] = -1


@compiled
def walk(
    queries: Rows, documents: Rows, width: int, longest: int, pairs: Pairs, order: np.ndarray, power: float,
    wanted: np.ndarray, out: np.ndarray,
) -> None:  # fmt: skip
    """Computes the wanted rows of `out` for the pairs in `order`, in which pairs of a query should be adjacent.

    `longest` is the number of terms of the longest document.
    """
    weights = np.empty(width)
    present = np.zeros(width, dtype=np.uint8)
    where = np.empty(longest, dtype=np.uint32)
    shared = np.empty((2, longest))
    terms = np.zeros((4, longest))
    light, heavy = wanted[:_LIGHT].any(), wanted[_LIGHT:-1].any()
    loaded = -1
    for pair in order:
        query, document = pairs[0][pair], pairs[1][pair]
        if query != loaded:
            _clear_query(queries, loaded, present)
            _load_query(queries, query, weights, present)
            loaded = query
        x, y = _collect(_row(documents, document), weights, present, where, shared)
        if heavy:
            _add_all(x, y, terms, power, wanted, out, pair)
        elif light:
            _add_light(x, y, out, pair)
        if wanted[-1]:
            out[-1, pair] = _max_difference(x, y, _row(queries, query), _row(documents, document))


@compiled
def _load_query(rows: Rows, row: int, weights: np.ndarray, present: np.ndarray) -> None:
    for position in range(rows[2][row], rows[2][row + 1]):
        weights[rows[1][position]] = rows[0][position]
        present[rows[1][position]] = 1


@compiled
def _clear_query(rows: Rows, row: int, present: np.ndarray) -> None:
    if row >= 0:
        for position in range(rows[2][row], rows[2][row + 1]):
            present[rows[1][position]] = 0


@compiled
def _collect(
    document: Row, weights: np.ndarray, present: np.ndarray, where: np.ndarray, shared: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The weights of the shared terms in the query and in the document; reads flags first, which are small."""
    data, columns, _ = document
    count = np.uint32(0)
    for position in range(len(columns)):
        where[count] = position  # always written, kept if shared: cheaper than an unpredictable branch
        count += np.uint32(present[columns[position]])
    x, y = shared[0, :count], shared[1, :count]
    for number in range(len(x)):
        x[number] = weights[columns[where[number]]]
        y[number] = data[where[number]]
    return x, y


@compiled
def _add_light(x: np.ndarray, y: np.ndarray, out: np.ndarray, pair: int) -> None:
    product = minimum = 0.0
    for term in range(len(x)):
        product += x[term] * y[term]
        minimum += min(x[term], y[term])
    out[0, pair], out[1, pair] = product, minimum


@compiled
def _add_all(
    x: np.ndarray, y: np.ndarray, terms: np.ndarray, power: float, wanted: np.ndarray, out: np.ndarray, pair: int
) -> None:
    """All sums at once; sums that are not wanted are meaningless."""
    share, root, entropy, raised = terms[0], terms[1], terms[2], terms[3]
    _fill(x, y, share, root, entropy, raised, power, wanted)
    product = minimum = overlap = harmonic = roots = entropies = powers = 0.0
    for term in range(len(x)):
        smaller = min(x[term], y[term])
        product += x[term] * y[term]
        minimum += smaller
        overlap += 3.0 - 2.0 * share[term]
        harmonic += smaller * share[term]
        roots += root[term]
        entropies += entropy[term]
        powers += raised[term]
    out[0, pair], out[1, pair], out[2, pair], out[3, pair] = product, minimum, overlap, harmonic
    out[4, pair], out[5, pair], out[6, pair] = roots, entropies, powers


@compiled
def _fill(
    x: np.ndarray, y: np.ndarray, share: np.ndarray, root: np.ndarray, entropy: np.ndarray, raised: np.ndarray,
    power: float, wanted: np.ndarray,
) -> None:  # fmt: skip
    """The wanted summands of each term; independent of each other, which compiles to vector instructions."""
    if wanted[2] or wanted[3] or wanted[5]:
        for term in range(len(x)):
            share[term] = max(x[term], y[term]) / (x[term] + y[term])
    if wanted[4]:
        for term in range(len(x)):
            root[term] = math.sqrt(x[term] * y[term])
    if wanted[5]:
        for term in range(len(x)):
            larger, smaller = share[term], 1.0 - share[term]
            entropy[term] = -(x[term] + y[term]) * (larger * _log2(larger) + smaller * _log2(smaller))
    if wanted[6]:
        for term in range(len(x)):
            difference = abs(x[term] - y[term])
            raised[term] = _raised(x[term], power) + _raised(y[term], power) - _raised(difference, power)


@compiled
def _raised(weight: float, power: float) -> float:
    """A power; p = 3, the paper's, is multiplied out, which is many times faster."""
    return weight * weight * weight if power == 3.0 else weight**power


@compiled
def _max_difference(x: np.ndarray, y: np.ndarray, query: Row, document: Row) -> float:
    """The largest difference of any term, shared or not."""
    max_difference = 0.0
    for term in range(len(x)):
        max_difference = max(max_difference, abs(x[term] - y[term]))
    if len(x) < len(query[1]):
        max_difference = _heaviest_missing(query, document[1], max_difference)
    if len(x) < len(document[1]):
        max_difference = _heaviest_missing(document, query[1], max_difference)
    return max_difference


@compiled
def _heaviest_missing(row: Row, columns: np.ndarray, minimum: float) -> float:
    """The largest weight above `minimum` of a term that is not in the columns, else `minimum`."""
    weights, own, heaviest = row
    for position in heaviest:
        if position < 0 or weights[position] <= minimum:
            return minimum
        if not _has(columns, own[position]):
            return np.float64(weights[position])
    for position in range(len(weights)):  # all of the heaviest terms are shared
        if weights[position] > minimum and not _has(columns, own[position]):
            minimum = np.float64(weights[position])
    return minimum


@compiled
def _row(rows: Rows, row: int) -> Row:
    start, end = rows[2][row], rows[2][row + 1]
    return rows[0][start:end], rows[1][start:end], rows[3][row]


@compiled
def _has(columns: np.ndarray, column: int) -> bool:
    position = np.searchsorted(columns, column)
    return bool(position < len(columns) and columns[position] == column)


@compiled
def _log2(value: float) -> float:
    """log2 in plain arithmetic, which compiles to vector instructions; exact at powers of 2, finite at 0.

    The logarithm of a mantissa m between √½ and √2 is 2·(z + z³/3 + z⁵/5 + …) with z = (m − 1)/(m + 1), |z| < 0.172.
    """
    bits = _bits(value)
    exponent = ((bits + _ONE_LESS_ROOT_HALF) >> 52) - 1023
    mantissa = _float(bits - (exponent << 52))
    z = (mantissa - 1.0) / (mantissa + 1.0)
    s = z * z
    series = ((((s * (1.0 / 21.0) + 1.0 / 19.0) * s + 1.0 / 17.0) * s + 1.0 / 15.0) * s + 1.0 / 13.0) * s
    series = ((((series + 1.0 / 11.0) * s + 1.0 / 9.0) * s + 1.0 / 7.0) * s + 1.0 / 5.0) * s
    return float(exponent) + 2.0 * _LOG2_E * z * ((series + 1.0 / 3.0) * s + 1.0)
