"""Many strings in two arrays: their letters in UTF-8 behind one another, and where each ends.

String n is `letters[ends[n]:ends[n + 1]]`. Strings are read eight bytes at a time, as numbers whose first byte is the
lowest, with zeros behind the last one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from foreart.compiling import compiled

# Odd, its bits without a pattern (2^64 / golden ratio): the highest bits of a product hang on every bit of a block.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)
_BYTE = np.uint64(8)


def joined(strings: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Strings behind one another; a character that no encoding has becomes a question mark."""
    encoded = [string.encode("utf-8", "replace") for string in strings]
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends_of(
        np.array([len(each) for each in encoded], np.int64)
    )


def ends_of(lengths: np.ndarray) -> np.ndarray:
    """0, and the end of each of some things that lie behind one another."""
    ends = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=ends[1:])
    return ends


def split(letters: np.ndarray, ends: np.ndarray) -> list[str]:
    """The strings."""
    text, bounds = letters.tobytes(), ends.tolist()
    if text.isascii():
        whole = text.decode("ascii")
        return [whole[start:end] for start, end in pairwise(bounds)]
    return [text[start:end].decode("utf-8") for start, end in pairwise(bounds)]


def taken(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some of the strings, in the order asked for."""
    new = ends_of(np.diff(ends)[chosen])
    found = np.empty(int(new[-1]), dtype=np.uint8)
    _copy(frozen(letters), frozen(ends), chosen, new, found)
    return found, new


def hashes(letters: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """A hash of each string in 64 bits, the highest the best; the same in every process."""
    found = np.empty(len(ends) - 1, dtype=np.uint64)
    _hash(frozen(letters), frozen(ends), found)
    return found


def blocks(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray, place: int) -> np.ndarray:
    """The eight bytes at a place of each chosen string; 0 behind its end."""
    found = np.zeros(len(chosen), dtype=np.uint64)
    _take_blocks(frozen(letters), frozen(ends), chosen, place, found)
    return found


def alphabetical(letters: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the strings in order of their bytes, and whether each equals the one before it.

    All are sorted by their first eight bytes, those that tie by the next eight, and so on.
    """
    lengths = np.diff(ends)
    first = blocks(letters, ends, np.arange(len(lengths)), 0).byteswap()
    order = np.argsort(first)
    equal = _repeats(first[order])
    places, place = _tied(equal, np.ones(len(order), dtype=bool)), 8
    while len(places):
        members = order[places]
        groups = np.cumsum(~equal[places])
        # A string that ends within a block stands before one that has zeros there.
        within = np.minimum(lengths[members] - (place - 8), 8)
        block = blocks(letters, ends, members, place).byteswap()
        sorting = np.lexsort((block, within, groups))
        order[places] = members[sorting]
        within = within[sorting]
        equal[places] = _repeats(groups[sorting]) & _repeats(within) & _repeats(block[sorting])
        # Behind the end all are zeros: those that end here and still tie are the same string.
        places = places[_tied(equal[places], within == 8)]
        place += 8
    return order, equal


def frozen(array: np.ndarray) -> np.ndarray:
    """The same memory, not to be written: arrays of files and others then run through one compiled loop."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def _repeats(values: np.ndarray) -> np.ndarray:
    """Whether each value equals the one before it."""
    found = np.zeros(len(values), dtype=bool)
    found[1:] = values[1:] == values[:-1]
    return found


def _tied(equal: np.ndarray, going_on: np.ndarray) -> np.ndarray:
    """The places of those that equal a neighbour and may differ further on."""
    with_next = np.zeros(len(equal), dtype=bool)
    with_next[:-1] = equal[1:]
    return np.flatnonzero((equal | with_next) & going_on)


@compiled
def _block(letters: np.ndarray, start: int, end: int) -> np.uint64:
    block, shift = np.uint64(0), np.uint64(0)
    for place in range(start, min(end, start + 8)):
        block |= np.uint64(letters[place]) << shift
        shift += _BYTE
    return block


@compiled
def _hash(letters: np.ndarray, ends: np.ndarray, found: np.ndarray) -> None:
    for string in range(len(found)):
        value = np.uint64(0)
        for place in range(ends[string], ends[string + 1], 8):
            value = (value ^ _block(letters, place, ends[string + 1])) * MULTIPLIER
            value ^= value >> _FOLD
        found[string] = value


@compiled
def _take_blocks(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray, place: int, found: np.ndarray) -> None:
    for each in range(len(chosen)):
        found[each] = _block(letters, ends[chosen[each]] + place, ends[chosen[each] + 1])


@compiled
def _copy(letters: np.ndarray, ends: np.ndarray, chosen: np.ndarray, new: np.ndarray, found: np.ndarray) -> None:
    for each in range(len(chosen)):
        shift = ends[chosen[each]] - new[each]
        for place in range(new[each], new[each + 1]):
            found[place] = letters[place + shift]
