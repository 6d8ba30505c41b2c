"""A hash table of strings in three arrays, which may be memory-mapped: a lookup reads only what it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.compiling import compiled
from foreart.features.counting.string_arrays import frozen, hashes, joined

ABSENT = -1
# Strings looked up together.
_BATCH = 256


@dataclass(frozen=True)
class Lexicon(Sequence[str]):
    """String n is `letters[ends[n]:ends[n + 1]]` in UTF-8; `slots` is a hash table of numbers plus 1, 0 if free."""

    letters: np.ndarray
    ends: np.ndarray
    slots: np.ndarray

    @classmethod
    def of(cls, strings: Iterable[str]) -> Lexicon:
        """A lexicon of distinct strings, numbered in the given order."""
        return cls.of_letters(*joined(strings))

    @classmethod
    def of_letters(cls, letters: np.ndarray, ends: np.ndarray) -> Lexicon:
        """A lexicon of a string array."""
        return cls(letters, ends, _slots(hashes(letters, ends)))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, number: int) -> str:  # type: ignore[override] # one at a time: a slice would be a copy
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        index = number % len(self)
        return bytes(self.letters[self.ends[index] : self.ends[index + 1]]).decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, strings: Iterable[str]) -> np.ndarray:
        """The number of each string; -1 if it is absent."""
        return self.find_letters(*joined(strings))

    def find_letters(self, letters: np.ndarray, ends: np.ndarray, hashed: np.ndarray | None = None) -> np.ndarray:
        """The number of each string of a string array; -1 if it is absent. `hashed` are their hashes, if known."""
        homes = _homes(hashes(letters, ends) if hashed is None else hashed, len(self))
        numbers = np.full(len(homes), ABSENT, dtype=np.int64)
        own = frozen(self.letters), frozen(self.ends), frozen(self.slots)
        _find(frozen(letters), frozen(ends), homes, *own, numbers)
        return numbers


def _bits(strings: int) -> int:
    """The table has 2^bits home slots: at least two per string."""
    return max(3, int(2 * strings).bit_length())


def _homes(hashed: np.ndarray, strings: int) -> np.ndarray:
    """The slot where the search for each string starts: the highest bits of its hash."""
    return (hashed >> np.uint64(64 - _bits(strings))).astype(np.int64)


def _slots(hashed: np.ndarray) -> np.ndarray:
    """Numbers in order of hash, each in its home slot or the first free slot after it.

    The last slot is free, so that every search ends without a check of the table size.
    """
    order = np.argsort(hashed, kind="stable")
    ranks = np.arange(len(order))
    # Slot n is at least one after slot n - 1: minus their rank, slots are nondecreasing.
    positions = np.maximum.accumulate(_homes(hashed[order], len(hashed)) - ranks) + ranks
    slots = np.zeros(max(1 << _bits(len(hashed)), int(positions[-1]) + 1 if len(positions) else 0) + 1, dtype=np.uint32)
    slots[positions] = order + 1
    return slots


@compiled
def _find(
    query: np.ndarray,
    query_ends: np.ndarray,
    homes: np.ndarray,
    letters: np.ndarray,
    ends: np.ndarray,
    slots: np.ndarray,
    numbers: np.ndarray,
) -> np.int64:
    """Looks up strings in batches; first touches the memory of a batch, so that cache misses overlap.

    Returns a dummy value, so that the compiler keeps these reads.
    """
    dummy = np.int64(0)
    for start in range(0, len(homes), _BATCH):
        last = min(start + _BATCH, len(homes))
        for string in range(start, last):
            dummy += slots[homes[string]]
        for string in range(start, last):
            dummy += ends[slots[homes[string]]]
        for string in range(start, last):
            end = ends[slots[homes[string]]]
            dummy += letters[end] if end < len(letters) else 0
        _find_some(query, query_ends, homes, letters, ends, slots, numbers, start, last)
    return dummy


@compiled
def _find_some(
    query: np.ndarray,
    query_ends: np.ndarray,
    homes: np.ndarray,
    letters: np.ndarray,
    ends: np.ndarray,
    slots: np.ndarray,
    numbers: np.ndarray,
    start: int,
    last: int,
) -> None:
    for string in range(start, last):
        first, size = query_ends[string], query_ends[string + 1] - query_ends[string]
        slot = homes[string]
        while slots[slot] != 0:
            number = np.int64(slots[slot]) - 1
            own_start = ends[number]
            if ends[number + 1] - own_start == size:
                same = 0
                while same < size and letters[own_start + same] == query[first + same]:
                    same += 1
                if same == size:
                    numbers[string] = number
                    break
            slot += 1
