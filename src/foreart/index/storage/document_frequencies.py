"""In how many living documents of all segments each word stands, and how far that has moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.index.storage.matching import AT_ONCE, Matches, Strings, matches
from foreart.index.storage.segment import Segment

# Odd and without pattern.
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """What weights are made of.

    `fingerprint` is equal for equal numbers of documents of equal words, however they are cut into segments. `drift`
    is the mean change of idf since the statistics before, over all postings that were there.
    """

    documents: int
    words: int
    terms: int
    fingerprint: str
    drift: float


@dataclass(frozen=True)
class Before:
    """Earlier statistics: how many documents there were, and `df` of each segment, None for one that is new."""

    documents: int
    df: Sequence[np.ndarray | None]


def local_frequencies(segment: Segment, alive: np.ndarray | None) -> np.ndarray:
    """In how many living documents of its segment each term stands; of the postings only those of the dead are read."""
    df = np.diff(np.asarray(segment.arrays.starts)).astype(np.uint32)
    if alive is not None:
        ends = segment.arrays.row_ends
        for document in np.flatnonzero(~alive).tolist():
            df[segment.arrays.row_terms[ends[document] : ends[document + 1]]] -= np.uint32(1)
    return df


def living_words(segments: Sequence[Segment], alive: Sequence[np.ndarray | None]) -> int:
    """How many words all living documents have."""
    pairs = zip(segments, alive, strict=True)
    return sum(
        int(segment.arrays.words.sum(where=True if mask is None else mask, dtype=np.int64)) for segment, mask in pairs
    )


def spread(
    lexicons: Sequence[Strings],
    df: Sequence[np.ndarray],
    *,
    documents: int,
    words: int,
    before: Before | None = None,
    at_once: int = AT_ONCE,
) -> TermStatistics:
    """Turns the frequencies of the terms of each segment into those in all, in place: `df` may lie in a file.

    What is held in memory does not grow with the corpus.
    """
    summing = _Summing(documents, words, before)
    for found in matches(lexicons, at_once=at_once):
        parts = range(len(lexicons))
        local = np.concatenate([df[part][found.numbers(part)] for part in parts])
        # As floats, which hold numbers of documents exactly.
        totals = np.bincount(found.group, weights=local, minlength=len(found.example)).astype(np.uint32)
        spreaded = totals[found.group]
        for part in parts:
            df[part][found.numbers(part)] = found.of(spreaded, part)
        summing.add(found, local, totals, spreaded)
    return summing.statistics()


class _Summing:
    """The fingerprint and the drift, part after part."""

    def __init__(self, documents: int, words: int, before: Before | None) -> None:
        self._documents, self._words, self._before = documents, words, before
        self._terms = 0
        self._sums = [0, 0]
        self._moved = self._postings = 0.0

    def add(self, found: Matches, local: np.ndarray, totals: np.ndarray, spreaded: np.ndarray) -> None:
        living = totals > 0
        self._terms += int(living.sum())
        once = _mixed(found.hash[found.example[living]], totals[living].astype(np.uint64))
        for which, values in enumerate((once, _mixed(once, once >> np.uint64(7)))):
            # Sums do not depend on the order of words, nor on how they were cut into parts.
            self._sums[which] = (self._sums[which] + int(values.sum(dtype=np.uint64))) % (1 << 64)
        if self._before is None:
            return
        for part, earlier in enumerate(self._before.df):
            if earlier is not None:
                old = np.asarray(earlier[found.numbers(part)], dtype=np.float64)
                self._compare(old, found.of(local, part), found.of(spreaded, part), self._before.documents)

    def _compare(self, old: np.ndarray, local: np.ndarray, new: np.ndarray, documents: int) -> None:
        both = (old > 0) & (local > 0)
        moved = np.log(self._documents / new[both]) - np.log(documents / old[both])
        self._moved += float(np.abs(moved) @ local[both])
        self._postings += float(local[both].sum())

    def statistics(self) -> TermStatistics:
        name = f"{self._documents:x}-{self._words:x}-{self._sums[0]:016x}{self._sums[1]:016x}"
        drift = self._moved / self._postings if self._postings else 0.0
        return TermStatistics(self._documents, self._words, self._terms, name, drift)


def _mixed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A hash of two numbers."""
    mixed: np.ndarray = (one ^ (other * _FACTORS[0])) * _FACTORS[1]
    mixed ^= mixed >> np.uint64(32)
    mixed *= _FACTORS[0]
    return mixed
