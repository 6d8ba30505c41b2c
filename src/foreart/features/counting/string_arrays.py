"""Many strings in two arrays: their concatenated UTF-8 bytes, and offsets.

String n is `letters[ends[n]:ends[n + 1]]`. Strings are read in blocks of eight bytes, as little-endian integers padded
with zeros.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from foreart.compiling import compiled

# 2^64 / golden ratio, made odd: the highest bits of a product depend on every bit of a block.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)
_BYTE = np.uint64(8)


def joined(strings: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Concatenates strings; characters that cannot be encoded (lone surrogates) become question marks."""
    encoded = [string.encode("utf-8", "replace") for string in strings]
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends_of(
        np.array([len(each) for each in encoded], np.int64)
    )


def ends_of(lengths: np.ndarray) -> np.ndarray:
    """The offsets of consecutive items of given lengths, starting with 0."""
    ends = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=ends[1:])
    return ends


def split(letters: np.ndarray, ends: np.ndarray) -> list[str]:
    """The strings as a list; the inverse of `joined`."""
    text, bounds = letters.tobytes(), ends.tolist()
    if text.isascii():
        decoded = text.decode("ascii")
        return [decoded[start:end] for start, end in pairwise(bounds)]
    return [text[start:end].decode("utf-8") for start, end in pairwise(bounds)]


def taken(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Selects strings, in the given order."""
    new = ends_of(np.diff(ends)[chosen])
    out = np.empty(int(new[-1]), dtype=np.uint8)
    _copy(frozen(letters), frozen(ends), chosen, new, out)
    return out, new


def hashes(letters: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """A 64-bit hash of each string, best in its highest bits; the same in every process."""
    out = np.empty(len(ends) - 1, dtype=np.uint64)
    _hash(frozen(letters), frozen(ends), out)
    return out


def blocks(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray, offset: int) -> np.ndarray:
    """The eight bytes at an offset of each chosen string, padded with zeros."""
    out = np.zeros(len(chosen), dtype=np.uint64)
    _take_blocks(frozen(letters), frozen(ends), chosen, offset, out)
    return out


def alphabetical(letters: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The order of the strings by their bytes, and whether each equals its predecessor.

    All are sorted by their first eight bytes, ties by the next eight, and so on.
    """
    lengths = np.diff(ends)
    first = blocks(letters, ends, np.arange(len(lengths)), 0).byteswap()
    order = np.argsort(first)
    equal = _repeats(first[order])
    tied, offset = _tied(equal, np.ones(len(order), dtype=bool)), 8
    while len(tied):
        members = order[tied]
        groups = np.cumsum(~equal[tied])
        # A string that ends within a block precedes one that has zero bytes there.
        within = np.minimum(lengths[members] - (offset - 8), 8)
        block = blocks(letters, ends, members, offset).byteswap()
        sorting = np.lexsort((block, within, groups))
        order[tied] = members[sorting]
        within = within[sorting]
        equal[tied] = _repeats(groups[sorting]) & _repeats(within) & _repeats(block[sorting])
        # Strings that end in this block and still tie are equal: only padding follows.
        tied = tied[_tied(equal[tied], within == 8)]
        offset += 8
    return order, equal


def frozen(array: np.ndarray) -> np.ndarray:
    """A read-only view: memory-mapped arrays and others then have one type for compiled loops."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def _repeats(values: np.ndarray) -> np.ndarray:
    """Whether each value equals the one before it."""
    out = np.zeros(len(values), dtype=bool)
    out[1:] = values[1:] == values[:-1]
    return out


def _tied(equal: np.ndarray, continues: np.ndarray) -> np.ndarray:
    """The positions of strings that equal a neighbour and may differ in later blocks."""
    with_next = np.zeros(len(equal), dtype=bool)
    with_next[:-1] = equal[1:]
    return np.flatnonzero((equal | with_next) & continues)


@compiled
def _block(letters: np.ndarray, start: int, end: int) -> np.uint64:
    block, shift = np.uint64(0), np.uint64(0)
    for offset in range(start, min(end, start + 8)):
        block |= np.uint64(letters[offset]) << shift
        shift += _BYTE
    return block


@compiled
def _hash(letters: np.ndarray, ends: np.ndarray, out: np.ndarray) -> None:
    for string in range(len(out)):
        value = np.uint64(0)
        for offset in range(ends[string], ends[string + 1], 8):
            value = (value ^ _block(letters, offset, ends[string + 1])) * MULTIPLIER
            value ^= value >> _FOLD
        out[string] = value


@compiled
def _take_blocks(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray, offset: int, out: np.ndarray) -> None:
    for each in range(len(chosen)):
        out[each] = _block(letters, ends[chosen[each]] + offset, ends[chosen[each] + 1])


@compiled
def _copy(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray, new: np.ndarray, out: np.ndarray) -> None:
    for each in range(len(chosen)):
        shift = ends[chosen[each]] - new[each]
        for offset in range(new[each], new[each + 1]):
            out[offset] = letters[offset + shift]
