"""Compiled loops over postings: sums of documents, and the largest of them."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.index.storage.segment import OVERFLOW

# Documents of one step: their sums stay in the L1 cache while the bytes of frequent words are added.
_STEP = 8192
# Lists prefetched together, and postings prefetched of each; the hardware prefetches the rest.
_PREFETCHED, _PREFETCHED_POSTINGS = 64, 256
# For longer lists the products of all codes are computed first.
_LONG = 4096
# Postings of a list that are filtered together.
_PIECE = 512
# Documents with a common maximum: most chunks have none of the best.
CHUNK = 64
_SINGLE = np.float32

# Lists by term: starts, documents, codes.
Lists = tuple[np.ndarray, np.ndarray, np.ndarray]
# Overflow counts: terms, ascending; the offsets of each; documents; tf weights.
Overflows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
# Terms in ascending order, their factors, and the number of first terms that are in the grid.
Terms = tuple[np.ndarray, np.ndarray, int]


@compiled
def add_weights(
    grid: np.ndarray, step: float, ceiling: int, lists: Lists, overflows: Overflows, extra: np.ndarray,
    table: np.ndarray, terms: Terms, span: tuple[int, int], wanted: np.ndarray, sums: np.ndarray,
) -> np.int64:  # fmt: skip
    """Adds the weight of each term to the documents of a span, in the order of terms; `sums` starts at the span.

    `extra` is the weight of each overflow count minus that of its code. `wanted` is 1 for documents whose sums are
    needed (others may be incomplete), and empty for all. Returns a dummy value.
    """
    numbers, factors, gridded = terms
    _add_grid(grid, step, ceiling, numbers[:gridded], factors, span, sums)
    starts, docs, codes = lists
    products, kept = np.empty(len(table), dtype=np.float32), np.empty(_PIECE, dtype=np.uint16)
    dummy = np.int64(0)
    for position in range(gridded, len(numbers)):
        if (position - gridded) % _PREFETCHED == 0:
            dummy += _prefetch(lists, numbers[position : position + _PREFETCHED])
        low, high = within(docs, starts[numbers[position]], starts[numbers[position] + 1], span, grid.shape[1])
        own, own_codes, factor = docs[low:high], codes[low:high], factors[position]
        if len(wanted) > 0:
            for first in range(0, len(own), _PIECE):
                some, times = own[first : first + _PIECE], own_codes[first : first + _PIECE]
                for each in range(_select(some, wanted, kept)):
                    sums[some[kept[each]] - span[0]] += factor * table[times[kept[each]]]
        elif high - low < _LONG:
            _add_short(own, own_codes, factor, table, span[0], sums)
        else:
            for code in range(len(table)):
                products[code] = factor * table[code]
            _add_list(own, own_codes, products, span[0], sums)
    next_overflow = 0
    for position in range(len(numbers)):
        next_overflow = _advance(overflows, next_overflow, numbers[position])
        if next_overflow < len(overflows[0]) and overflows[0][next_overflow] == numbers[position]:
            for each in range(overflows[1][next_overflow], overflows[1][next_overflow + 1]):
                if span[0] <= overflows[2][each] < span[1]:
                    sums[overflows[2][each] - span[0]] += factors[position] * extra[each]
    return dummy


@compiled
def _prefetch(lists: Lists, numbers: np.ndarray) -> np.int64:
    """Reads the starts of some lists in advance, so that cache misses overlap.

    Returns a dummy value, so that the compiler keeps these reads.
    """
    starts, docs, codes = lists
    dummy = np.int64(0)
    for position in range(len(numbers)):
        first, last = np.int64(starts[numbers[position]]), np.int64(starts[numbers[position] + 1])
        last = min(last, first + _PREFETCHED_POSTINGS)
        for posting in range(first, last, 32):
            dummy += docs[posting]
        for posting in range(first, last, 64):
            dummy += codes[posting]
    return dummy


@compiled
def _select(own: np.ndarray, wanted: np.ndarray, kept: np.ndarray) -> np.int64:
    """Writes the positions of postings of wanted documents to `kept`; returns their number.

    Without branches, which would be mispredicted.
    """
    number = np.uint64(0)
    for posting in range(len(own)):
        kept[number] = posting
        number += np.uint64(wanted[own[posting]])
    return np.int64(number)


@compiled
def _add_short(
    own: np.ndarray, own_codes: np.ndarray, factor: float, table: np.ndarray, first: int, sums: np.ndarray
) -> None:
    if first == 0:
        for posting in range(len(own)):
            sums[own[posting]] += factor * table[own_codes[posting]]
    else:
        for posting in range(len(own)):
            sums[own[posting] - first] += factor * table[own_codes[posting]]


@compiled
def _add_list(own: np.ndarray, own_codes: np.ndarray, products: np.ndarray, first: int, sums: np.ndarray) -> None:
    if first == 0:
        for posting in range(len(own)):
            sums[own[posting]] += products[own_codes[posting]]
    else:
        for posting in range(len(own)):
            sums[own[posting] - first] += products[own_codes[posting]]


@compiled
def _add_grid(
    grid: np.ndarray, step: float, ceiling: int, numbers: np.ndarray, factors: np.ndarray, span: tuple[int, int],
    sums: np.ndarray,
) -> None:  # fmt: skip
    """Adds four terms at a time, each a byte per document, which compiles to vector instructions."""
    limit = np.uint8(ceiling)
    for first in range(span[0], span[1], _STEP):
        last = min(first + _STEP, span[1])
        part = sums[first - span[0] : last - span[0]]
        complete = len(numbers) // 4 * 4
        for position in range(0, complete, 4):
            a, b, c, d = numbers[position], numbers[position + 1], numbers[position + 2], numbers[position + 3]
            one, two, three, four = grid[a, first:last], grid[b, first:last], grid[c, first:last], grid[d, first:last]
            u, v = _SINGLE(step * factors[position]), _SINGLE(step * factors[position + 1])
            w, x = _SINGLE(step * factors[position + 2]), _SINGLE(step * factors[position + 3])
            for each in range(len(part)):
                part[each] = part[each] + (
                    u * _SINGLE(min(one[each], limit)) + v * _SINGLE(min(two[each], limit))
                    + w * _SINGLE(min(three[each], limit)) + x * _SINGLE(min(four[each], limit))
                )  # fmt: skip
        for position in range(complete, len(numbers)):
            one, u = grid[numbers[position], first:last], _SINGLE(step * factors[position])
            for each in range(len(part)):
                part[each] += u * _SINGLE(min(one[each], limit))


@compiled
def add_saturated(
    grid: np.ndarray, norms: np.ndarray, lists: Lists, overflows: Overflows, terms: Terms, span: tuple[int, int],
    wanted: np.ndarray, sums: np.ndarray,
) -> None:  # fmt: skip
    """As `add_weights`, with the BM25 weights count / (count + length norm of the document)."""
    numbers, factors, gridded = terms
    norm = norms[span[0] : span[1]]
    for position in range(gridded):
        codes, factor = grid[numbers[position], span[0] : span[1]], factors[position]
        for each in range(len(sums)):
            count = _SINGLE(codes[each])
            sums[each] += factor * (count / (count + norm[each])) if codes[each] else _SINGLE(0.0)
    starts, docs, codes = lists
    kept = np.empty(_PIECE, dtype=np.uint16)
    for position in range(gridded, len(numbers)):
        low, high = within(docs, starts[numbers[position]], starts[numbers[position] + 1], span, grid.shape[1])
        own, own_codes, factor = docs[low:high], codes[low:high], factors[position]
        for first in range(0, len(own) if len(wanted) > 0 else 0, _PIECE):
            some, times = own[first : first + _PIECE], own_codes[first : first + _PIECE]
            for posting in kept[: _select(some, wanted, kept)]:
                count, each = _SINGLE(times[posting]), some[posting] - span[0]
                sums[each] += factor * (count / (count + norm[each]))
        for posting in range(0 if len(wanted) > 0 else len(own)):
            count, each = _SINGLE(own_codes[posting]), own[posting] - span[0]
            sums[each] += factor * (count / (count + norm[each]))
    next_overflow = 0
    for position in range(len(numbers)):
        next_overflow = _advance(overflows, next_overflow, numbers[position])
        if next_overflow < len(overflows[0]) and overflows[0][next_overflow] == numbers[position]:
            for each in range(overflows[1][next_overflow], overflows[1][next_overflow + 1]):
                if span[0] <= overflows[2][each] < span[1]:
                    document = overflows[2][each] - span[0]
                    count, code = _SINGLE(overflows[3][each]), _SINGLE(OVERFLOW)
                    more = count / (count + norm[document]) - code / (code + norm[document])
                    sums[document] += factors[position] * more


@compiled
def _advance(overflows: Overflows, next_overflow: int, term: int) -> int:
    """The position of the first term with overflow counts from `term` on; called with ascending terms."""
    while next_overflow < len(overflows[0]) and overflows[0][next_overflow] < term:
        next_overflow += 1
    return next_overflow


@compiled
def within(docs: np.ndarray, start: int, end: int, span: tuple[int, int], documents: int) -> tuple[np.int64, np.int64]:
    """The range of a list with documents of a span; does not read the list if the span has all documents."""
    low, high = np.int64(start), np.int64(end)
    if span[0] > 0:
        low = _from(docs, low, high, span[0])
    if span[1] < documents:
        high = _from(docs, low, high, span[1])
    return low, high


@compiled
def _from(docs: np.ndarray, low: np.int64, high: np.int64, least: int) -> np.int64:
    """The position of the first document that is at least `least`."""
    while low < high:
        middle = np.int64((low + high) // 2)
        if docs[middle] < least:
            low = np.int64(middle + 1)
        else:
            high = middle
    return low


@compiled
def scaled(sums: np.ndarray, scale: np.ndarray, allowed: np.ndarray, maxima: np.ndarray) -> None:
    """Multiplies sums by their scale, or 0 if a document is not allowed, and computes the maximum of every `CHUNK`.

    An empty `allowed` means all.
    """
    if len(allowed) == 0:
        for each in range(len(sums)):
            sums[each] *= scale[each]
    else:
        for each in range(len(sums)):
            sums[each] = sums[each] * scale[each] if allowed[each] else _SINGLE(0.0)
    # Nonnegative floats have the same order as their bits.
    bits, maximum_bits = sums.view(np.int32), maxima.view(np.int32)
    for chunk in range(len(maxima)):
        maximum = np.int32(0)
        for each in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(bits))):
            maximum = max(maximum, bits[each])
        maximum_bits[chunk] = maximum


@compiled
def allowed_sums(
    sums: np.ndarray, allowed: np.ndarray, scale: np.ndarray, prior: np.ndarray, times: np.float32, found: np.ndarray,
    values: np.ndarray,
) -> np.int64:  # fmt: skip
    """Writes the allowed documents to `found` and their sums to `values`; returns their number.

    `times` the prior is added to each sum, and the result is multiplied by the scale.
    """
    number = np.uint64(0)
    for document in range(len(sums)):  # without branches, as in `_select`
        found[number] = document
        number += np.uint64(allowed[document])
    for position in range(np.int64(number)):
        document = found[position]
        values[position] = (sums[document] + times * prior[document]) * scale[document]
    return np.int64(number)


@compiled
def at_least(sums: np.ndarray, maxima: np.ndarray, least: float, found: np.ndarray) -> int:
    """Writes the positions of all sums above 0 that are at least `least` to `found`; returns their number."""
    number, threshold = 0, _SINGLE(least)
    for chunk in range(len(maxima)):
        if maxima[chunk] >= threshold and maxima[chunk] > 0:
            for position in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(sums))):
                if sums[position] >= threshold and sums[position] > 0:
                    found[number] = position
                    number += 1
    return number
