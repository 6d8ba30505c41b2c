"""What measures need of each document alone, and the sums over shared terms of a few documents, exactly."""

from __future__ import annotations

import math

import numpy as np

from foreart.features.compiling import compiled
from foreart.index.postings.row_kernels import GreatRows, Rows
from foreart.index.postings.segment import GREAT

# The rows of what `row_sums` fills: how many terms weigh something, Σv, Σv², Σv^p, and the greatest v.
KINDS = TERMS, TOTAL, SQUARES, POWERS, GREATEST = (0, 1, 2, 3, 4)
# How many of a document's heaviest terms are known; only Chebyshev's distance asks, and seldom for more.
HEAVIEST = 8


@compiled
def row_sums(
    rows: Rows, great: GreatRows, table: np.ndarray, rarity: np.ndarray, power: float, first: int, last: int,
    out: np.ndarray,
) -> None:  # fmt: skip
    """Sums of the weights of each row, which are not yet divided by its length."""
    ends, terms, codes = rows
    for document in range(first, last):
        number = total = squares = powers = greatest = 0.0
        place = great[0][document]
        for posting in range(ends[document], ends[document + 1]):
            worth = table[codes[posting]]
            if codes[posting] == GREAT:  # they stand in the order of the row
                worth = great[2][place]
                place += 1
            weight = worth * rarity[terms[posting]]
            number += 1.0 if weight > 0.0 else 0.0
            total += weight
            squares += weight * weight
            powers += weight * weight * weight if power == 3.0 else weight**power
            greatest = max(greatest, weight)
        out[TERMS, document], out[TOTAL, document], out[SQUARES, document] = number, total, squares
        out[POWERS, document], out[GREATEST, document] = powers, greatest


@compiled
def row_heaviest(
    rows: Rows, great: GreatRows, table: np.ndarray, rarity: np.ndarray, first: int, last: int, heaviest: np.ndarray,
    weights: np.ndarray,
) -> None:  # fmt: skip
    """The heaviest terms of each document in falling order of weight; weight 0 where it has no more."""
    ends, terms, codes = rows
    for document in range(first, last):
        best, values, place = heaviest[document], weights[document], great[0][document]
        values[:] = 0.0
        for posting in range(ends[document], ends[document + 1]):
            worth = table[codes[posting]]
            if codes[posting] == GREAT:
                worth = great[2][place]
                place += 1
            weight = worth * rarity[terms[posting]]
            if weight > values[-1]:
                rank = len(values) - 1
                while rank > 0 and values[rank - 1] < weight:
                    best[rank], values[rank] = best[rank - 1], values[rank - 1]
                    rank -= 1
                best[rank], values[rank] = terms[posting], weight


@compiled
def add_own_heaviest(
    heaviest: np.ndarray, weights: np.ndarray, places: np.ndarray, x: np.ndarray, scale: np.ndarray,
    span: tuple[int, int], widest: np.ndarray, again: np.ndarray,
) -> None:  # fmt: skip
    """Raises the greatest difference of each document by its heaviest terms, up to the first that the query lacks.

    What follows that weighs less. `again` is set for documents all of whose heaviest terms are shared. `x` has the
    weights of the query, from place 1, and 0 before.
    """
    for each in range(len(widest)):
        document = span[0] + each
        for rank in range(HEAVIEST):
            weight, place = weights[document, rank] * scale[document], places[heaviest[document, rank]]
            if weight <= widest[each]:
                break
            widest[each] = max(widest[each], abs(weight - x[place]))
            if place == 0:
                break
        else:
            again[each] = True


@compiled
def row_overlap(
    rows: Rows, great: GreatRows, table: np.ndarray, rarity: np.ndarray, places: np.ndarray, x: np.ndarray,
    documents: np.ndarray, scale: np.ndarray, power: float, out: np.ndarray,
) -> None:  # fmt: skip
    """The sums over shared terms of some documents in double precision, in the rows of `measure_kernels`.

    `x` has the weights of the query, from place 1.
    """
    ends, terms, codes = rows
    held = np.zeros(len(x), dtype=np.bool_)
    for number, document in enumerate(documents):
        held[:] = False
        out[:, number] = 0.0
        place = great[0][document]
        for posting in range(ends[document], ends[document + 1]):
            worth = table[codes[posting]]
            if codes[posting] == GREAT:
                worth = great[2][place]
                place += 1
            y, asked = worth * rarity[terms[posting]] * scale[document], places[terms[posting]]
            held[asked] = True
            if asked == 0:
                out[8, number] = max(out[8, number], y)
            elif y > 0.0:
                _add(x[asked], y, power, out[:, number])
        for asked in range(1, len(x)):
            if not held[asked]:
                out[8, number] = max(out[8, number], x[asked])


@compiled
def _add(x: float, y: float, power: float, sums: np.ndarray) -> None:
    low, high = min(x, y), max(x, y)
    share = low / (x + y)
    sums[0] += x * y
    sums[1] += low
    sums[2] += share
    sums[3] += high * share
    sums[4] += math.sqrt(x * y)
    sums[5] -= (x + y) * (share * math.log2(share) + (1.0 - share) * math.log2(1.0 - share))
    sums[6] += x**power + y**power - (high - low) ** power
    sums[7] += 1.0
    sums[8] = max(sums[8], high - low)
