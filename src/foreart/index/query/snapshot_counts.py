"""The counts of a snapshot as rows, for whatever learns from rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.features import Counts
from foreart.index.storage.segment import GREAT, Segment
from foreart.index.storage.snapshot import Snapshot


def counts_of(snapshot: Snapshot, rows: Sequence[int] | np.ndarray | None = None) -> Counts:
    """How often each word stands in each row, or in some rows, in their order; words that none of them has left out."""
    wanted = np.arange(len(snapshot)) if rows is None else np.asarray(rows, dtype=np.int64)
    parts = np.searchsorted(snapshot.firsts, wanted, side="right") - 1
    pieces = [
        _Piece(segment, _documents(snapshot, part, wanted[parts == part]))
        for part, segment in enumerate(snapshot.segments)
    ]
    terms = sorted({word for piece in pieces for word in piece.words})
    columns = {word: column for column, word in enumerate(terms)}
    ends = np.concatenate([[0], np.cumsum(np.concatenate([piece.sizes for piece in pieces] or [np.empty(0, int)]))])
    indices = np.concatenate([piece.columns(columns) for piece in pieces] or [np.empty(0, np.int32)])
    data = np.concatenate([piece.counts for piece in pieces] or [np.empty(0, np.int32)])
    gathered = csr_array((data, indices, ends), shape=(len(wanted), len(terms)))
    gathered.sort_indices()
    # Pieces come segment by segment: back to the order that was asked for.
    back = np.empty(len(wanted), dtype=np.int64)
    back[np.argsort(parts, kind="stable")] = np.arange(len(wanted))
    in_order = bool((back == np.arange(len(wanted))).all())
    return Counts(terms, gathered if in_order else gathered[back])


def known_counts(snapshot: Snapshot, terms: Sequence[str], *, at_once: int) -> Iterator[Counts]:
    """How often some words stand in each row, all rows in order, so many of them at a time."""
    for part, segment in enumerate(snapshot.segments):
        columns = np.full(len(segment.terms), -1, dtype=np.int32)
        numbers = segment.terms.find(terms)
        columns[numbers[numbers >= 0]] = np.flatnonzero(numbers >= 0)
        first, last = int(snapshot.firsts[part]), int(snapshot.firsts[part + 1])
        for start in range(first, last, at_once):
            rows = np.arange(start, min(start + at_once, last))
            yield Counts(terms, _Piece(segment, _documents(snapshot, part, rows)).over(columns, len(terms)))


class _Piece:
    """Some documents of one segment."""

    def __init__(self, segment: Segment, documents: np.ndarray) -> None:
        arrays = segment.arrays
        starts, ends = arrays.row_ends[:-1][documents].astype(np.int64), arrays.row_ends[1:][documents].astype(np.int64)
        self.sizes = ends - starts
        places = np.repeat(starts - np.concatenate([[0], np.cumsum(self.sizes)[:-1]]), self.sizes)
        places += np.arange(len(places))
        terms = arrays.row_terms[places]
        self.counts = arrays.row_codes[places].astype(np.int32)
        great = np.flatnonzero(self.counts == GREAT)
        owners = np.repeat(documents, self.sizes)[great]
        known = _keys(arrays.great_terms, arrays.great_docs)
        self.counts[great] = arrays.great_counts[np.searchsorted(known, _keys(terms[great], owners))]
        self._segment, self._terms = segment, terms

    @cached_property
    def _used(self) -> tuple[np.ndarray, np.ndarray]:
        """The terms that stand here, and for each count which of them."""
        return np.unique(self._terms, return_inverse=True)

    @cached_property
    def words(self) -> list[str]:
        """All words that stand here, each once."""
        return [self._segment.terms[int(term)] for term in self._used[0]]

    def columns(self, known: dict[str, int]) -> np.ndarray:
        """The column of each count."""
        named = np.array([known[word] for word in self.words], dtype=np.int32)
        return named[self._used[1]] if len(named) else np.empty(0, np.int32)

    def over(self, columns: np.ndarray, width: int) -> csr_array:
        """Rows of the terms that have a column, which is -1 for the others."""
        named = columns[self._terms]
        known = named >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[np.concatenate([[0], np.cumsum(self.sizes)])]
        rows = csr_array((self.counts[known], named[known], ends), shape=(len(self.sizes), width))
        rows.sort_indices()
        return rows


def frequencies(snapshot: Snapshot, words: Sequence[str]) -> np.ndarray:
    """In how many living documents each word stands: every segment that has the word knows it of all."""
    found = np.zeros(len(words), dtype=np.int64)
    for segment, df in zip(snapshot.segments, snapshot.df, strict=True):
        numbers = segment.terms.find(words)
        there = numbers >= 0
        found[there] = df[numbers[there]]
    return found


def _keys(terms: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """In the order of terms, then documents, as great counts are."""
    return terms.astype(np.int64) << 16 | documents.astype(np.int64)


def _documents(snapshot: Snapshot, part: int, rows: np.ndarray) -> np.ndarray:
    living, within = snapshot.living[part], rows - snapshot.firsts[part]
    found: np.ndarray = within if living is None else living[within]
    return found
