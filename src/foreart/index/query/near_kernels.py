"""Compiled loops over candidate pairs of near documents."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.storage.segment import OVERFLOW

# A segment: lists (starts, docs, codes), rows (ends, terms, codes), overflow counts by document (ends, terms, weight),
# the tf weights of codes, the idf of terms, 1 / length of each document (0 if deleted), the largest tf weight.
Side = tuple[
    np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray,
    np.ndarray, np.ndarray, np.ndarray, float,
]  # fmt: skip

# Length of the part of a row that is not queried, relative to the threshold: shorter reads more lists, longer lets more
# candidates pass.
_REST = 0.85
# Tolerance for rounding.
_ROUNDING = 1e-9


@compiled
def near_some(
    queries: Side, others: Side, numbers: np.ndarray, same: bool, threshold: float, first: int, last: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Documents from `first` to `last` of one segment, near documents of another, and their cosines.

    `numbers` has for each term of the first segment its number in the second, -1 if it is absent. If both are the
    `same` segment, a document is compared only with later ones.
    """
    documents, terms = len(others[3]) - 1, len(others[0]) - 1
    sums, candidates = np.zeros(documents), np.empty(documents, dtype=np.int64)
    query_weights = np.zeros(terms)
    left, right, scores = np.empty(16, dtype=np.int64), np.empty(16, dtype=np.int64), np.empty(16)
    found = 0
    for document in range(first, last):
        if queries[11][document] == 0.0:
            continue
        known, weights = _row(queries, numbers, document)
        order, rest = _rarest(others, known, weights, threshold)
        count = _add(others, known, weights, order, document if same else -1, sums, candidates)
        for position in range(len(known)):
            query_weights[known[position]] = weights[position]
        for number in range(count):
            near = candidates[number]
            if sums[near] >= threshold - rest - _ROUNDING and others[11][near] > 0.0:
                score = _score(others, query_weights, near)
                if score >= threshold:
                    if found == len(left):
                        left, right, scores = _longer(left), _longer(right), _longer(scores)
                    left[found], right[found], scores[found] = document, near, score
                    found += 1
            sums[near] = 0.0
        for position in range(len(known)):
            query_weights[known[position]] = 0.0
    return left[:found], right[:found], scores[:found]


@compiled
def _row(side: Side, numbers: np.ndarray, document: int) -> tuple[np.ndarray, np.ndarray]:
    """The terms of a document that the other segment has, by their numbers there, and their weights."""
    start, end = side[3][document], side[3][document + 1]
    known, weights = np.empty(end - start, dtype=np.int64), np.empty(end - start)
    count, overflow = 0, side[6][document]
    for position in range(start, end):
        weight = side[9][side[5][position]]
        if side[5][position] == OVERFLOW:  # in the order of the row
            weight = side[8][overflow]
            overflow += 1
        term = side[4][position]
        if numbers[term] >= 0 and side[10][term] > 0.0:
            known[count], weights[count] = numbers[term], weight * side[10][term] * side[11][document]
            count += 1
    return known[:count], weights[:count]


@compiled
def _rarest(side: Side, known: np.ndarray, weights: np.ndarray, threshold: float) -> tuple[np.ndarray, float]:
    """The positions of the terms with the shortest lists that leave a short enough rest, and its length."""
    sizes = np.empty(len(known), dtype=np.int64)
    rest = 0.0
    for position in range(len(known)):
        sizes[position] = side[0][known[position] + 1] - side[0][known[position]]
        rest += weights[position] * weights[position]
    order = np.argsort(sizes)
    limit = (_REST * threshold) ** 2
    count = 0
    while count < len(order) and rest > limit:
        rest -= weights[order[count]] ** 2
        count += 1
    return order[:count], np.sqrt(max(rest, 0.0))


@compiled
def _add(
    side: Side,
    known: np.ndarray,
    weights: np.ndarray,
    order: np.ndarray,
    after: int,
    sums: np.ndarray,
    candidates: np.ndarray,
) -> int:
    """Adds the weights of some terms to the documents after `after`; an overflow count adds the largest weight."""
    count = 0
    for position in order:
        term = known[position]
        factor = weights[position] * side[10][term]
        for posting in range(side[0][term], side[0][term + 1]):
            document = side[1][posting]
            if document <= after:
                continue
            if sums[document] == 0.0:
                candidates[count] = document
                count += 1
            weight = side[12] if side[2][posting] == OVERFLOW else side[9][side[2][posting]]
            # Never 0, so that no document becomes a candidate twice.
            sums[document] += factor * weight * side[11][document] + 1e-300
    return count


@compiled
def _score(side: Side, query_weights: np.ndarray, document: int) -> float:
    total, overflow = 0.0, side[6][document]
    for position in range(side[3][document], side[3][document + 1]):
        weight = side[9][side[5][position]]
        if side[5][position] == OVERFLOW:
            weight = side[8][overflow]
            overflow += 1
        total += query_weights[side[4][position]] * weight * side[10][side[4][position]]
    return float(total * side[11][document])


@compiled
def _longer(array: np.ndarray) -> np.ndarray:
    """A copy with twice the capacity."""
    longer = np.empty(2 * len(array), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
