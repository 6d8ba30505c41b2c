"""The same string in several lexicons: found by hashes, told by its letters, a part of all strings at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from foreart.features.counting.string_arrays import blocks, ends_of, hashes, taken

# So many strings are held at once: some hundred megabytes, however many there are.
AT_ONCE = 1 << 21


@dataclass(frozen=True)
class Strings:
    """String n is `letters[ends[n]:ends[n + 1]]`; `order` are the numbers of all in order of their hashes."""

    letters: np.ndarray
    ends: np.ndarray
    order: np.ndarray

    def __len__(self) -> int:
        return len(self.ends) - 1

    def taken(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Some of the strings behind one another; of all others nothing is looked at, not even where they end."""
        bounds = np.empty(2 * len(numbers), dtype=np.int64)
        bounds[::2], bounds[1::2] = self.ends[numbers], self.ends[numbers + 1]
        return taken(self.letters, bounds, np.arange(0, len(bounds), 2))


@dataclass(frozen=True)
class Matches:
    """Strings of all lexicons whose hashes lie in one range, those of one lexicon behind those of the one before.

    `number` is the number of each in its lexicon; `letters` and `ends` are the strings themselves. `group` has a number
    from 0 for each; equal strings, and only they, have the same. `example` is a place of each group among them.
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
        """The part of values for all strings that belongs to one lexicon."""
        return values[self.cuts[lexicon] : self.cuts[lexicon + 1]]


def by_hash(letters: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The numbers of all strings in order of their hashes."""
    return np.argsort(hashes(letters, ends), kind="stable").astype(np.uint32)


def matches(lexicons: Sequence[Strings], *, at_once: int = AT_ONCE) -> Iterator[Matches]:
    """All strings, each once."""
    parts = -(-sum(map(len, lexicons)) // at_once)
    bounds = np.array([part * (1 << 64) // parts for part in range(1, parts)], dtype=np.uint64)
    cuts = [_cuts(strings, bounds) for strings in lexicons]
    for part in range(parts):
        pairs = zip(lexicons, cuts, strict=True)
        yield _matched(lexicons, [strings.order[cut[part] : cut[part + 1]].astype(np.int64) for strings, cut in pairs])


def _cuts(strings: Strings, bounds: np.ndarray) -> np.ndarray:
    """Where in the order the hashes of each part begin, and where the last ends; all bounds are sought at once."""
    low, high = np.zeros(len(bounds), dtype=np.int64), np.full(len(bounds), len(strings), dtype=np.int64)
    while (seeking := low < high).any():
        middle = np.minimum((low + high) // 2, len(strings) - 1)
        found = hashes(*strings.taken(strings.order[middle].astype(np.int64)))
        smaller = (found < bounds) & seeking
        low, high = np.where(smaller, middle + 1, low), np.where(smaller | ~seeking, high, middle)
    return np.concatenate([[0], low, [len(strings)]]).astype(np.int64)


def _matched(lexicons: Sequence[Strings], numbers: list[np.ndarray]) -> Matches:
    spelled = [strings.taken(chosen) for strings, chosen in zip(lexicons, numbers, strict=True)]
    letters = np.concatenate([letters for letters, _ in spelled])
    ends = ends_of(np.concatenate([np.diff(ends) for _, ends in spelled]))
    hashed = hashes(letters, ends)
    # The hashes of each lexicon are in order already: this sort only merges.
    order = np.argsort(hashed, kind="stable")
    new = np.ones(len(order), dtype=bool)
    new[1:] = hashed[order[1:]] != hashed[order[:-1]]
    _set_apart(letters, ends, order, new)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    cuts = ends_of(np.array([len(chosen) for chosen in numbers]))
    return Matches(np.concatenate(numbers), letters, ends, hashed, group, order[new], cuts)


def _set_apart(letters: np.ndarray, ends: np.ndarray, order: np.ndarray, new: np.ndarray) -> None:
    """Says where another string begins among those of equal hashes, after setting different ones apart in the order."""
    alike = np.flatnonzero(~new)
    wrong = alike[_differ(letters, ends, order[alike - 1], order[alike])]
    begins = np.append(np.flatnonzero(new), len(new))
    for run in np.unique(np.searchsorted(begins, wrong, side="right") - 1).tolist():
        start, end = int(begins[run]), int(begins[run + 1])
        texts = {place: bytes(letters[ends[place] : ends[place + 1]]) for place in order[start:end].tolist()}
        order[start:end] = sorted(texts, key=lambda place: (texts[place], place))
        new[start + 1 : end] = [texts[one] != texts[other] for one, other in pairwise(order[start:end].tolist())]


def _differ(letters: np.ndarray, ends: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Whether two strings differ, pair by pair: in length, or in the first eight letters, or in the next eight."""
    lengths = np.diff(ends)
    differ: np.ndarray = lengths[one] != lengths[other]
    those, place = np.flatnonzero(~differ & (lengths[one] > 0)), 0
    while len(those):
        pair = (blocks(letters, ends, members[those], place) for members in (one, other))
        differ[those] = np.not_equal(*pair)
        place += 8
        those = those[~differ[those] & (lengths[one[those]] > place)]
    return differ
