"""Word counts of a snapshot as rows, for features that learn from counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from foreart.features import Counts
from foreart.index.storage.segment import OVERFLOW, Segment
from foreart.index.storage.snapshot import Snapshot


def counts_of(snapshot: Snapshot, rows: Sequence[int] | np.ndarray | None = None) -> Counts:
    """The word counts of all rows, or of some in the given order; words in none of them are left out."""
    wanted = np.arange(len(snapshot)) if rows is None else np.asarray(rows, dtype=np.int64)
    parts = np.searchsorted(snapshot.firsts, wanted, side="right") - 1
    blocks = [
        _SegmentRows(segment, _documents(snapshot, part, wanted[parts == part]))
        for part, segment in enumerate(snapshot.segments)
    ]
    terms = sorted({word for block in blocks for word in block.words})
    columns = {word: column for column, word in enumerate(terms)}
    ends = np.concatenate([[0], np.cumsum(np.concatenate([block.sizes for block in blocks] or [np.empty(0, int)]))])
    indices = np.concatenate([block.columns(columns) for block in blocks] or [np.empty(0, np.int32)])
    data = np.concatenate([block.counts for block in blocks] or [np.empty(0, np.int32)])
    gathered = csr_array((data, indices, ends), shape=(len(wanted), len(terms)))
    gathered.sort_indices()
    # Restore the given order; parts are by segment.
    positions = np.empty(len(wanted), dtype=np.int64)
    positions[np.argsort(parts, kind="stable")] = np.arange(len(wanted))
    in_order = bool((positions == np.arange(len(wanted))).all())
    return Counts(terms, gathered if in_order else gathered[positions])


def known_counts(snapshot: Snapshot, terms: Sequence[str], *, at_once: int) -> Iterator[Counts]:
    """The counts of some words in all rows, in batches of `at_once` rows."""
    part, columns = -1, np.zeros(0, dtype=np.int32)
    for rows in segment_batches(snapshot, at_once=at_once):
        if (own := _part(snapshot, rows)) != part:
            part, columns = own, _columns(snapshot.segments[own], terms)
        yield _known(snapshot, part, rows, terms, columns)


def segment_batches(snapshot: Snapshot, *, at_once: int) -> Iterator[np.ndarray]:
    """All rows in batches, each of one segment."""
    for first, last in pairwise(snapshot.firsts.tolist()):
        yield from (np.arange(start, min(start + at_once, last)) for start in range(first, last, at_once))


def known_counts_of(snapshot: Snapshot, terms: Sequence[str], rows: np.ndarray) -> Counts:
    """The counts of some words in a batch of `segment_batches`."""
    part = _part(snapshot, rows)
    return _known(snapshot, part, rows, terms, _columns(snapshot.segments[part], terms))


def _part(snapshot: Snapshot, rows: np.ndarray) -> int:
    return int(np.searchsorted(snapshot.firsts, rows[0], side="right")) - 1


def _columns(segment: Segment, terms: Sequence[str]) -> np.ndarray:
    """The position in `terms` of each term of a segment, -1 for others."""
    columns = np.full(len(segment.terms), -1, dtype=np.int32)
    numbers = segment.terms.find(terms)
    columns[numbers[numbers >= 0]] = np.flatnonzero(numbers >= 0)
    return columns


def _known(snapshot: Snapshot, part: int, rows: np.ndarray, terms: Sequence[str], columns: np.ndarray) -> Counts:
    own = _SegmentRows(snapshot.segments[part], _documents(snapshot, part, rows))
    return Counts(terms, own.over(columns, len(terms)))


class _SegmentRows:
    """The rows of some documents of one segment."""

    def __init__(self, segment: Segment, documents: np.ndarray) -> None:
        arrays = segment.arrays
        starts, ends = arrays.row_ends[:-1][documents].astype(np.int64), arrays.row_ends[1:][documents].astype(np.int64)
        self.sizes = ends - starts
        postings = np.repeat(starts - np.concatenate([[0], np.cumsum(self.sizes)[:-1]]), self.sizes)
        postings += np.arange(len(postings))
        terms = arrays.row_terms[postings]
        self.counts = arrays.row_codes[postings].astype(np.int32)
        overflow = np.flatnonzero(self.counts == OVERFLOW)
        owners = np.repeat(documents, self.sizes)[overflow]
        known = _keys(arrays.great_terms, arrays.great_docs)
        self.counts[overflow] = arrays.great_counts[np.searchsorted(known, _keys(terms[overflow], owners))]
        self._segment, self._terms = segment, terms

    @cached_property
    def _used(self) -> tuple[np.ndarray, np.ndarray]:
        """The distinct terms, and the index of the term of each count."""
        return np.unique(self._terms, return_inverse=True)

    @cached_property
    def words(self) -> list[str]:
        """The distinct words."""
        return [self._segment.terms[int(term)] for term in self._used[0]]

    def columns(self, known: dict[str, int]) -> np.ndarray:
        """The column of each count."""
        named = np.array([known[word] for word in self.words], dtype=np.int32)
        return named[self._used[1]] if len(named) else np.empty(0, np.int32)

    def over(self, columns: np.ndarray, width: int) -> csr_array:
        """The rows over given columns of terms, -1 for terms to leave out."""
        named = columns[self._terms]
        known = named >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[np.concatenate([[0], np.cumsum(self.sizes)])]
        rows = csr_array((self.counts[known], named[known], ends), shape=(len(self.sizes), width))
        rows.sort_indices()
        return rows


def frequencies(snapshot: Snapshot, words: Sequence[str]) -> np.ndarray:
    """The document frequency of each word; every segment with the word stores that of all segments."""
    found = np.zeros(len(words), dtype=np.int64)
    for segment, df in zip(snapshot.segments, snapshot.df, strict=True):
        numbers = segment.terms.find(words)
        present = numbers >= 0
        found[present] = df[numbers[present]]
    return found


def _keys(terms: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """Sort keys by term, then document, the order of overflow counts."""
    return terms.astype(np.int64) << 16 | documents.astype(np.int64)


def _documents(snapshot: Snapshot, part: int, rows: np.ndarray) -> np.ndarray:
    live, within = snapshot.live[part], rows - snapshot.firsts[part]
    found: np.ndarray = within if live is None else live[within]
    return found
