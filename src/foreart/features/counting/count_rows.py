"""Rows of word counts, the input of bags of words, LSA and KPCA."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from scipy.sparse import csr_array

from foreart.text.tokens import Tokenizer, tokens

# From this many texts on, the compiled counter is used.
_FEW = 16


@dataclass(frozen=True)
class Counts:
    """A row for each text, a column for each term in alphabetical order; stored entries are above 0."""

    terms: Sequence[str]
    rows: csr_array

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def take(self, chosen: Sequence[int] | np.ndarray) -> Counts:
        """Some of the texts, with all columns."""
        return Counts(self.terms, self.rows[np.asarray(chosen, dtype=np.int64)])

    def narrowed(self) -> Counts:
        """Without the terms that occur in no text."""
        df = self.document_frequencies
        if df.all():
            return self
        kept = np.flatnonzero(df)
        return Counts([self.terms[column] for column in kept.tolist()], self.onto(kept))

    @property
    def document_frequencies(self) -> np.ndarray:
        """The number of texts in which each term occurs."""
        return np.bincount(self.rows.indices, minlength=self.rows.shape[1]).astype(np.int64)

    def onto(self, kept: np.ndarray) -> csr_array:
        """The rows with only the `kept` columns, which are in ascending order."""
        new_columns = np.full(self.rows.shape[1], -1, dtype=np.int32)
        new_columns[kept] = np.arange(len(kept), dtype=np.int32)
        return self._remapped(new_columns, len(kept))

    def over(self, terms: Sequence[str], columns: dict[str, int]) -> csr_array:
        """The rows over other terms, given with their `columns`; words not among them are dropped."""
        if self.terms is terms:
            return self.rows
        new_columns = np.array([columns.get(term, -1) for term in self.terms], dtype=np.int32)
        return self._remapped(new_columns, len(terms))

    def _remapped(self, new_columns: np.ndarray, width: int) -> csr_array:
        columns = new_columns[self.rows.indices]
        known = columns >= 0
        indptr = np.concatenate([[0], np.cumsum(known)])[self.rows.indptr]
        rows = csr_array((self.rows.data[known], columns[known], indptr), shape=(len(self), width))
        rows.sort_indices()
        return rows


def count(texts: Iterable[str], words: Tokenizer) -> Counts:
    """Reads the texts once; keeps eight bytes for each distinct word of each text."""
    source = iter(texts)
    first = list(islice(source, _FEW))
    if len(first) == _FEW and words is tokens:
        from foreart.features.counting.text_counts import counted

        return Counts(*counted(chain(first, source)))
    return _counted(chain(first, source), words)


def _counted(texts: Iterable[str], words: Tokenizer) -> Counts:
    word_ids: defaultdict[str, int] = defaultdict()
    word_ids.default_factory = word_ids.__len__
    rows = _RowBuffer()
    for text in texts:
        rows.add({word_ids[word]: times for word, times in Counter(words(text)).items()})
    terms = sorted(word_ids)
    columns = np.empty(len(terms), dtype=np.int32)
    columns[[word_ids[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    return Counts(terms, rows.matrix(len(terms), columns))


def count_known(texts: Iterable[str], words: Tokenizer, terms: Sequence[str], columns: dict[str, int]) -> Counts:
    """Counts of the given terms; other words are dropped."""
    source = iter(texts)
    first = list(islice(source, _FEW))
    if len(first) == _FEW and words is tokens:
        return Counts(terms, count(chain(first, source), words).over(terms, columns))
    rows = _RowBuffer()
    for text in chain(first, source):
        rows.add({columns[word]: times for word, times in Counter(words(text)).items() if word in columns})
    return Counts(terms, rows.matrix(len(terms)))


class _RowBuffer:
    """Growing arrays of columns and counts."""

    def __init__(self) -> None:
        self._columns = array("i")
        self._counts = array("i")
        self._ends = array("q", [0])

    def add(self, row: dict[int, int]) -> None:
        """Appends a text."""
        self._columns.extend(row.keys())
        self._counts.extend(row.values())
        self._ends.append(len(self._columns))

    def matrix(self, width: int, new_columns: np.ndarray | None = None) -> csr_array:
        """All texts as rows of counts in column order; `new_columns` maps the columns."""
        columns = np.frombuffer(self._columns, dtype=np.int32) if self._columns else np.empty(0, np.int32)
        counts = np.frombuffer(self._counts, dtype=np.int32) if self._counts else np.empty(0, np.int32)
        indices = columns.copy() if new_columns is None else new_columns[columns]
        indptr = np.array(self._ends, dtype=np.int64)
        matrix = csr_array((counts.copy(), indices, indptr), shape=(len(indptr) - 1, width))
        matrix.sort_indices()
        return matrix
