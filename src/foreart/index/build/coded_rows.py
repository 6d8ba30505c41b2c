"""Rows of coded counts, the input of a segment: five bytes per distinct word of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.features.counting.string_arrays import ends_of
from foreart.index.storage.segment import OVERFLOW


@dataclass(frozen=True)
class CodedRows:
    """Row n has the terms `terms[ends[n]:ends[n + 1]]` in any order, with the codes of a segment.

    `great_*` are the overflow counts, 255 and more, in any order. `words` is the sum of the counts of each row.
    """

    ends: np.ndarray  # int64
    terms: np.ndarray  # uint32
    codes: np.ndarray  # uint8
    words: np.ndarray  # uint32
    great_rows: np.ndarray  # int64
    great_terms: np.ndarray  # uint32
    great_counts: np.ndarray  # uint32

    def __len__(self) -> int:
        return len(self.words)

    def renumbered(self, numbers: np.ndarray) -> CodedRows:
        """The same rows with other term numbers."""
        return replace(self, terms=numbers[self.terms], great_terms=numbers[self.great_terms])

    def part(self, first: int, last: int) -> CodedRows:
        """The rows from `first` to before `last`, as views."""
        start, end = int(self.ends[first]), int(self.ends[last])
        great = (self.great_rows >= first) & (self.great_rows < last)
        return CodedRows(
            self.ends[first : last + 1] - start,
            self.terms[start:end],
            self.codes[start:end],
            self.words[first:last],
            self.great_rows[great] - first,
            self.great_terms[great],
            self.great_counts[great],
        )


def coded(ends: np.ndarray, terms: np.ndarray, counts: np.ndarray) -> CodedRows:
    """Encodes rows of counts; copies all arrays."""
    overflow = np.flatnonzero(counts >= OVERFLOW)
    words = np.zeros(len(ends) - 1, dtype=np.uint32)
    nonempty = np.flatnonzero(np.diff(ends))
    if len(nonempty):
        words[nonempty] = np.add.reduceat(counts, ends[:-1][nonempty], dtype=np.int64)
    return CodedRows(
        np.array(ends, dtype=np.int64),
        np.array(terms, dtype=np.uint32),
        np.minimum(counts, OVERFLOW).astype(np.uint8),
        words,
        np.searchsorted(ends, overflow, side="right") - 1,
        terms[overflow].astype(np.uint32),
        counts[overflow].astype(np.uint32),
    )


def stacked(parts: Sequence[CodedRows]) -> CodedRows:
    """Concatenates rows; copies all arrays."""
    firsts = ends_of(np.array([len(part) for part in parts], dtype=np.int64))
    great_rows = [part.great_rows + first for part, first in zip(parts, firsts[:-1], strict=True)]
    return CodedRows(
        ends_of(concatenated([np.diff(part.ends) for part in parts], np.int64)),
        concatenated([part.terms for part in parts], np.uint32),
        concatenated([part.codes for part in parts], np.uint8),
        concatenated([part.words for part in parts], np.uint32),
        concatenated(great_rows, np.int64),
        concatenated([part.great_terms for part in parts], np.uint32),
        concatenated([part.great_counts for part in parts], np.uint32),
    )


def concatenated(arrays: Sequence[np.ndarray], kind: type[np.generic]) -> np.ndarray:
    """Concatenates arrays, which may be none."""
    return np.concatenate(arrays, dtype=kind) if arrays else np.empty(0, dtype=kind)
