"""Counts co-occurrences of words in one pass, in bounded memory."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from foreart.compiling import compiled
from foreart.features.counting.token_stream import TokenStream

# Pairs with a product of ranks up to this are counted in a table: few of all pairs, but 90 % of the occurrences.
_FREQUENT = 5_000_000
# Occurrences of other pairs are collected in blocks of this many (128 MB), sorted and merged.
_BLOCK = 1 << 24

# Pairs as ascending integers, and the count of each.
_Pairs = tuple[np.ndarray, np.ndarray]


def cooccurrences(
    stream: TokenStream, ranks: np.ndarray, *, window: int, contexts: int, block: int = _BLOCK
) -> csr_array:
    """Row a, column b: how often word b occurs at most `window` words before or after word a in a text.

    `ranks` has the row of each word of the stream, most frequent first, and −1 for words that are skipped as if they
    were not there. Columns are the first `contexts` rows. Counts are integers, so that the order of sums is irrelevant.
    """
    height = int(ranks.max(initial=-1)) + 1
    width = min(contexts, height)
    low = np.arange(width)
    tops = np.maximum(np.minimum(height, _FREQUENT // (low + 1)), low)
    starts = np.cumsum(tops - low) - tops  # the position that column 0 would have
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
    """Sorted runs of pairs, each more than twice as long as the next, so that a pair is merged only a few times."""

    def __init__(self) -> None:
        self._runs: list[_Pairs] = []

    def add(self, run: _Pairs) -> None:
        """Adds a run."""
        while self._runs and len(self._runs[-1][0]) < 2 * len(run[0]):
            run = _merge(*self._runs.pop(), *run)
        self._runs.append(run)

    def all(self) -> _Pairs:
        """Merges all runs."""
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
    """Counts from the text and word in `state` until the buffer is full; returns the count of pairs in it.

    `before` are the ranks of the preceding words, nearest first, −1 before the start of the text.
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
                for distance in range(len(before) - 1, 0, -1):
                    before[distance] = before[distance - 1]
                before[0] = rank
            word += 1
        before[:] = -1
        text += 1
    state[:] = text, word
    return filled


@compiled
def _grouped(pairs: np.ndarray) -> _Pairs:
    """The distinct pairs of a sorted array, and their counts."""
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
    """Merges two runs."""
    merged, totals = np.empty(len(keys) + len(other_keys), np.int64), np.empty(len(keys) + len(other_keys), np.uint32)
    left, right, size = 0, 0, 0
    while left < len(keys) or right < len(other_keys):
        first = right == len(other_keys) or (left < len(keys) and keys[left] <= other_keys[right])
        second = left == len(keys) or (right < len(other_keys) and other_keys[right] <= keys[left])
        merged[size] = keys[left] if first else other_keys[right]
        totals[size] = 0
        if first:
            totals[size] += sums[left]
            left += 1
        if second:
            totals[size] += other_sums[right]
            right += 1
        size += 1
    return merged[:size].copy(), totals[:size].copy()


def _symmetric(
    tops: np.ndarray, starts: np.ndarray, table: np.ndarray, keys: np.ndarray, sums: np.ndarray, height: int
) -> csr_array:
    """The pairs of the table and of the runs as rows, in both directions."""
    ends = np.zeros(height + 1, dtype=np.int64)
    empty = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint32)
    _fill(tops, starts, table, keys, sums, ends[1:], *empty)
    np.cumsum(ends, out=ends)
    columns, counts = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=np.uint32)
    _fill(tops, starts, table, keys, sums, ends[:-1].copy(), columns, counts)
    return csr_array((counts, columns, ends), shape=(height, len(tops)))


@compiled
def _fill(
    tops: np.ndarray,
    starts: np.ndarray,
    table: np.ndarray,
    keys: np.ndarray,
    sums: np.ndarray,
    positions: np.ndarray,
    columns: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Visits all pairs in order and advances the positions of their rows; writes entries if arrays are given.

    The lower rank ascends, so that every row gets its columns in ascending order.
    """
    run = 0
    for low in range(len(tops)):
        for high in range(low, tops[low]):
            count = table[starts[low] + high]
            if count:
                _add_pair(low, high, count, len(tops), positions, columns, counts)
        while run < len(keys) and keys[run] >> 32 == low:
            _add_pair(low, keys[run] & 0xFFFFFFFF, sums[run], len(tops), positions, columns, counts)
            run += 1


@compiled
def _add_pair(
    low: int, high: int, count: int, width: int, positions: np.ndarray, columns: np.ndarray, counts: np.ndarray
) -> None:
    """Adds a pair in both directions; a word near itself counts once from each side."""
    if low == high:
        _add_entry(low, high, 2 * count, positions, columns, counts)
        return
    _add_entry(high, low, count, positions, columns, counts)
    if high < width:
        _add_entry(low, high, count, positions, columns, counts)


@compiled
def _add_entry(
    row: int, column: int, count: int, positions: np.ndarray, columns: np.ndarray, counts: np.ndarray
) -> None:
    if len(columns):
        columns[positions[row]] = column
        counts[positions[row]] = count
    positions[row] += 1
