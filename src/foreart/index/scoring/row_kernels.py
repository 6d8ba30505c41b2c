"""The compiled loops over the rows of documents: their lengths, and scores of some of them, exact or nearly so."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.storage.segment import GREAT

# By document: where each row ends (from 0), terms, codes.
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]
# Great counts by document: where those of each end (from 0), terms, what the counts are worth.
GreatRows = tuple[np.ndarray, np.ndarray, np.ndarray]
# How far ahead a row is asked of memory, and how much of it; the rest comes once it is begun.
_AHEAD, _BEGINNING = 2, 512
# A query: the number of each word, -1 where there is none; factors behind a 0; room for the place of each term in it,
# from 1, all 0 before and after.
Asked = tuple[np.ndarray, np.ndarray, np.ndarray]


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
    rows: Rows, great: GreatRows, table: np.ndarray, asked: Asked, documents: np.ndarray, rooms: np.ndarray,
    saturating: bool, units: np.ndarray, divisors: np.ndarray, scores: np.ndarray,
) -> None:  # fmt: skip
    """The sum over shared terms of some documents, in double precision, divided by what each is divided by.

    Terms are added as whole numbers of 1 / `units`, which is exact: the sum is the same in any order of terms, and
    equal sets of weights have equal sums. Terms that the query lacks have the factor 0, so that nothing branches.
    """
    ends, terms, codes = rows
    numbers, factors, places = asked
    for word in range(len(numbers)):
        if numbers[word] >= 0:
            places[numbers[word]] = word + 1
    for number, document in enumerate(documents):
        total, unit = np.int64(0), units[document]
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
        scores[number] = total / unit / divisors[document]
    for word in range(len(numbers)):
        if numbers[word] >= 0:
            places[numbers[word]] = 0


@compiled
def row_rest(
    rows: Rows, great: GreatRows, table: np.ndarray, factors: np.ndarray, usual: tuple[np.ndarray, np.ndarray],
    times: float, documents: np.ndarray, rooms: np.ndarray, saturating: bool, scores: np.ndarray,
) -> np.int64:  # fmt: skip
    """The sum over the first terms of some documents, those that `factors` has, in single precision.

    So many `times` the usual sum is taken off; `usual` has that and what sums are multiplied by. The result is of no
    use but that nothing may be left out of what is asked ahead.
    """
    ends, terms, codes = rows
    early = np.int64(0)
    for number, document in enumerate(documents):
        if number + 2 * _AHEAD < len(documents):
            early += ends[documents[number + 2 * _AHEAD]]
        if number + _AHEAD < len(documents):
            early += _ask_ahead(rows, documents[number + _AHEAD])
        own, often = terms[ends[document] : ends[document + 1]], codes[ends[document] : ends[document + 1]]
        if saturating:
            total = _saturated(own, often, factors, table, rooms[document])
        else:
            total = _weighted(own, often, factors, table)
        for place in range(great[0][document], great[0][document + 1]):
            if great[1][place] < len(factors):
                worth, counted = great[2][place], np.float64(table[GREAT])
                if saturating:
                    worth, counted = worth / (worth + rooms[document]), counted / (counted + rooms[document])
                total += factors[great[1][place]] * np.float32(worth - counted)
        scores[number] = (total - np.float32(times) * usual[0][document]) * usual[1][document]
    return early


@compiled
def _ask_ahead(rows: Rows, document: int) -> np.int64:
    """Asks memory for the beginning of a row that lies anywhere: it is slow to answer, but answers many at once."""
    ends, terms, codes = rows
    first, last = np.int64(ends[document]), np.int64(ends[document + 1])
    last = min(last, first + _BEGINNING)
    early = np.int64(0)
    for place in range(first, last, 16):
        early += terms[place]
    for place in range(first, last, 64):
        early += codes[place]
    return early


@compiled
def _weighted(own: np.ndarray, often: np.ndarray, factors: np.ndarray, table: np.ndarray) -> np.float32:
    """Four sums at a time, for none waits for the one before."""
    a, b, c, d = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
    place, limit = 0, len(factors)
    while place + 4 <= len(own) and own[place + 3] < limit:
        a += factors[own[place]] * table[often[place]]
        b += factors[own[place + 1]] * table[often[place + 1]]
        c += factors[own[place + 2]] * table[often[place + 2]]
        d += factors[own[place + 3]] * table[often[place + 3]]
        place += 4
    while place < len(own) and own[place] < limit:
        a += factors[own[place]] * table[often[place]]
        place += 1
    return (a + b) + (c + d)


@compiled
def _saturated(
    own: np.ndarray, often: np.ndarray, factors: np.ndarray, table: np.ndarray, room: np.float32
) -> np.float32:
    total, place = np.float32(0.0), 0
    while place < len(own) and own[place] < len(factors):
        worth = table[often[place]]
        total += factors[own[place]] * (worth / (worth + room))
        place += 1
    return total
