"""Inverts rows of counts into the arrays of a segment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foreart.compiling import compiled
from foreart.features.counting.string_arrays import alphabetical, ends_of, taken
from foreart.index.build.coded_rows import CodedRows
from foreart.index.storage.lexicon import Lexicon
from foreart.index.storage.segment import DOCUMENTS, SegmentArrays

_STEP = 1 << 22


def inverted(
    ids: tuple[np.ndarray, np.ndarray], letters: np.ndarray, ends: np.ndarray, rows: CodedRows
) -> SegmentArrays:
    """The arrays of a segment from coded rows over terms in any order; terms that no row has are left out.

    `ids` and the terms (`letters`, `ends`) are string arrays. The arrays of `rows` are reused for the result.
    """
    if len(rows.words) > DOCUMENTS:
        raise ValueError(f"{len(rows.words)} documents are too many for one segment of at most {DOCUMENTS}")
    df = np.zeros(len(ends) - 1, dtype=np.int64)
    for part in _parts(rows.terms):
        df += np.bincount(part, minlength=len(df))
    order = _order(letters, ends, df)
    new_numbers = np.empty(len(df), dtype=np.uint32)
    new_numbers[order] = np.arange(len(order), dtype=np.uint32)
    for part in _parts(rows.terms):
        part[:] = new_numbers[part]
    starts = ends_of(df[order])
    docs, codes = _transposed(rows, starts)
    terms, names = Lexicon.of_letters(*taken(letters, ends, order)), Lexicon.of_letters(*ids)
    great_terms = new_numbers[rows.great_terms]
    great = np.lexsort((rows.great_rows, great_terms))
    return SegmentArrays(
        term_letters=terms.letters,
        term_ends=terms.ends,
        term_slots=terms.slots,
        id_letters=names.letters,
        id_ends=names.ends,
        id_slots=names.slots,
        starts=starts.astype(np.uint32),
        docs=docs,
        codes=codes,
        row_ends=rows.ends.astype(np.uint32),
        row_terms=rows.terms,
        row_codes=rows.codes,
        great_terms=great_terms[great],
        great_docs=rows.great_rows[great].astype(np.uint16),
        great_counts=rows.great_counts[great],
        words=rows.words,
    )


def _parts(array: np.ndarray) -> Iterator[np.ndarray]:
    """Views of some millions of entries, to bound temporary arrays of eight bytes per entry."""
    return (array[start : start + _STEP] for start in range(0, len(array), _STEP))


def _order(letters: np.ndarray, ends: np.ndarray, df: np.ndarray) -> np.ndarray:
    """The terms with documents, by descending document frequency, ties by bytes."""
    everything, _ = alphabetical(letters, ends)
    order: np.ndarray = everything[df[everything] > 0]
    # DOCUMENTS - df fits into 16 bits, which NumPy sorts in linear time (radix sort).
    descending: np.ndarray = np.argsort((DOCUMENTS - df[order]).astype(np.uint16), kind="stable")
    return order.take(descending)


def _transposed(rows: CodedRows, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Documents and codes by term, in order; also sorts the terms of each row."""
    docs, codes = np.empty(len(rows.terms), dtype=np.uint16), np.empty(len(rows.terms), dtype=np.uint8)
    _to_terms(rows.ends, rows.terms, rows.codes, starts[:-1].copy(), docs, codes)
    _to_rows(starts, docs, codes, rows.ends[:-1].copy(), rows.terms, rows.codes)
    return docs, codes


@compiled
def _to_terms(
    ends: np.ndarray, terms: np.ndarray, codes: np.ndarray, tops: np.ndarray, docs: np.ndarray, by_term: np.ndarray
) -> None:
    for row in range(len(ends) - 1):
        for entry in range(ends[row], ends[row + 1]):
            top = tops[terms[entry]]
            docs[top], by_term[top] = row, codes[entry]
            tops[terms[entry]] = top + 1


@compiled
def _to_rows(
    starts: np.ndarray, docs: np.ndarray, codes: np.ndarray, tops: np.ndarray, terms: np.ndarray, by_row: np.ndarray
) -> None:
    for term in range(len(starts) - 1):
        for entry in range(starts[term], starts[term + 1]):
            top = tops[docs[entry]]
            terms[top], by_row[top] = term, codes[entry]
            tops[docs[entry]] = top + 1
