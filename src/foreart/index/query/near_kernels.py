"""The compiled loops over pairs of documents that may be near."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.storage.segment import GREAT

# A segment: lists (starts, docs, codes), rows (ends, terms, codes), great counts by document (ends, terms, worth), the
# worth of codes, the rarity of terms, one over the length of each document (0 for the dead), the greatest worth of all.
Side = tuple[
    np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray,
    np.ndarray, np.ndarray, np.ndarray, float,
]  # fmt: skip

# How long, in parts of the threshold, the rest may be that does not ask: shorter, and more lists are read; longer, and
# more documents pass.
_REST = 0.85
# What rounding may take from a sum.
_ROUNDING = 1e-9


@compiled
def near_some(
    one: Side, other: Side, numbers: np.ndarray, same: bool, threshold: float, first: int, last: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Documents of one segment from `first` to `last`, those of another that are near, and their cosines.

    `numbers` has for each term of the one its number in the other, -1 if it has none. If both are the same segment, a
    document meets only those behind it.
    """
    documents, terms = len(other[3]) - 1, len(other[0]) - 1
    sums, met = np.zeros(documents), np.empty(documents, dtype=np.int64)
    asked = np.zeros(terms)
    left, right, scores = np.empty(16, dtype=np.int64), np.empty(16, dtype=np.int64), np.empty(16)
    found = 0
    for document in range(first, last):
        if one[11][document] == 0.0:
            continue
        known, weights = _row(one, numbers, document)
        order, rest = _rarest(other, known, weights, threshold)
        count = _add(other, known, weights, order, document if same else -1, sums, met)
        for place in range(len(known)):
            asked[known[place]] = weights[place]
        for number in range(count):
            near = met[number]
            if sums[near] >= threshold - rest - _ROUNDING and other[11][near] > 0.0:
                score = _score(other, asked, near)
                if score >= threshold:
                    if found == len(left):
                        left, right, scores = _longer(left), _longer(right), _longer(scores)
                    left[found], right[found], scores[found] = document, near, score
                    found += 1
            sums[near] = 0.0
        for place in range(len(known)):
            asked[known[place]] = 0.0
    return left[:found], right[:found], scores[:found]


@compiled
def _row(side: Side, numbers: np.ndarray, document: int) -> tuple[np.ndarray, np.ndarray]:
    """The terms of a document that the other segment has, by their numbers there, and their weights."""
    start, end = side[3][document], side[3][document + 1]
    known, weights = np.empty(end - start, dtype=np.int64), np.empty(end - start)
    count, great = 0, side[6][document]
    for place in range(start, end):
        worth = side[9][side[5][place]]
        if side[5][place] == GREAT:  # they stand in the order of the row
            worth = side[8][great]
            great += 1
        term = side[4][place]
        if numbers[term] >= 0 and side[10][term] > 0.0:
            known[count], weights[count] = numbers[term], worth * side[10][term] * side[11][document]
            count += 1
    return known[:count], weights[:count]


@compiled
def _rarest(side: Side, known: np.ndarray, weights: np.ndarray, threshold: float) -> tuple[np.ndarray, float]:
    """The places of the terms with the shortest lists that leave little enough, and how long the rest is."""
    sizes = np.empty(len(known), dtype=np.int64)
    rest = 0.0
    for place in range(len(known)):
        sizes[place] = side[0][known[place] + 1] - side[0][known[place]]
        rest += weights[place] * weights[place]
    order = np.argsort(sizes)
    least = (_REST * threshold) ** 2
    count = 0
    while count < len(order) and rest > least:
        rest -= weights[order[count]] ** 2
        count += 1
    return order[:count], np.sqrt(max(rest, 0.0))


@compiled
def _add(
    side: Side, known: np.ndarray, weights: np.ndarray, order: np.ndarray, after: int, sums: np.ndarray, met: np.ndarray
) -> int:
    """Adds up what some terms give to the documents behind `after`; a great count gives the most that one can."""
    count = 0
    for place in order:
        term = known[place]
        factor = weights[place] * side[10][term]
        for posting in range(side[0][term], side[0][term + 1]):
            document = side[1][posting]
            if document <= after:
                continue
            if sums[document] == 0.0:
                met[count] = document
                count += 1
            worth = side[12] if side[2][posting] == GREAT else side[9][side[2][posting]]
            # Never 0, which would let a document be met twice.
            sums[document] += factor * worth * side[11][document] + 1e-300
    return count


@compiled
def _score(side: Side, asked: np.ndarray, document: int) -> float:
    total, great = 0.0, side[6][document]
    for place in range(side[3][document], side[3][document + 1]):
        worth = side[9][side[5][place]]
        if side[5][place] == GREAT:
            worth = side[8][great]
            great += 1
        total += asked[side[4][place]] * worth * side[10][side[4][place]]
    return float(total * side[11][document])


@compiled
def _longer(array: np.ndarray) -> np.ndarray:
    """Twice the room, with what was there."""
    longer = np.empty(2 * len(array), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
