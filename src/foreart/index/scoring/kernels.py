"""The compiled loops over postings: sums of all documents, and the best of them."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.storage.segment import GREAT

# Documents of one step: their sums stay in the nearest cache while the lists of frequent words pass by.
_STEP = 8192
# Lists that are asked of memory at once, before their turn, and how much of each; the rest comes once it is begun.
_AT_ONCE, _BEGINNING = 64, 256
# A list shorter than this is multiplied out; for a longer one the products of all codes are made first.
_LONG = 4096
# Postings of a list that are looked through together for documents that are wanted.
_PIECE = 512
# Documents that are looked at together: most have nothing among the best.
CHUNK = 64
_SINGLE = np.float32

# Lists by term: starts, documents, codes.
Lists = tuple[np.ndarray, np.ndarray, np.ndarray]
# Great counts: the terms that have some, ascending; where those of each start; documents; what the counts are worth.
Great = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
# Terms in ascending order, the factor of each; the first some of them are in the grid.
Terms = tuple[np.ndarray, np.ndarray, int]


@compiled
def add_weights(
    grid: np.ndarray, step: float, ceiling: int, lists: Lists, great: Great, extra: np.ndarray, table: np.ndarray,
    terms: Terms, span: tuple[int, int], few: np.ndarray, sums: np.ndarray,
) -> np.int64:  # fmt: skip
    """Adds what each term is worth to each document of a span, in the order of terms; `sums` begins with its first.

    `extra` is what each great count is worth beyond the greatest code. `few` is 1 for documents that are wanted, where
    they are few, and empty where all are: the sums of others may lack something. The result is of no use.
    """
    numbers, factors, gridded = terms
    _add_grid(grid, step, ceiling, numbers[:gridded], factors, span, sums)
    starts, docs, codes = lists
    products, kept = np.empty(len(table), dtype=np.float32), np.empty(_PIECE, dtype=np.uint16)
    early = np.int64(0)
    for place in range(gridded, len(numbers)):
        if (place - gridded) % _AT_ONCE == 0:
            early += _ask_ahead(lists, numbers[place : place + _AT_ONCE])
        low, high = within(docs, starts[numbers[place]], starts[numbers[place] + 1], span, grid.shape[1])
        own, often, factor = docs[low:high], codes[low:high], factors[place]
        if len(few) > 0:
            for first in range(0, len(own), _PIECE):
                some, times = own[first : first + _PIECE], often[first : first + _PIECE]
                for each in range(_wanted(some, few, kept)):
                    sums[some[kept[each]] - span[0]] += factor * table[times[kept[each]]]
        elif high - low < _LONG:
            _add_short(own, often, factor, table, span[0], sums)
        else:
            for code in range(len(table)):
                products[code] = factor * table[code]
            _add_list(own, often, products, span[0], sums)
    held = 0
    for place in range(len(numbers)):
        held = _held(great, held, numbers[place])
        if held < len(great[0]) and great[0][held] == numbers[place]:
            for each in range(great[1][held], great[1][held + 1]):
                if span[0] <= great[2][each] < span[1]:
                    sums[great[2][each] - span[0]] += factors[place] * extra[each]
    return early


@compiled
def _ask_ahead(lists: Lists, numbers: np.ndarray) -> np.int64:
    """Asks memory for the beginnings of some lists: it is slow to answer, but answers many at once.

    The result is of no use but that nothing may be left out.
    """
    starts, docs, codes = lists
    early = np.int64(0)
    for place in range(len(numbers)):
        first, last = np.int64(starts[numbers[place]]), np.int64(starts[numbers[place] + 1])
        last = min(last, first + _BEGINNING)
        for posting in range(first, last, 32):
            early += docs[posting]
        for posting in range(first, last, 64):
            early += codes[posting]
    return early


@compiled
def _wanted(own: np.ndarray, few: np.ndarray, kept: np.ndarray) -> np.int64:
    """Puts into `kept` which of some postings are of documents that are wanted; how many there are.

    Nothing branches, for chance is hard to foresee.
    """
    number = np.uint64(0)
    for posting in range(len(own)):
        kept[number] = posting
        number += np.uint64(few[own[posting]])
    return np.int64(number)


@compiled
def _add_short(
    own: np.ndarray, often: np.ndarray, factor: float, table: np.ndarray, first: int, sums: np.ndarray
) -> None:
    if first == 0:
        for posting in range(len(own)):
            sums[own[posting]] += factor * table[often[posting]]
    else:
        for posting in range(len(own)):
            sums[own[posting] - first] += factor * table[often[posting]]


@compiled
def _add_list(own: np.ndarray, often: np.ndarray, products: np.ndarray, first: int, sums: np.ndarray) -> None:
    if first == 0:
        for posting in range(len(own)):
            sums[own[posting]] += products[often[posting]]
    else:
        for posting in range(len(own)):
            sums[own[posting] - first] += products[often[posting]]


@compiled
def _add_grid(
    grid: np.ndarray, step: float, ceiling: int, numbers: np.ndarray, factors: np.ndarray, span: tuple[int, int],
    sums: np.ndarray,
) -> None:  # fmt: skip
    """A few lists at a time, each a byte for every document: nothing is looked up, so several are added at once."""
    most = np.uint8(ceiling)
    for first in range(span[0], span[1], _STEP):
        last = min(first + _STEP, span[1])
        part = sums[first - span[0] : last - span[0]]
        whole = len(numbers) // 4 * 4
        for place in range(0, whole, 4):
            a, b, c, d = numbers[place], numbers[place + 1], numbers[place + 2], numbers[place + 3]
            one, two, three, four = grid[a, first:last], grid[b, first:last], grid[c, first:last], grid[d, first:last]
            u, v = _SINGLE(step * factors[place]), _SINGLE(step * factors[place + 1])
            w, x = _SINGLE(step * factors[place + 2]), _SINGLE(step * factors[place + 3])
            for each in range(len(part)):
                part[each] = part[each] + (
                    u * _SINGLE(min(one[each], most)) + v * _SINGLE(min(two[each], most))
                    + w * _SINGLE(min(three[each], most)) + x * _SINGLE(min(four[each], most))
                )  # fmt: skip
        for place in range(whole, len(numbers)):
            one, u = grid[numbers[place], first:last], _SINGLE(step * factors[place])
            for each in range(len(part)):
                part[each] += u * _SINGLE(min(one[each], most))


@compiled
def add_saturated(
    grid: np.ndarray, rooms: np.ndarray, lists: Lists, great: Great, terms: Terms, span: tuple[int, int],
    few: np.ndarray, sums: np.ndarray,
) -> None:  # fmt: skip
    """As `add_weights`, where a count is worth count / (count + room of the document)."""
    numbers, factors, gridded = terms
    room = rooms[span[0] : span[1]]
    for place in range(gridded):
        codes, factor = grid[numbers[place], span[0] : span[1]], factors[place]
        for each in range(len(sums)):
            count = _SINGLE(codes[each])
            sums[each] += factor * (count / (count + room[each])) if codes[each] else _SINGLE(0.0)
    starts, docs, codes = lists
    kept = np.empty(_PIECE, dtype=np.uint16)
    for place in range(gridded, len(numbers)):
        low, high = within(docs, starts[numbers[place]], starts[numbers[place] + 1], span, grid.shape[1])
        own, often, factor = docs[low:high], codes[low:high], factors[place]
        for first in range(0, len(own) if len(few) > 0 else 0, _PIECE):
            some, times = own[first : first + _PIECE], often[first : first + _PIECE]
            for posting in kept[: _wanted(some, few, kept)]:
                count, each = _SINGLE(times[posting]), some[posting] - span[0]
                sums[each] += factor * (count / (count + room[each]))
        for posting in range(0 if len(few) > 0 else len(own)):
            count, each = _SINGLE(often[posting]), own[posting] - span[0]
            sums[each] += factor * (count / (count + room[each]))
    held = 0
    for place in range(len(numbers)):
        held = _held(great, held, numbers[place])
        if held < len(great[0]) and great[0][held] == numbers[place]:
            for each in range(great[1][held], great[1][held + 1]):
                if span[0] <= great[2][each] < span[1]:
                    document = great[2][each] - span[0]
                    count, code = _SINGLE(great[3][each]), _SINGLE(GREAT)
                    more = count / (count + room[document]) - code / (code + room[document])
                    sums[document] += factors[place] * more


@compiled
def _held(great: Great, held: int, term: int) -> int:
    """The place of the first term with great counts that is not before another; terms are asked in order."""
    while held < len(great[0]) and great[0][held] < term:
        held += 1
    return held


@compiled
def within(docs: np.ndarray, start: int, end: int, span: tuple[int, int], documents: int) -> tuple[np.int64, np.int64]:
    """Where in a list the documents of a span stand; the list is not read if the span has all of them."""
    low, high = np.int64(start), np.int64(end)
    if span[0] > 0:
        low = _from(docs, low, high, span[0])
    if span[1] < documents:
        high = _from(docs, low, high, span[1])
    return low, high


@compiled
def _from(docs: np.ndarray, low: np.int64, high: np.int64, least: int) -> np.int64:
    """The place of the first document that is not below another."""
    while low < high:
        middle = np.int64((low + high) // 2)
        if docs[middle] < least:
            low = np.int64(middle + 1)
        else:
            high = middle
    return low


@compiled
def scaled(sums: np.ndarray, scale: np.ndarray, allowed: np.ndarray, maxima: np.ndarray) -> None:
    """Multiplies sums by their scale, 0 where a document is not allowed, and finds the greatest of every `CHUNK`.

    `allowed` is empty where all are.
    """
    if len(allowed) == 0:
        for each in range(len(sums)):
            sums[each] *= scale[each]
    else:
        for each in range(len(sums)):
            sums[each] = sums[each] * scale[each] if allowed[each] else _SINGLE(0.0)
    # Numbers of single precision that are not negative have the order of their bits.
    bits, most = sums.view(np.int32), maxima.view(np.int32)
    for chunk in range(len(maxima)):
        greatest = np.int32(0)
        for each in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(bits))):
            greatest = max(greatest, bits[each])
        most[chunk] = greatest


@compiled
def some(
    sums: np.ndarray, allowed: np.ndarray, scale: np.ndarray, usual: np.ndarray, times: np.float32, found: np.ndarray,
    values: np.ndarray,
) -> np.int64:  # fmt: skip
    """Puts into `found` the documents for which `allowed` is 1, and into `values` their sums; how many there are.

    To a sum comes so many times the usual; both are multiplied by the scale.
    """
    number = np.uint64(0)
    for document in range(len(sums)):  # as in `_wanted`, nothing branches
        found[number] = document
        number += np.uint64(allowed[document])
    for place in range(np.int64(number)):
        document = found[place]
        values[place] = (sums[document] + times * usual[document]) * scale[document]
    return np.int64(number)


@compiled
def at_least(sums: np.ndarray, maxima: np.ndarray, least: float, found: np.ndarray) -> int:
    """Puts into `found` the places of all sums above 0 that are at least so great; how many there are."""
    number, cut = 0, _SINGLE(least)
    for chunk in range(len(maxima)):
        if maxima[chunk] >= cut and maxima[chunk] > 0:
            for place in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(sums))):
                if sums[place] >= cut and sums[place] > 0:
                    found[number] = place
                    number += 1
    return number
