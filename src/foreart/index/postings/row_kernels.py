"""The compiled loops over the rows of documents: their lengths, and exact scores of some of them."""

from __future__ import annotations

import numpy as np

from foreart.features.compiling import compiled
from foreart.index.postings.segment import GREAT

# By document: where each row ends (from 0), terms, codes.
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]
# Great counts by document: where those of each end (from 0), terms, what the counts are worth.
GreatRows = tuple[np.ndarray, np.ndarray, np.ndarray]


@compiled
def row_squares(
    rows: Rows, great: GreatRows, table: np.ndarray, rarity: np.ndarray, first: int, last: int, squares: np.ndarray
) -> None:
    """The sum of the squares of each row's weights, with what rounding loses added at the end (Neumaier 1974).

    So it hangs neither on the order of terms nor on how documents are cut into segments.
    """
    ends, terms, codes = rows
    for document in range(first, last):
        total, lost, greatest = 0.0, 0.0, great[0][document]
        for place in range(ends[document], ends[document + 1]):
            worth = table[codes[place]]
            if codes[place] == GREAT:  # they stand in the order of the row
                worth = great[2][greatest]
                greatest += 1
            weight = worth * rarity[terms[place]]
            square = weight * weight
            new = total + square
            lost += (total - new) + square if total >= square else (square - new) + total
            total = new
        squares[document] = total + lost


@compiled
def row_scores(
    rows: Rows, great: GreatRows, table: np.ndarray, places: np.ndarray, factors: np.ndarray, documents: np.ndarray,
    rooms: np.ndarray, saturating: bool, units: np.ndarray, scores: np.ndarray,
) -> None:  # fmt: skip
    """The sum over shared terms of some documents, in double precision.

    Terms are added as whole numbers of 1 / `units`, which is exact: the sum is the same in any order of terms, and
    equal sets of weights have equal sums. `places` has for each term of the segment its place in the query, from 1;
    0 stands for terms that the query lacks, and `factors` is 0 there, so that nothing branches.
    """
    ends, terms, codes = rows
    for number, document in enumerate(documents):
        total, unit = np.int64(0), units[number]
        room = rooms[document] if saturating else 0.0
        own, often = terms[ends[document] : ends[document + 1]], codes[ends[document] : ends[document + 1]]
        if saturating:
            for posting in range(len(own)):
                worth = table[often[posting]]
                total += np.int64(factors[places[own[posting]]] * (worth / (worth + room)) * unit)
        else:
            for posting in range(len(own)):
                total += np.int64(factors[places[own[posting]]] * table[often[posting]] * unit)
        for place in range(great[0][document], great[0][document + 1]):
            factor, worth, counted = factors[places[great[1][place]]], great[2][place], table[GREAT]
            if saturating:
                worth, counted = worth / (worth + room), counted / (counted + room)
            total += np.int64(factor * worth * unit) - np.int64(factor * counted * unit)
        scores[number] = total / unit
