"""What connects drawn documents: citations, applicants, inventors, classes, each by copying from an earlier document.

Somebody who cites, files or classifies does as somebody did before in the same topic, or something new. Copying makes
a few numbers and names frequent and most of them rare, as in real corpora, without an end. All is a function of the
seed and of the number of a document; a copy asks what the earlier document has, which may be a copy itself.
"""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from search_synthetic import _mixed, _share

# Quantiles of real documents: how many citations they have, how many numbers their texts name, ...
LEVELS = np.array([0.0, 0.05, 0.25, 0.32, 0.5, 0.75, 0.95, 0.99, 0.998, 1.0])
CITED = np.array([0, 0, 0, 0.5, 5, 15, 63, 156, 400, 900.0])
NAMED_LEVELS = np.array([0.0, 0.47, 0.5, 0.75, 0.95, 0.99, 0.998, 1.0])
NAMED = np.array([0, 0.5, 1, 3, 20, 64, 160, 300.0])
# Of topics, one in ten is dense: documents there cite documents of the corpus, in the others they rarely do.
_DENSE, _INSIDE_DENSE, _INSIDE = 0.1, 0.85, 0.004
# How often a citation is copied, and a document names a number that it cites.
_COPIED, NAMES_CITED = 0.28, 0.6
# A topic is worked on in lines of so many documents.
_LINE = 64
_PIONEERS = 0.35  # of copies, this share is of any document of the topic, the first ones most
_DEEPEST = 40
OUTSIDE, INSIDE = 0, 1
# How often a name or class is new in the first documents; later fewer are, by a power of the number.
NEW = {"applicant": 0.34, "inventor": 0.72, "class": 0.62}
_POWER, _FIRST = 0.25, 9_015.0
_CLASSES, _FREQUENT = 9_000, 0.3  # main groups; of new ones, this share is drawn by rank


class Relations:
    """The relations of the first so many documents of a drawing."""

    def __init__(self, origins: np.ndarray, seed: int) -> None:
        topics = origins[1]
        self.topics, self._seed = topics, np.uint64(_mixed(np.uint64(seed + 4711)))
        self._order = np.argsort(topics, kind="stable")
        self._starts = np.searchsorted(topics[self._order], np.arange(topics.max() + 2))
        self._place = np.empty(len(topics), np.int64)
        self._place[self._order] = np.arange(len(topics)) - self._starts[topics[self._order]]

    def citations(self, numbers: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Rows (document, INSIDE or OUTSIDE, number cited), distinct for each document."""
        documents = np.repeat(numbers, counts)
        slots = np.arange(len(documents)) - np.repeat(np.cumsum(counts) - counts, counts)
        made = _citations(documents, slots, self._seed, self.topics, self._order, self._starts, self._place)
        return np.unique(np.column_stack([documents, made]), axis=0)

    def names(self, numbers: np.ndarray, slot: int, kind: str) -> np.ndarray:
        """The number of the applicant, inventor or class of each document in a slot."""
        sort = list(NEW).index(kind)
        made = _names(numbers, slot, sort, NEW[kind], self._seed, self.topics, self._order, self._starts, self._place)
        return _classes(made) if kind == "class" else made


def shares(numbers: np.ndarray, seed: int, sort: int) -> np.ndarray:
    """A number from 0 to 1 for each document and sort."""
    return _shares(np.asarray(numbers, np.int64), np.uint64(_mixed(np.uint64(seed * 1000 + sort))))


@compiled
def _shares(numbers: np.ndarray, seed: np.uint64) -> np.ndarray:
    found = np.empty(len(numbers))
    for place in range(len(numbers)):
        found[place] = _share(_mixed(seed ^ _mixed(np.uint64(numbers[place]))))
    return found


@compiled
def _earlier(
    number: int, bits: np.uint64, topics: np.ndarray, order: np.ndarray, starts: np.ndarray, place: np.ndarray
) -> int:
    """An earlier document of the topic, of the same line if it has one; itself if it is the first."""
    own = place[number]
    if own == 0:
        return number
    line = own // _LINE * _LINE
    low = line if own > line else max(0, line - _LINE)
    share = _share(bits)
    back = low + np.int64(share**1.5 * (own - low))
    if _share(_mixed(bits)) < _PIONEERS:
        back = np.int64(share**4 * own)
    return np.int64(order[starts[topics[number]] + back])


@compiled
def _citations(
    documents: np.ndarray,
    slots: np.ndarray,
    seed: np.uint64,
    topics: np.ndarray,
    order: np.ndarray,
    starts: np.ndarray,
    place: np.ndarray,
) -> np.ndarray:
    found = np.empty((len(documents), 2), np.int64)
    for each in range(len(documents)):
        number, slot = documents[each], np.uint64(slots[each])
        for depth in range(_DEEPEST):
            bits = _mixed(seed ^ _mixed(np.uint64(number) * np.uint64(2048) + slot))
            other = _earlier(number, _mixed(bits), topics, order, starts, place)
            if _share(bits) >= _COPIED or depth == _DEEPEST - 1 or other == number:
                break
            number, slot = other, bits & np.uint64(7)  # the first ones of a document are copied most
        dense = _share(_mixed(seed + np.uint64(topics[number]))) < _DENSE
        inside = _share(_mixed(bits + np.uint64(1))) < (_INSIDE_DENSE if dense else _INSIDE)
        if inside and other != number:
            found[each, 0], found[each, 1] = INSIDE, other
        else:
            found[each, 0], found[each, 1] = OUTSIDE, np.int64(_mixed(bits + np.uint64(2)) >> np.uint64(2))
    return found


@compiled
def _names(
    numbers: np.ndarray,
    slot: int,
    sort: int,
    new: float,
    seed: np.uint64,
    topics: np.ndarray,
    order: np.ndarray,
    starts: np.ndarray,
    place: np.ndarray,
) -> np.ndarray:
    found = np.empty(len(numbers), np.int64)
    for each in range(len(numbers)):
        number = numbers[each]
        for _ in range(_DEEPEST):
            bits = _mixed(seed ^ _mixed(np.uint64(number) * np.uint64(64) + np.uint64(slot * 4 + sort)))
            other = _earlier(number, _mixed(bits), topics, order, starts, place)
            if _share(bits) < new * (_FIRST / (number + 1.0)) ** _POWER or other == number:
                break
            number = other
        found[each] = number * 16 + slot
    return found


def _classes(made: np.ndarray) -> np.ndarray:
    """Main groups by number: some are drawn by rank, so that a few are in many documents, the others from all."""
    ranked = np.exp(shares(made, 5, 1) * np.log(_CLASSES)) - 1.0
    found: np.ndarray = np.where(shares(made, 5, 0) < _FREQUENT, ranked, _CLASSES * shares(made, 5, 2))
    return found.astype(np.int64)
