"""How often each word stands in each text: the rows that bags of words, LSA and KPCA begin with."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from scipy.sparse import csr_array

from foreart.text.tokens import Tokenizer, tokens

_FEW = 16


@dataclass(frozen=True)
class Counts:
    """A row for each text, a column for each term, in alphabetical order; entries are whole numbers above 0."""

    terms: Sequence[str]
    rows: csr_array

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def take(self, chosen: Sequence[int] | np.ndarray) -> Counts:
        """Some of the texts, with all columns."""
        return Counts(self.terms, self.rows[np.asarray(chosen, dtype=np.int64)])

    def narrowed(self) -> Counts:
        """Without the terms that stand in no text."""
        df = self.document_frequencies
        if df.all():
            return self
        kept = np.flatnonzero(df)
        return Counts([self.terms[column] for column in kept.tolist()], self.onto(kept))

    @property
    def document_frequencies(self) -> np.ndarray:
        """In how many texts each term stands."""
        return np.bincount(self.rows.indices, minlength=self.rows.shape[1]).astype(np.int64)

    def onto(self, kept: np.ndarray) -> csr_array:
        """The rows with only the columns named, in increasing order."""
        places = np.full(self.rows.shape[1], -1, dtype=np.int32)
        places[kept] = np.arange(len(kept), dtype=np.int32)
        return self._renamed(places, len(kept))

    def over(self, terms: Sequence[str], columns: dict[str, int]) -> csr_array:
        """The rows over other terms, whose `columns` are given; words that are not among them are dropped."""
        if self.terms is terms:
            return self.rows
        places = np.array([columns.get(term, -1) for term in self.terms], dtype=np.int32)
        return self._renamed(places, len(terms))

    def _renamed(self, places: np.ndarray, width: int) -> csr_array:
        named = places[self.rows.indices]
        known = named >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[self.rows.indptr]
        rows = csr_array((self.rows.data[known], named[known], ends), shape=(len(self), width))
        rows.sort_indices()
        return rows


def count(texts: Iterable[str], words: Tokenizer) -> Counts:
    """Goes through the texts once; what is kept of each is eight bytes for each different word."""
    source = iter(texts)
    first = list(islice(source, _FEW))
    if len(first) == _FEW and words is tokens:
        from foreart.features.counting.word_counts import counted

        return Counts(*counted(chain(first, source)))
    return _counted(chain(first, source), words)


def _counted(texts: Iterable[str], words: Tokenizer) -> Counts:
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    growing = _Growing()
    for text in texts:
        growing.add({numbers[word]: number for word, number in Counter(words(text)).items()})
    terms = sorted(numbers)
    places = np.empty(len(terms), dtype=np.int32)
    places[[numbers[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    return Counts(terms, growing.matrix(len(terms), places))


def count_known(texts: Iterable[str], words: Tokenizer, terms: Sequence[str], columns: dict[str, int]) -> Counts:
    """Counts of the terms given; other words are dropped."""
    source = iter(texts)
    first = list(islice(source, _FEW))
    if len(first) == _FEW and words is tokens:
        return Counts(terms, count(chain(first, source), words).over(terms, columns))
    growing = _Growing()
    for text in chain(first, source):
        found = Counter(words(text)).items()
        growing.add({columns[word]: number for word, number in found if word in columns})
    return Counts(terms, growing.matrix(len(terms)))


class _Growing:
    """Growing arrays of columns and counts."""

    def __init__(self) -> None:
        self._columns = array("i")
        self._counts = array("i")
        self._ends = array("q", [0])

    def add(self, row: dict[int, int]) -> None:
        """One more text."""
        self._columns.extend(row.keys())
        self._counts.extend(row.values())
        self._ends.append(len(self._columns))

    def matrix(self, width: int, places: np.ndarray | None = None) -> csr_array:
        """All texts as rows of counts in order of column; `places` renames the columns."""
        columns = np.frombuffer(self._columns, dtype=np.int32) if self._columns else np.empty(0, np.int32)
        counts = np.frombuffer(self._counts, dtype=np.int32) if self._counts else np.empty(0, np.int32)
        named = columns.copy() if places is None else places[columns]
        ends = np.array(self._ends, dtype=np.int64)
        matrix = csr_array((counts.copy(), named, ends), shape=(len(ends) - 1, width))
        matrix.sort_indices()
        return matrix
