"""Document frequencies over the live documents of all segments, and their drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.index.storage.matching import AT_ONCE, Matches, Strings, matches
from foreart.index.storage.segment import Segment

# Odd multipliers with well mixed bits.
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """The basis of word weights.

    `fingerprint` is equal for equal document frequencies of equal words, however documents are divided into segments.
    `drift` is the mean change of idf since the previous statistics, over all postings present in both.
    """

    documents: int
    words: int
    terms: int
    fingerprint: str
    drift: float


@dataclass(frozen=True)
class PreviousStatistics:
    """The number of documents, and `df` of each segment, None for a new one."""

    documents: int
    df: Sequence[np.ndarray | None]


def local_frequencies(segment: Segment, alive: np.ndarray | None) -> np.ndarray:
    """The document frequency of each term in its segment; reads only the postings of deleted documents."""
    df = np.diff(np.asarray(segment.arrays.starts)).astype(np.uint32)
    if alive is not None:
        ends = segment.arrays.row_ends
        for document in np.flatnonzero(~alive).tolist():
            df[segment.arrays.row_terms[ends[document] : ends[document + 1]]] -= np.uint32(1)
    return df


def live_words(segments: Sequence[Segment], alive: Sequence[np.ndarray | None]) -> int:
    """The number of words of all live documents."""
    pairs = zip(segments, alive, strict=True)
    return sum(
        int(segment.arrays.words.sum(where=True if mask is None else mask, dtype=np.int64)) for segment, mask in pairs
    )


def sum_frequencies(
    lexicons: Sequence[Strings],
    df: Sequence[np.ndarray],
    *,
    documents: int,
    words: int,
    before: PreviousStatistics | None = None,
    at_once: int = AT_ONCE,
) -> TermStatistics:
    """Replaces the document frequencies in each segment by those in all, in place; `df` may be memory-mapped.

    Memory does not grow with the corpus.
    """
    summing = _StatisticsSum(documents, words, before)
    for found in matches(lexicons, at_once=at_once):
        parts = range(len(lexicons))
        local = np.concatenate([df[part][found.numbers(part)] for part in parts])
        # `bincount` sums as floats, which are exact for numbers of documents.
        totals = np.bincount(found.group, weights=local, minlength=len(found.example)).astype(np.uint32)
        global_df = totals[found.group]
        for part in parts:
            df[part][found.numbers(part)] = found.of(global_df, part)
        summing.add(found, local, totals, global_df)
    return summing.statistics()


class _StatisticsSum:
    """Accumulates the fingerprint and the drift over parts."""

    def __init__(self, documents: int, words: int, before: PreviousStatistics | None) -> None:
        self._documents, self._words, self._before = documents, words, before
        self._terms = 0
        self._sums = [0, 0]
        self._drift = self._postings = 0.0

    def add(self, found: Matches, local: np.ndarray, totals: np.ndarray, global_df: np.ndarray) -> None:
        live = totals > 0
        self._terms += int(live.sum())
        once = _mixed(found.hash[found.example[live]], totals[live].astype(np.uint64))
        for which, values in enumerate((once, _mixed(once, once >> np.uint64(7)))):
            # Sums do not depend on the order of words, nor on how they are divided into parts.
            self._sums[which] = (self._sums[which] + int(values.sum(dtype=np.uint64))) % (1 << 64)
        if self._before is None:
            return
        for part, earlier in enumerate(self._before.df):
            if earlier is not None:
                old = np.asarray(earlier[found.numbers(part)], dtype=np.float64)
                self._compare(old, found.of(local, part), found.of(global_df, part), self._before.documents)

    def _compare(self, old: np.ndarray, local: np.ndarray, new: np.ndarray, documents: int) -> None:
        both = (old > 0) & (local > 0)
        change = np.log(self._documents / new[both]) - np.log(documents / old[both])
        self._drift += float(np.abs(change) @ local[both])
        self._postings += float(local[both].sum())

    def statistics(self) -> TermStatistics:
        name = f"{self._documents:x}-{self._words:x}-{self._sums[0]:016x}{self._sums[1]:016x}"
        drift = self._drift / self._postings if self._postings else 0.0
        return TermStatistics(self._documents, self._words, self._terms, name, drift)


def _mixed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A hash of pairs of integers."""
    mixed: np.ndarray = (left ^ (right * _FACTORS[0])) * _FACTORS[1]
    mixed ^= mixed >> np.uint64(32)
    mixed *= _FACTORS[0]
    return mixed
