"""Finds equal strings of several lexicons by hash and bytes, a part of all strings at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from foreart.features.counting.string_arrays import blocks, ends_of, hashes, taken

# Strings held in memory at once: some hundred megabytes, for any number of strings.
AT_ONCE = 1 << 21


@dataclass(frozen=True)
class Strings:
    """String n is `letters[ends[n]:ends[n + 1]]`; `order` are their numbers in order of hash."""

    letters: np.ndarray
    ends: np.ndarray
    order: np.ndarray

    def __len__(self) -> int:
        return len(self.ends) - 1

    def taken(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Some of the strings as a string array; reads nothing of the others, not even their offsets."""
        bounds = np.empty(2 * len(numbers), dtype=np.int64)
        bounds[::2], bounds[1::2] = self.ends[numbers], self.ends[numbers + 1]
        return taken(self.letters, bounds, np.arange(0, len(bounds), 2))


@dataclass(frozen=True)
class Matches:
    """Strings of all lexicons whose hashes are in one range, lexicon after lexicon.

    `number` is the number of each in its lexicon; `letters` and `ends` are the strings. `group` is an integer from 0,
    equal for equal strings only. `example` is the position of one string of each group.
    """

    number: np.ndarray
    letters: np.ndarray
    ends: np.ndarray
    hash: np.ndarray
    group: np.ndarray
    example: np.ndarray
    cuts: np.ndarray

    def numbers(self, lexicon: int) -> np.ndarray:
        """The numbers of the strings of one lexicon."""
        return self.of(self.number, lexicon)

    def of(self, values: np.ndarray, lexicon: int) -> np.ndarray:
        """The part of `values`, one per string, that belongs to one lexicon."""
        return values[self.cuts[lexicon] : self.cuts[lexicon + 1]]


def by_hash(letters: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The numbers of all strings in order of hash."""
    return np.argsort(hashes(letters, ends), kind="stable").astype(np.uint32)


def matches(lexicons: Sequence[Strings], *, at_once: int = AT_ONCE) -> Iterator[Matches]:
    """The matches of all strings, in parts."""
    parts = -(-sum(map(len, lexicons)) // at_once)
    bounds = np.array([part * (1 << 64) // parts for part in range(1, parts)], dtype=np.uint64)
    cuts = [_cuts(strings, bounds) for strings in lexicons]
    for part in range(parts):
        pairs = zip(lexicons, cuts, strict=True)
        yield _matched(lexicons, [strings.order[cut[part] : cut[part + 1]].astype(np.int64) for strings, cut in pairs])


def _cuts(strings: Strings, bounds: np.ndarray) -> np.ndarray:
    """The offsets of the parts in the order, by one binary search for all bounds."""
    low, high = np.zeros(len(bounds), dtype=np.int64), np.full(len(bounds), len(strings), dtype=np.int64)
    while (seeking := low < high).any():
        middle = np.minimum((low + high) // 2, len(strings) - 1)
        hashed = hashes(*strings.taken(strings.order[middle].astype(np.int64)))
        smaller = (hashed < bounds) & seeking
        low, high = np.where(smaller, middle + 1, low), np.where(smaller | ~seeking, high, middle)
    return np.concatenate([[0], low, [len(strings)]]).astype(np.int64)


def _matched(lexicons: Sequence[Strings], numbers: list[np.ndarray]) -> Matches:
    arrays = [strings.taken(chosen) for strings, chosen in zip(lexicons, numbers, strict=True)]
    letters = np.concatenate([letters for letters, _ in arrays])
    ends = ends_of(np.concatenate([np.diff(ends) for _, ends in arrays]))
    hashed = hashes(letters, ends)
    # The hashes of each lexicon are already sorted: this sort only merges.
    order = np.argsort(hashed, kind="stable")
    new = np.ones(len(order), dtype=bool)
    new[1:] = hashed[order[1:]] != hashed[order[:-1]]
    _separate(letters, ends, order, new)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    cuts = ends_of(np.array([len(chosen) for chosen in numbers]))
    return Matches(np.concatenate(numbers), letters, ends, hashed, group, order[new], cuts)


def _separate(letters: np.ndarray, ends: np.ndarray, order: np.ndarray, new: np.ndarray) -> None:
    """Marks where a new string starts among those of equal hash, after sorting runs of different strings."""
    same_hash = np.flatnonzero(~new)
    collisions = same_hash[_differ(letters, ends, order[same_hash - 1], order[same_hash])]
    starts = np.append(np.flatnonzero(new), len(new))
    for run in np.unique(np.searchsorted(starts, collisions, side="right") - 1).tolist():
        start, end = int(starts[run]), int(starts[run + 1])
        texts = {index: bytes(letters[ends[index] : ends[index + 1]]) for index in order[start:end].tolist()}
        order[start:end] = sorted(texts, key=lambda index: (texts[index], index))
        new[start + 1 : end] = [texts[left] != texts[right] for left, right in pairwise(order[start:end].tolist())]


def _differ(letters: np.ndarray, ends: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Whether the strings of each pair differ, in length or in a block of eight bytes."""
    lengths = np.diff(ends)
    differ: np.ndarray = lengths[left] != lengths[right]
    open_pairs, offset = np.flatnonzero(~differ & (lengths[left] > 0)), 0
    while len(open_pairs):
        pair = (blocks(letters, ends, members[open_pairs], offset) for members in (left, right))
        differ[open_pairs] = np.not_equal(*pair)
        offset += 8
        open_pairs = open_pairs[~differ[open_pairs] & (lengths[left[open_pairs]] > offset)]
    return differ
