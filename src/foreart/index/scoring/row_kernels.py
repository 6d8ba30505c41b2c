"""Compiled loops over rows of documents: lengths, and exact or single-precision scores."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.storage.segment import OVERFLOW

# By document: offsets, terms, codes.
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]
# Overflow counts by document: offsets, terms, tf weights.
OverflowRows = tuple[np.ndarray, np.ndarray, np.ndarray]
# How many rows ahead, and how many postings, are prefetched; the hardware prefetches the rest of a row.
_AHEAD, _PREFETCHED_POSTINGS = 2, 512
# A query: the number of each word, -1 if absent; 0 and the factors; a buffer for the position of each term in it, from
# 1, all 0 before and after.
QueryArrays = tuple[np.ndarray, np.ndarray, np.ndarray]


@compiled
def row_squares(
    rows: Rows, overflows: OverflowRows, table: np.ndarray, idf: np.ndarray, first: int, last: int, squares: np.ndarray
) -> None:
    """The sum of the squared weights of each row, by compensated summation (Neumaier 1974).

    It depends neither on the order of terms nor on the division into segments.
    """
    ends, terms, codes = rows
    for document in range(first, last):
        total, lost, overflow = 0.0, 0.0, overflows[0][document]
        for position in range(ends[document], ends[document + 1]):
            tf_weight = table[codes[position]]
            if codes[position] == OVERFLOW:  # in the order of the row
                tf_weight = overflows[2][overflow]
                overflow += 1
            weight = tf_weight * idf[terms[position]]
            square = weight * weight
            new = total + square
            lost += (total - new) + square if total >= square else (square - new) + total
            total = new
        squares[document] = total + lost


@compiled
def row_scores(
    rows: Rows, overflows: OverflowRows, table: np.ndarray, query: QueryArrays, documents: np.ndarray,
    norms: np.ndarray, saturating: bool, units: np.ndarray, divisors: np.ndarray, scores: np.ndarray,
) -> None:  # fmt: skip
    """The sums over shared terms of some documents, in double precision, divided by their `divisors`.

    Terms are added in fixed point, as multiples of 1 / `units`: sums do not depend on the order of terms, and equal
    sets of weights have equal sums. Terms that the query lacks have the factor 0, which avoids branches.
    """
    ends, terms, codes = rows
    numbers, factors, positions = query
    for word in range(len(numbers)):
        if numbers[word] >= 0:
            positions[numbers[word]] = word + 1
    for number, document in enumerate(documents):
        total, unit = np.int64(0), units[document]
        norm = norms[document] if saturating else 0.0
        own, own_codes = terms[ends[document] : ends[document + 1]], codes[ends[document] : ends[document + 1]]
        if saturating:
            for posting in range(len(own)):
                tf_weight = table[own_codes[posting]]
                total += np.int64(factors[positions[own[posting]]] * (tf_weight / (tf_weight + norm)) * unit)
        else:
            for posting in range(len(own)):
                total += np.int64(factors[positions[own[posting]]] * table[own_codes[posting]] * unit)
        for position in range(overflows[0][document], overflows[0][document + 1]):
            factor, tf_weight, coded_weight = (
                factors[positions[overflows[1][position]]],
                overflows[2][position],
                table[OVERFLOW],
            )
            if saturating:
                tf_weight, coded_weight = tf_weight / (tf_weight + norm), coded_weight / (coded_weight + norm)
            total += np.int64(factor * tf_weight * unit) - np.int64(factor * coded_weight * unit)
        scores[number] = total / unit / divisors[document]
    for word in range(len(numbers)):
        if numbers[word] >= 0:
            positions[numbers[word]] = 0


@compiled
def row_rest(
    rows: Rows, overflows: OverflowRows, table: np.ndarray, factors: np.ndarray, prior: tuple[np.ndarray, np.ndarray],
    times: float, documents: np.ndarray, norms: np.ndarray, saturating: bool, scores: np.ndarray,
) -> np.int64:  # fmt: skip
    """The sums over the terms of some documents that have `factors`, in single precision.

    `times` the prior is subtracted; `prior` are the prior and the scale of sums. Returns a dummy value, so that the
    compiler keeps the prefetching reads.
    """
    ends, terms, codes = rows
    dummy = np.int64(0)
    for number, document in enumerate(documents):
        if number + 2 * _AHEAD < len(documents):
            dummy += ends[documents[number + 2 * _AHEAD]]
        if number + _AHEAD < len(documents):
            dummy += _prefetch(rows, documents[number + _AHEAD])
        own, own_codes = terms[ends[document] : ends[document + 1]], codes[ends[document] : ends[document + 1]]
        if saturating:
            total = _saturated(own, own_codes, factors, table, norms[document])
        else:
            total = _weighted(own, own_codes, factors, table)
        for position in range(overflows[0][document], overflows[0][document + 1]):
            if overflows[1][position] < len(factors):
                tf_weight, coded_weight = overflows[2][position], np.float64(table[OVERFLOW])
                if saturating:
                    tf_weight, coded_weight = (
                        tf_weight / (tf_weight + norms[document]),
                        coded_weight / (coded_weight + norms[document]),
                    )
                total += factors[overflows[1][position]] * np.float32(tf_weight - coded_weight)
        scores[number] = (total - np.float32(times) * prior[0][document]) * prior[1][document]
    return dummy


@compiled
def _prefetch(rows: Rows, document: int) -> np.int64:
    """Reads the start of a row in advance, so that cache misses overlap."""
    ends, terms, codes = rows
    first, last = np.int64(ends[document]), np.int64(ends[document + 1])
    last = min(last, first + _PREFETCHED_POSTINGS)
    dummy = np.int64(0)
    for position in range(first, last, 16):
        dummy += terms[position]
    for position in range(first, last, 64):
        dummy += codes[position]
    return dummy


@compiled
def _weighted(own: np.ndarray, own_codes: np.ndarray, factors: np.ndarray, table: np.ndarray) -> np.float32:
    """Four independent sums, which run in parallel."""
    a, b, c, d = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
    position, limit = 0, len(factors)
    while position + 4 <= len(own) and own[position + 3] < limit:
        a += factors[own[position]] * table[own_codes[position]]
        b += factors[own[position + 1]] * table[own_codes[position + 1]]
        c += factors[own[position + 2]] * table[own_codes[position + 2]]
        d += factors[own[position + 3]] * table[own_codes[position + 3]]
        position += 4
    while position < len(own) and own[position] < limit:
        a += factors[own[position]] * table[own_codes[position]]
        position += 1
    return (a + b) + (c + d)


@compiled
def _saturated(
    own: np.ndarray, own_codes: np.ndarray, factors: np.ndarray, table: np.ndarray, norm: np.float32
) -> np.float32:
    total, position = np.float32(0.0), 0
    while position < len(own) and own[position] < len(factors):
        tf_weight = table[own_codes[position]]
        total += factors[own[position]] * (tf_weight / (tf_weight + norm))
        position += 1
    return total
