"""Rows of counts on their way into a segment, five bytes for each word of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.features.counting.string_arrays import ends_of
from foreart.index.storage.segment import GREAT


@dataclass(frozen=True)
class CodedRows:
    """Row n has the terms `terms[ends[n]:ends[n + 1]]` in any order, with codes as a segment has them.

    `great_*` are the counts of 255 and more, in any order. `words` is the sum of the counts of each row.
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

    def renamed(self, numbers: np.ndarray) -> CodedRows:
        """The same rows over terms with other numbers."""
        return replace(self, terms=numbers[self.terms], great_terms=numbers[self.great_terms])


def coded(ends: np.ndarray, terms: np.ndarray, counts: np.ndarray) -> CodedRows:
    """Rows of counts as rows of codes, in memory of their own."""
    great = np.flatnonzero(counts >= GREAT)
    words = np.zeros(len(ends) - 1, dtype=np.uint32)
    filled = np.flatnonzero(np.diff(ends))
    if len(filled):
        words[filled] = np.add.reduceat(counts, ends[:-1][filled], dtype=np.int64)
    return CodedRows(
        np.array(ends, dtype=np.int64),
        np.array(terms, dtype=np.uint32),
        np.minimum(counts, GREAT).astype(np.uint8),
        words,
        np.searchsorted(ends, great, side="right") - 1,
        terms[great].astype(np.uint32),
        counts[great].astype(np.uint32),
    )


def stacked(parts: Sequence[CodedRows]) -> CodedRows:
    """Rows behind one another, in memory of their own."""
    firsts = ends_of(np.array([len(part) for part in parts], dtype=np.int64))
    great_rows = [part.great_rows + first for part, first in zip(parts, firsts[:-1], strict=True)]
    return CodedRows(
        ends_of(together([np.diff(part.ends) for part in parts], np.int64)),
        together([part.terms for part in parts], np.uint32),
        together([part.codes for part in parts], np.uint8),
        together([part.words for part in parts], np.uint32),
        together(great_rows, np.int64),
        together([part.great_terms for part in parts], np.uint32),
        together([part.great_counts for part in parts], np.uint32),
    )


def together(arrays: Sequence[np.ndarray], kind: type[np.generic]) -> np.ndarray:
    """One array of several, or of none."""
    return np.concatenate(arrays, dtype=kind) if arrays else np.empty(0, dtype=kind)
