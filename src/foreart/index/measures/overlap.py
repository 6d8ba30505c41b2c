"""The compiled walk over the terms that rows share; every measure follows from the sums taken here (`measures`).

A sum is taken term by term in the order of columns, and no operations are fused or reordered. So the values of a pair
are the same to the last bit in both directions, with any number of threads and whatever else is asked for, and the
distance of a row from its equal is exactly 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np
from numba import types
from numba.extending import intrinsic

from foreart.compiling import compiled

# The rows of what a walk fills; the first two are cheap, and the last is no sum.
SUMS = ("product", "least", "alike", "harmonic", "root", "entropy", "power", "widest")
LIGHT = SUMS[:2]

# Weights, columns and ends, as a CSR matrix has them, columns ascending and unsigned; and what `own_heaviest` found.
Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
# Weights, columns and the places of the heaviest weights of one row.
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
    """The sum of each row's weights, and of their squares."""
    for row in range(len(totals)):
        total = square = 0.0
        for place in range(ends[row], ends[row + 1]):
            weight = np.float64(data[place])
            total += weight
            square += weight * weight
        totals[row], squares[row] = total, square


@compiled
def own_powers(data: np.ndarray, ends: np.ndarray, power: float, powers: np.ndarray) -> None:
    """The sum of each row's weights to a power."""
    for row in range(len(powers)):
        total = 0.0
        for place in range(ends[row], ends[row + 1]):
            total += _raised(np.float64(data[place]), power)
        powers[row] = total


@compiled
def own_heaviest(data: np.ndarray, ends: np.ndarray, heaviest: np.ndarray) -> None:
    """The places within each row of its heaviest terms, in falling order of weight; -1 where the row has no more."""
    for row in range(len(heaviest)):
        best, found = heaviest[row], 0
        weights = data[ends[row] : ends[row + 1]]
        for place in range(len(weights)):
            if found == len(best) and weights[place] <= weights[best[-1]]:
                continue
            found = min(found + 1, len(best))
            rank = found - 1
            while rank > 0 and weights[best[rank - 1]] < weights[place]:
                best[rank] = best[rank - 1]
                rank -= 1
            best[rank] = place
        best[found:] = -1


@compiled
def walk(
    queries: Rows, documents: Rows, width: int, longest: int, pairs: Pairs, order: np.ndarray, power: float,
    wanted: np.ndarray, out: np.ndarray,
) -> None:  # fmt: skip
    """Fills the wanted rows of `out` for each pair named in `order`, in which those of a query should lie together.

    `longest` is the number of terms of the longest document.
    """
    weights = np.empty(width)
    present = np.zeros(width, dtype=np.uint8)
    where = np.empty(longest, dtype=np.uint32)
    shared = np.empty((2, longest))
    terms = np.zeros((4, longest))
    light, costly = wanted[:_LIGHT].any(), wanted[_LIGHT:-1].any()
    held = -1
    for pair in order:
        query, document = pairs[0][pair], pairs[1][pair]
        if query != held:
            _forget(queries, held, present)
            _hold(queries, query, weights, present)
            held = query
        x, y = _collect(_row(documents, document), weights, present, where, shared)
        if costly:
            _add_all(x, y, terms, power, wanted, out, pair)
        elif light:
            _add_light(x, y, out, pair)
        if wanted[-1]:
            out[-1, pair] = _widest(x, y, _row(queries, query), _row(documents, document))


@compiled
def _hold(rows: Rows, row: int, weights: np.ndarray, present: np.ndarray) -> None:
    for place in range(rows[2][row], rows[2][row + 1]):
        weights[rows[1][place]] = rows[0][place]
        present[rows[1][place]] = 1


@compiled
def _forget(rows: Rows, row: int, present: np.ndarray) -> None:
    if row >= 0:
        for place in range(rows[2][row], rows[2][row + 1]):
            present[rows[1][place]] = 0


@compiled
def _collect(
    document: Row, weights: np.ndarray, present: np.ndarray, where: np.ndarray, shared: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The weights of the shared terms in the query and in the document; flags are asked first, for they are small."""
    data, columns, _ = document
    count = np.uint32(0)
    for place in range(len(columns)):
        where[count] = place  # written always, kept if shared: cheaper than a branch that nobody can foresee
        count += np.uint32(present[columns[place]])
    x, y = shared[0, :count], shared[1, :count]
    for number in range(len(x)):
        x[number] = weights[columns[where[number]]]
        y[number] = data[where[number]]
    return x, y


@compiled
def _add_light(x: np.ndarray, y: np.ndarray, out: np.ndarray, pair: int) -> None:
    product = least = 0.0
    for term in range(len(x)):
        product += x[term] * y[term]
        least += min(x[term], y[term])
    out[0, pair], out[1, pair] = product, least


@compiled
def _add_all(
    x: np.ndarray, y: np.ndarray, terms: np.ndarray, power: float, wanted: np.ndarray, out: np.ndarray, pair: int
) -> None:
    """All sums at once; those that are not wanted are of what stands in `terms`."""
    share, root, entropy, raised = terms[0], terms[1], terms[2], terms[3]
    _fill(x, y, share, root, entropy, raised, power, wanted)
    product = least = alike = harmonic = roots = entropies = powers = 0.0
    for term in range(len(x)):
        smaller = min(x[term], y[term])
        product += x[term] * y[term]
        least += smaller
        alike += 3.0 - 2.0 * share[term]
        harmonic += smaller * share[term]
        roots += root[term]
        entropies += entropy[term]
        powers += raised[term]
    out[0, pair], out[1, pair], out[2, pair], out[3, pair] = product, least, alike, harmonic
    out[4, pair], out[5, pair], out[6, pair] = roots, entropies, powers


@compiled
def _fill(
    x: np.ndarray, y: np.ndarray, share: np.ndarray, root: np.ndarray, entropy: np.ndarray, raised: np.ndarray,
    power: float, wanted: np.ndarray,
) -> None:  # fmt: skip
    """What is wanted of each term. Nothing here waits for the term before, so several are computed at once."""
    if wanted[2] or wanted[3] or wanted[5]:
        for term in range(len(x)):
            share[term] = max(x[term], y[term]) / (x[term] + y[term])
    if wanted[4]:
        for term in range(len(x)):
            root[term] = math.sqrt(x[term] * y[term])
    if wanted[5]:
        for term in range(len(x)):
            greater, lesser = share[term], 1.0 - share[term]
            entropy[term] = -(x[term] + y[term]) * (greater * _log2(greater) + lesser * _log2(lesser))
    if wanted[6]:
        for term in range(len(x)):
            apart = abs(x[term] - y[term])
            raised[term] = _raised(x[term], power) + _raised(y[term], power) - _raised(apart, power)


@compiled
def _raised(weight: float, power: float) -> float:
    """A power; the paper's p = 3 multiplied out, which is many times faster."""
    return weight * weight * weight if power == 3.0 else weight**power


@compiled
def _widest(x: np.ndarray, y: np.ndarray, one: Row, other: Row) -> float:
    """The greatest difference of any term: a shared one, or one that only one of the rows has."""
    widest = 0.0
    for term in range(len(x)):
        widest = max(widest, abs(x[term] - y[term]))
    if len(x) < len(one[1]):
        widest = _heaviest_missing(one, other[1], widest)
    if len(x) < len(other[1]):
        widest = _heaviest_missing(other, one[1], widest)
    return widest


@compiled
def _heaviest_missing(row: Row, columns: np.ndarray, least: float) -> float:
    """The greatest weight above `least` of a term that is none of the columns; `least` if there is none."""
    weights, own, heaviest = row
    for place in heaviest:
        if place < 0 or weights[place] <= least:
            return least
        if not _has(columns, own[place]):
            return np.float64(weights[place])
    for place in range(len(weights)):  # all of the heaviest are shared
        if weights[place] > least and not _has(columns, own[place]):
            least = np.float64(weights[place])
    return least


@compiled
def _row(rows: Rows, row: int) -> Row:
    start, end = rows[2][row], rows[2][row + 1]
    return rows[0][start:end], rows[1][start:end], rows[3][row]


@compiled
def _has(columns: np.ndarray, column: int) -> bool:
    place = np.searchsorted(columns, column)
    return bool(place < len(columns) and columns[place] == column)


@compiled
def _log2(value: float) -> float:
    """log2 in plain arithmetic, which becomes vector instructions; exact at powers of 2, finite at 0.

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
