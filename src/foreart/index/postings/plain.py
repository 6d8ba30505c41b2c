"""The loops over postings and rows in NumPy, for machines without numba: the same functions, the same results to 1e-6.

Arguments are those of `kernels` and `row_kernels`.
"""

from __future__ import annotations

import numpy as np

from foreart.index.postings.kernels import CHUNK, Great, Lists, Terms
from foreart.index.postings.row_kernels import Asked, GreatRows, Rows
from foreart.index.postings.segment import GREAT

# Documents whose rows are taken together.
_STEP = 256


def add_weights(
    grid: np.ndarray, step: float, ceiling: int, lists: Lists, great: Great, extra: np.ndarray, table: np.ndarray,
    terms: Terms, span: tuple[int, int], few: np.ndarray, sums: np.ndarray,
) -> None:  # fmt: skip
    """Adds what each term is worth to each document of a span, be it wanted or not."""
    del few
    numbers, factors, gridded = terms
    for number, factor in zip(numbers[:gridded].tolist(), factors[:gridded], strict=True):
        sums += np.float32(step) * factor * np.minimum(grid[number, span[0] : span[1]], ceiling)
    docs, codes, owners = listed(lists, numbers[gridded:], span)
    sums += np.bincount(docs, weights=factors[gridded:][owners] * table[codes], minlength=len(sums))
    places, owners = _great_places(great, numbers, span)
    sums += np.bincount(great[2][places] - span[0], weights=factors[owners] * extra[places], minlength=len(sums))


def add_saturated(
    grid: np.ndarray, rooms: np.ndarray, lists: Lists, great: Great, terms: Terms, span: tuple[int, int],
    few: np.ndarray, sums: np.ndarray,
) -> None:  # fmt: skip
    """As `add_weights`, where a count is worth count / (count + room of the document)."""
    del few
    numbers, factors, gridded = terms
    room = rooms[span[0] : span[1]]
    for number, factor in zip(numbers[:gridded].tolist(), factors[:gridded], strict=True):
        sums += factor * _saturated(grid[number, span[0] : span[1]], room)
    docs, codes, owners = listed(lists, numbers[gridded:], span)
    sums += np.bincount(docs, weights=factors[gridded:][owners] * _saturated(codes, room[docs]), minlength=len(sums))
    places, owners = _great_places(great, numbers, span)
    docs = great[2][places] - span[0]
    more = _saturated(great[3][places], room[docs]) - _saturated(np.full(len(docs), GREAT), room[docs])
    sums += np.bincount(docs, weights=factors[owners] * more, minlength=len(sums))


def scaled(sums: np.ndarray, scale: np.ndarray, allowed: np.ndarray, maxima: np.ndarray) -> None:
    """Multiplies sums by their scale, 0 where a document is not allowed, and finds the greatest of every chunk."""
    sums *= scale
    if len(allowed):
        sums[~allowed] = 0.0
    maxima[:] = np.maximum.reduceat(sums, np.arange(0, len(sums), CHUNK))


def some(
    sums: np.ndarray, allowed: np.ndarray, scale: np.ndarray, usual: np.ndarray, times: float, found: np.ndarray,
    values: np.ndarray,
) -> int:  # fmt: skip
    """Puts into `found` the documents for which `allowed` is 1, and into `values` their sums; how many there are."""
    documents = np.flatnonzero(allowed)
    found[: len(documents)] = documents
    values[: len(documents)] = (sums[documents] + np.float32(times) * usual[documents]) * scale[documents]
    return len(documents)


def at_least(sums: np.ndarray, maxima: np.ndarray, least: float, found: np.ndarray) -> int:
    """Puts into `found` the places of all sums above 0 that are at least so great; how many there are."""
    # Nothing of a chunk counts whose greatest is 0: it may be of another query.
    places = np.flatnonzero((sums >= np.float32(least)) & (sums > 0) & np.repeat(maxima > 0, CHUNK))
    found[: len(places)] = places
    return len(places)


def row_squares(
    rows: Rows, great: GreatRows, table: np.ndarray, rarity: np.ndarray, first: int, last: int, squares: np.ndarray
) -> None:
    """The sum of the squares of each row's weights."""
    terms, worth, owners, _ = row_weights(rows, great, table, np.arange(first, last))
    squares[first:last] = np.bincount(owners, weights=(worth * rarity[terms]) ** 2, minlength=last - first)


def row_scores(
    rows: Rows, great: GreatRows, table: np.ndarray, asked: Asked, documents: np.ndarray, rooms: np.ndarray,
    saturating: bool, units: np.ndarray, divisors: np.ndarray, scores: np.ndarray,
) -> None:  # fmt: skip
    """The sum over shared terms of some documents, in whole numbers of 1 / `units`."""
    numbers, factors, places = asked
    there = np.flatnonzero(numbers >= 0)
    places[numbers[there]] = there + 1
    for start in range(0, len(documents), _STEP):
        some = documents[start : start + _STEP]
        terms, worth, owners, ends = row_weights(rows, great, table, some)
        if saturating:
            worth /= worth + rooms[some][owners]
        # A sum of whole numbers may pass the greatest of 64 bits and come back: differences are right all the same.
        whole = (factors[places[terms]] * worth * units[some][owners]).astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(whole)])
        scores[start : start + _STEP] = (sums[ends[1:]] - sums[ends[:-1]]) / units[some] / divisors[some]
    places[numbers[there]] = 0


def row_rest(
    rows: Rows, great: GreatRows, table: np.ndarray, factors: np.ndarray, usual: tuple[np.ndarray, np.ndarray],
    times: float, documents: np.ndarray, rooms: np.ndarray, saturating: bool, scores: np.ndarray,
) -> None:  # fmt: skip
    """The sum over the first terms of some documents, those that `factors` has, beyond the usual."""
    terms, worth, owners, _ = row_weights(rows, great, table.astype(np.float64), documents)
    if saturating:
        worth /= worth + rooms[documents][owners]
    known = terms < len(factors)
    sums = np.bincount(owners[known], weights=factors[terms[known]] * worth[known], minlength=len(documents))
    scores[:] = (sums - times * usual[0][documents]) * usual[1][documents]


def listed(lists: Lists, numbers: np.ndarray, span: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All postings of some terms in a span: documents from its first, codes, and the place of the term of each."""
    starts, docs, codes = lists
    postings, owners = _joined(starts, numbers)
    own = docs[postings].astype(np.int64)
    within = (own >= span[0]) & (own < span[1])
    return own[within] - span[0], codes[postings[within]], owners[within]


def _joined(ends: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the postings of some lists or rows stand, one behind the other, and the place of the owner of each."""
    starts = ends[chosen].astype(np.int64)
    lengths = ends[chosen + 1].astype(np.int64) - starts
    owners = np.repeat(np.arange(len(chosen)), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(len(owners)) + (starts - before)[owners], owners


def _great_places(great: Great, numbers: np.ndarray, span: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Where the great counts of some terms stand whose documents are in a span, and the place of the term of each."""
    terms = np.repeat(great[0], np.diff(great[1]))
    owners = np.searchsorted(numbers, terms)
    known = numbers[np.minimum(owners, len(numbers) - 1)] == terms if len(numbers) else np.zeros(len(terms), dtype=bool)
    places = np.flatnonzero(known & (great[2] >= span[0]) & (great[2] < span[1]))
    return places, owners[places]


def row_weights(
    rows: Rows, great: GreatRows, table: np.ndarray, documents: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The rows of some documents behind one another: terms, what counts are worth, whose they are, where each ends."""
    postings, owners = _joined(rows[0], documents)
    terms, codes = rows[1][postings].astype(np.int64), rows[2][postings]
    worth = table[codes]
    # The great counts of a document stand in the order of its row.
    worth[codes == GREAT] = great[2][_joined(great[0], documents)[0]]
    return terms, worth, owners, np.searchsorted(owners, np.arange(len(documents) + 1))


def _saturated(counts: np.ndarray, rooms: np.ndarray) -> np.ndarray:
    often = np.asarray(counts, dtype=np.float64)
    found: np.ndarray = np.divide(often, often + rooms, out=np.zeros(len(often)), where=often > 0)
    return found
