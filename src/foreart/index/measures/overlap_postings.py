"""Compiled products or minima of dense sets of pairs, through an inverted index of the queries.

It reads little that is not shared, and the queries stay in the cache while documents are read. It adds in the same
order as `overlap.walk`, so that sums are bit for bit the same.
"""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.measures.overlap import Rows

# Queries processed together: as many as fit into the cache.
BLOCK = 512

# The number of each column, 0 if no query has it; the offset of the list of each number; in the lists, the index of a
# query and its weight. A column that half of the queries have has a dense list of all queries with zeros, which is
# added with vector instructions.
Postings = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@compiled
def inverted_queries(queries: Rows, width: int, members: np.ndarray) -> Postings:
    """Inverts some queries; each is identified by its index in `members`."""
    data, columns, ends, _ = queries
    numbers, starts = _numbered(queries, width, members)
    places = np.empty(starts[-1], dtype=np.uint16)
    weights = np.zeros(starts[-1])
    free = starts.copy()
    for member, query in enumerate(members):
        for place in range(ends[query], ends[query + 1]):
            number = numbers[columns[place]]
            if starts[number + 1] - starts[number] == len(members):
                weights[starts[number] + member] = data[place]
            else:
                places[free[number]], weights[free[number]] = member, data[place]
                free[number] += 1
    return numbers, starts, places, weights


@compiled
def _numbered(queries: Rows, width: int, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.zeros(width, dtype=np.uint32)
    for query in members:
        for place in range(queries[2][query], queries[2][query + 1]):
            numbers[queries[1][place]] += 1
    starts = np.zeros(np.count_nonzero(numbers) + 2, dtype=np.uint32)
    last = 0
    for column in range(width):
        if numbers[column]:
            last += 1
            count = len(members) if 2 * numbers[column] >= len(members) else numbers[column]
            starts[last + 1] = starts[last] + count
            numbers[column] = last
    return numbers, starts


@compiled
def grouped(rows: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """The positions of a list of rows in order of row, and their offsets by row."""
    starts = np.zeros(number + 2, dtype=np.int64)
    for row in rows:
        starts[row + 2] += 1
    for row in range(2, number + 2):
        starts[row] += starts[row - 1]
    order = np.empty(len(rows), dtype=np.int64)
    for place, row in enumerate(rows):
        order[starts[row + 1]] = place
        starts[row + 1] += 1
    return order, starts


@compiled
def sum_pairs(
    postings: Postings, members: int, documents: Rows, longest: int, pairs: tuple[np.ndarray, np.ndarray, np.ndarray],
    minimum: bool, out: np.ndarray, first: int, last: int,
) -> None:  # fmt: skip
    """The products or minima of the pairs of the documents from `first` to `last`.

    Pairs are `grouped` by document; the third array has the index of the query of each pair in the postings.
    """
    order, starts, queries = pairs
    data, columns, ends, _ = documents
    sums = np.empty(members)
    scratch = np.empty((2, longest), dtype=np.uint32)
    for document in range(first, last):
        if starts[document] < starts[document + 1]:
            start, end = ends[document], ends[document + 1]
            where, numbers = _known(postings[0], columns[start:end], scratch)
            sums[:] = 0.0
            if minimum:
                _add_minima(postings, numbers, data[start:end], where, sums)
            else:
                _add_products(postings, numbers, data[start:end], where, sums)
            for place in range(starts[document], starts[document + 1]):
                out[order[place]] = sums[queries[order[place]]]


@compiled
def _known(numbers: np.ndarray, columns: np.ndarray, scratch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The positions in a document of terms that some query has, and their numbers."""
    where, found = scratch[0], scratch[1]
    count = np.uint32(0)
    for place in range(len(columns)):
        number = numbers[columns[place]]
        where[count], found[count] = place, number  # always written, kept if known: cheaper than a branch
        count += np.uint32(number > 0)
    return where[:count], found[:count]


@compiled
def _add_products(
    postings: Postings, numbers: np.ndarray, data: np.ndarray, where: np.ndarray, sums: np.ndarray
) -> None:
    """Adds the product of each term of a document to the sum of each query that has it."""
    _, starts, places, weights = postings
    for term in range(len(numbers)):
        start, end, weight = starts[numbers[term]], starts[numbers[term] + 1], np.float64(data[where[term]])
        if end - start == len(sums):
            for query in range(len(sums)):
                sums[query] += weights[start + query] * weight
        else:
            for posting in range(start, end):
                sums[places[posting]] += weights[posting] * weight


@compiled
def _add_minima(postings: Postings, numbers: np.ndarray, data: np.ndarray, where: np.ndarray, sums: np.ndarray) -> None:
    """As `_add_products`; a separate function, because a branch inside the loops would cost as much as the sum."""
    _, starts, places, weights = postings
    for term in range(len(numbers)):
        start, end, weight = starts[numbers[term]], starts[numbers[term] + 1], np.float64(data[where[term]])
        if end - start == len(sums):
            for query in range(len(sums)):
                sums[query] += min(weights[start + query], weight)
        else:
            for posting in range(start, end):
                sums[places[posting]] += min(weights[posting], weight)
