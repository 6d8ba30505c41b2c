"""The compiled loops over postings and rows: sums of all documents, the best of them, and exact sums of some."""

from __future__ import annotations

import numpy as np

from foreart.features.compiling import compiled
from foreart.index.postings.segment import GREAT

# Documents of one step: their sums stay in the nearest cache while the lists of frequent words pass by.
_STEP = 8192
# A list shorter than this is multiplied out; for a longer one the products of all codes are made first.
_LONG = 512
# Documents that are looked at together: most have nothing among the best.
_CHUNK = 128
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
    terms: Terms, span: tuple[int, int], sums: np.ndarray,
) -> None:  # fmt: skip
    """Adds what each term is worth to each document of a span, in the order of terms; `sums` begins with its first.

    `extra` is what each great count is worth beyond the greatest code.
    """
    numbers, factors, gridded = terms
    _add_grid(grid, step, ceiling, numbers[:gridded], factors, span, sums)
    starts, docs, codes = lists
    products = np.empty(len(table), dtype=np.float32)
    for place in range(gridded, len(numbers)):
        low, high = within(docs, starts[numbers[place]], starts[numbers[place] + 1], span, grid.shape[1])
        own, often, factor = docs[low:high], codes[low:high], factors[place]
        if high - low < _LONG:
            for posting in range(len(own)):
                sums[own[posting] - span[0]] += factor * table[often[posting]]
        else:
            for code in range(len(table)):
                products[code] = factor * table[code]
            _add_list(own, often, products, span[0], sums)
    for place in range(len(numbers)):
        first, last = great_of(great, numbers[place])
        for each in range(first, last):
            if span[0] <= great[2][each] < span[1]:
                sums[great[2][each] - span[0]] += factors[place] * extra[each]


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
    sums: np.ndarray,
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
    for place in range(gridded, len(numbers)):
        low, high = within(docs, starts[numbers[place]], starts[numbers[place] + 1], span, grid.shape[1])
        own, often, factor = docs[low:high], codes[low:high], factors[place]
        for posting in range(len(own)):
            count, each = _SINGLE(often[posting]), own[posting] - span[0]
            sums[each] += factor * (count / (count + room[each]))
    for place in range(len(numbers)):
        first, last = great_of(great, numbers[place])
        for each in range(first, last):
            if span[0] <= great[2][each] < span[1]:
                document = great[2][each] - span[0]
                count, code = _SINGLE(great[3][each]), _SINGLE(GREAT)
                more = count / (count + room[document]) - code / (code + room[document])
                sums[document] += factors[place] * more


@compiled
def great_of(great: Great, term: int) -> tuple[int, int]:
    """Where the great counts of a term stand."""
    terms, starts = great[0], great[1]
    place = _from(terms, np.int64(0), np.int64(len(terms)), term)
    if place == len(terms) or terms[place] != term:
        return 0, 0
    return starts[place], starts[place + 1]


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
def best(
    sums: np.ndarray, scale: np.ndarray, k: int, share: float, cut: float, found: np.ndarray, values: np.ndarray
) -> int:
    """Scales the sums and puts into `found` all documents that may be among the best k; how many there are.

    That are those whose value is at least `share` of the k-th greatest one. `cut` is a value that the k-th greatest is
    known to reach, or 0.
    """
    for document in range(len(sums)):
        sums[document] *= scale[document]
    number, limit = 0, max(4 * k, 1024)
    least = np.array([cut * share], dtype=np.float32)
    # Numbers of single precision that are not negative have the order of their bits.
    bits, least_bits = sums.view(np.int32), least.view(np.int32)
    for first in range(0, len(sums), _CHUNK):
        part = bits[first : first + _CHUNK]
        most = np.int32(0)
        for each in range(len(part)):
            most = max(most, part[each])
        if most < least_bits[0] or most == 0:
            continue
        for document in range(first, first + len(part)):
            if sums[document] >= least[0] and sums[document] > 0:
                found[number], values[number] = document, sums[document]
                number += 1
        if number >= limit:
            number = _kept(found, values, number, k, share, least)
            limit = max(limit, 2 * number)
    return _kept(found, values, number, k, share, least) if number > k else number


@compiled
def _kept(found: np.ndarray, values: np.ndarray, number: int, k: int, share: float, least: np.ndarray) -> int:
    """Leaves out those that are too small, now that so many are known."""
    least[0] = max(least[0], _kth_greatest(values[:number].copy(), k) * share)
    kept = 0
    for place in range(number):
        if values[place] >= least[0]:
            found[kept], values[kept] = found[place], values[place]
            kept += 1
    return kept


@compiled
def _kth_greatest(values: np.ndarray, k: int) -> float:
    """By parting at the middle one of three (Hoare 1961); numba's own takes seconds to compile."""
    low, high, place = 0, len(values) - 1, k - 1
    while low < high:
        one, two, three = values[low], values[(low + high) // 2], values[high]
        pivot = max(min(one, two), min(max(one, two), three))
        left, right = low, high
        while left <= right:
            while values[left] > pivot:
                left += 1
            while values[right] < pivot:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                left += 1
                right -= 1
        if place <= right:
            high = right
        elif place >= left:
            low = left
        else:
            break
    return float(values[place])
