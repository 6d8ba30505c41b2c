"""How often each word stands near each other: counted in one pass over the words, in bounded memory."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from foreart.compiling import compiled
from foreart.features.counting.token_stream import TokenStream

# Pairs with a product of ranks up to this are counted in a table: few of all pairs, but nine of ten that occur.
_FREQUENT = 5_000_000
# Pairs that occur outside the table are gathered in blocks of this many, 128 MB, sorted and merged.
_BLOCK = 1 << 24

# Pairs as numbers in increasing order, and how often each occurs.
_Pairs = tuple[np.ndarray, np.ndarray]


def cooccurrences(
    stream: TokenStream, ranks: np.ndarray, *, window: int, contexts: int, block: int = _BLOCK
) -> csr_array:
    """Row a, column b: how often word b stands at most `window` words before or after word a in a text.

    `ranks` gives each word of the stream its row, the most frequent first, −1 to words that are skipped as if they were
    not there. Columns are the first `contexts` rows. All is counted in whole numbers, so no order of sums can matter.
    """
    height = int(ranks.max(initial=-1)) + 1
    width = min(contexts, height)
    low = np.arange(width)
    tops = np.maximum(np.minimum(height, _FREQUENT // (low + 1)), low)
    starts = np.cumsum(tops - low) - tops  # the place of column 0, were there one
    table = np.zeros(int((tops - low).sum()), dtype=np.uint32)
    buffer = np.empty(max(block, window), dtype=np.int64)
    before = np.full(window, -1, dtype=np.int64)
    state = np.zeros(2, dtype=np.int64)
    ids, merged = np.asarray(stream.ids), _Merged()
    while state[0] < len(stream):
        filled = _scan(ids, stream.ends, ranks, tops, starts, table, buffer, before, state)
        buffer[:filled].sort()
        merged.add(_grouped(buffer[:filled]))
    return _symmetric(tops, starts, table, *merged.all(), height)


class _Merged:
    """Sorted runs of pairs, each more than twice as long as the next, so that every pair is merged but a few times."""

    def __init__(self) -> None:
        self._runs: list[_Pairs] = []

    def add(self, run: _Pairs) -> None:
        """One more run."""
        while self._runs and len(self._runs[-1][0]) < 2 * len(run[0]):
            run = _merge(*self._runs.pop(), *run)
        self._runs.append(run)

    def all(self) -> _Pairs:
        """All runs as one."""
        run: _Pairs = (np.empty(0, np.int64), np.empty(0, np.uint32))
        while self._runs:
            run = _merge(*self._runs.pop(), *run)
        return run


@compiled
def _scan(
    ids: np.ndarray,
    ends: np.ndarray,
    ranks: np.ndarray,
    tops: np.ndarray,
    starts: np.ndarray,
    table: np.ndarray,
    buffer: np.ndarray,
    before: np.ndarray,
    state: np.ndarray,
) -> int:
    """Counts from the text and word in `state` until the buffer is full, and says how full it is.

    `before` are the ranks of the words before, the nearest first, −1 where the text had not begun.
    """
    text, word = state
    filled = 0
    while text < len(ends) - 1:
        while word < ends[text + 1]:
            rank = np.int64(ranks[ids[word]])
            if rank >= 0:
                if filled + len(before) > len(buffer):
                    state[:] = text, word
                    return filled
                for other in before:
                    if other < 0:
                        break
                    low, high = min(rank, other), max(rank, other)
                    if low >= len(tops):
                        continue
                    if high < tops[low]:
                        table[starts[low] + high] += np.uint32(1)
                    else:
                        buffer[filled] = low << 32 | high
                        filled += 1
                for place in range(len(before) - 1, 0, -1):
                    before[place] = before[place - 1]
                before[0] = rank
            word += 1
        before[:] = -1
        text += 1
    state[:] = text, word
    return filled


@compiled
def _grouped(pairs: np.ndarray) -> _Pairs:
    """Each different one of sorted pairs and how often it is there."""
    keys, sums = np.empty(len(pairs), np.int64), np.empty(len(pairs), np.uint32)
    size = 0
    for pair in pairs:
        if size == 0 or keys[size - 1] != pair:
            keys[size], sums[size] = pair, 0
            size += 1
        sums[size - 1] += np.uint32(1)
    return keys[:size].copy(), sums[:size].copy()


@compiled
def _merge(keys: np.ndarray, sums: np.ndarray, other_keys: np.ndarray, other_sums: np.ndarray) -> _Pairs:
    """Two runs as one."""
    found, totals = np.empty(len(keys) + len(other_keys), np.int64), np.empty(len(keys) + len(other_keys), np.uint32)
    one, other, size = 0, 0, 0
    while one < len(keys) or other < len(other_keys):
        first = other == len(other_keys) or (one < len(keys) and keys[one] <= other_keys[other])
        second = one == len(keys) or (other < len(other_keys) and other_keys[other] <= keys[one])
        found[size] = keys[one] if first else other_keys[other]
        totals[size] = 0
        if first:
            totals[size] += sums[one]
            one += 1
        if second:
            totals[size] += other_sums[other]
            other += 1
        size += 1
    return found[:size].copy(), totals[:size].copy()


def _symmetric(
    tops: np.ndarray, starts: np.ndarray, table: np.ndarray, keys: np.ndarray, sums: np.ndarray, height: int
) -> csr_array:
    """Pairs of both kinds as rows, in both directions."""
    ends = np.zeros(height + 1, dtype=np.int64)
    empty = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint32)
    _fill(tops, starts, table, keys, sums, ends[1:], *empty)
    np.cumsum(ends, out=ends)
    columns, numbers = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=np.uint32)
    _fill(tops, starts, table, keys, sums, ends[:-1].copy(), columns, numbers)
    return csr_array((numbers, columns, ends), shape=(height, len(tops)))


@compiled
def _fill(
    tops: np.ndarray,
    starts: np.ndarray,
    table: np.ndarray,
    keys: np.ndarray,
    sums: np.ndarray,
    places: np.ndarray,
    columns: np.ndarray,
    numbers: np.ndarray,
) -> None:
    """Goes through all pairs in order and moves the places of their rows on; fills in what there is room for.

    As the lower rank grows, every row gets its columns in increasing order.
    """
    run = 0
    for low in range(len(tops)):
        for high in range(low, tops[low]):
            number = table[starts[low] + high]
            if number:
                _put(low, high, number, len(tops), places, columns, numbers)
        while run < len(keys) and keys[run] >> 32 == low:
            _put(low, keys[run] & 0xFFFFFFFF, sums[run], len(tops), places, columns, numbers)
            run += 1


@compiled
def _put(
    low: int, high: int, number: int, width: int, places: np.ndarray, columns: np.ndarray, numbers: np.ndarray
) -> None:
    """One pair in both directions; a word near itself is found once from each side."""
    if low == high:
        _put_once(low, high, 2 * number, places, columns, numbers)
        return
    _put_once(high, low, number, places, columns, numbers)
    if high < width:
        _put_once(low, high, number, places, columns, numbers)


@compiled
def _put_once(row: int, column: int, number: int, places: np.ndarray, columns: np.ndarray, numbers: np.ndarray) -> None:
    if len(columns):
        columns[places[row]] = column
        numbers[places[row]] = number
    places[row] += 1
