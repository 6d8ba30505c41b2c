"""Strings and their numbers, in three arrays that may lie in files: nothing is read but what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.compiling import compiled
from foreart.features.counting.string_arrays import frozen, hashes, joined

ABSENT = -1
# Strings that are looked up together.
_AT_ONCE = 256


@dataclass(frozen=True)
class Lexicon(Sequence[str]):
    """String n is `letters[ends[n]:ends[n + 1]]` in UTF-8; `slots` is a hash table of numbers plus 1, 0 where free."""

    letters: np.ndarray
    ends: np.ndarray
    slots: np.ndarray

    @classmethod
    def of(cls, strings: Iterable[str]) -> Lexicon:
        """A lexicon of strings, each of which stands there once, numbered in the order given."""
        return cls.of_letters(*joined(strings))

    @classmethod
    def of_letters(cls, letters: np.ndarray, ends: np.ndarray) -> Lexicon:
        """A lexicon of strings that lie behind one another."""
        return cls(letters, ends, _slots(hashes(letters, ends)))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, number: int) -> str:  # type: ignore[override] # one at a time: a slice would be a copy
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        place = number % len(self)
        return bytes(self.letters[self.ends[place] : self.ends[place + 1]]).decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, strings: Iterable[str]) -> np.ndarray:
        """The number of each string; -1 where it has none."""
        return self.find_letters(*joined(strings))

    def find_letters(self, letters: np.ndarray, ends: np.ndarray, hashed: np.ndarray | None = None) -> np.ndarray:
        """The number of each of some strings that lie behind one another; -1 where it has none.

        `hashed` are their hashes, if they are known.
        """
        homes = _homes(hashes(letters, ends) if hashed is None else hashed, len(self))
        numbers = np.full(len(homes), ABSENT, dtype=np.int64)
        asked, own = (frozen(letters), frozen(ends)), (frozen(self.letters), frozen(self.ends), frozen(self.slots))
        _find(*asked, homes, *own, numbers)
        return numbers


def _bits(strings: int) -> int:
    """The table has 2^bits places where a string may belong: at least two for each."""
    return max(3, int(2 * strings).bit_length())


def _homes(hashed: np.ndarray, strings: int) -> np.ndarray:
    """The slot where the search for each string begins: the highest bits of its hash."""
    return (hashed >> np.uint64(64 - _bits(strings))).astype(np.int64)


def _slots(hashed: np.ndarray) -> np.ndarray:
    """Numbers in the order of their hashes, each in its home or in the first free slot behind it.

    Behind the last one is a free slot, so that every search ends without a look at the length of the table.
    """
    order = np.argsort(hashed, kind="stable")
    steps = np.arange(len(order))
    # Slot n is at least one behind slot n - 1: without their steps, slots never fall.
    places = np.maximum.accumulate(_homes(hashed[order], len(hashed)) - steps) + steps
    slots = np.zeros(max(1 << _bits(len(hashed)), int(places[-1]) + 1 if len(places) else 0) + 1, dtype=np.uint32)
    slots[places] = order + 1
    return slots


@compiled
def _find(
    asked: np.ndarray,
    asked_ends: np.ndarray,
    homes: np.ndarray,
    letters: np.ndarray,
    ends: np.ndarray,
    slots: np.ndarray,
    numbers: np.ndarray,
) -> np.int64:
    """Looks up some strings at a time: all they need is asked for first, for memory is slow but answers many at once.

    The result is of no use but that nothing may be left out.
    """
    early = np.int64(0)
    for start in range(0, len(homes), _AT_ONCE):
        last = min(start + _AT_ONCE, len(homes))
        for string in range(start, last):
            early += slots[homes[string]]
        for string in range(start, last):
            early += ends[slots[homes[string]]]
        for string in range(start, last):
            end = ends[slots[homes[string]]]
            early += letters[end] if end < len(letters) else 0
        _find_some(asked, asked_ends, homes, letters, ends, slots, numbers, start, last)
    return early


@compiled
def _find_some(
    asked: np.ndarray,
    asked_ends: np.ndarray,
    homes: np.ndarray,
    letters: np.ndarray,
    ends: np.ndarray,
    slots: np.ndarray,
    numbers: np.ndarray,
    start: int,
    last: int,
) -> None:
    for string in range(start, last):
        first, size = asked_ends[string], asked_ends[string + 1] - asked_ends[string]
        slot = homes[string]
        while slots[slot] != 0:
            number = np.int64(slots[slot]) - 1
            begin = ends[number]
            if ends[number + 1] - begin == size:
                same = 0
                while same < size and letters[begin + same] == asked[first + same]:
                    same += 1
                if same == size:
                    numbers[string] = number
                    break
            slot += 1
