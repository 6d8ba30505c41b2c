"""Columns of a table as arrays: one value a row, a list of numbers a row, or the rows of each value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus.views.hashes import hash64
from foreart.corpus.views.string_tables import StringTable


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Row r has the value `values[codes[r]]`; values are in byte order, and so are their codes."""

    codes: np.ndarray
    values: StringTable

    @classmethod
    def of(cls, texts: Sequence[str], codes: np.ndarray) -> Coded:
        """The column whose row r has `texts[codes[r]]`."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        order = sorted(range(len(encoded)), key=encoded.__getitem__)
        kind = np.min_scalar_type(len(texts))
        return cls(inverse(order)[codes].astype(kind), StringTable.of(encoded[place] for place in order))

    def take(self, rows: np.ndarray) -> Coded:
        """The column of some rows."""
        return Coded(self.codes[rows], self.values)

    def mask(self, wanted: Callable[[bytes], bool]) -> np.ndarray:
        """For each row whether its value is wanted."""
        found: np.ndarray = np.fromiter(map(wanted, self.values), bool, len(self.values))[self.codes]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Row r has `values[starts[r]:starts[r + 1]]`."""

    starts: np.ndarray  # int64
    values: np.ndarray

    @classmethod
    def of(cls, rows: Iterable[np.ndarray], kind: type[np.generic] = np.uint64) -> Ragged:
        """The rows in their order."""
        parts = list(rows)
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        return cls(starts, np.concatenate([np.empty(0, kind), *parts]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, number: int) -> np.ndarray:
        """The values of a row."""
        found: np.ndarray = self.values[self.starts[number] : self.starts[number + 1]]
        return found

    def take(self, rows: np.ndarray) -> Ragged:
        """The lists of some rows."""
        return Ragged.of((self.row(row) for row in rows.tolist()), self.values.dtype.type)

    def incidence(self, columns: int) -> csr_array:
        """A matrix of ones where a row has a column; rows name each column once, in order."""
        ones = np.ones(len(self.values), dtype=np.float32)
        return csr_array((ones, self.values, self.starts), shape=(len(self), columns))

    def overlap(self, wanted: np.ndarray) -> np.ndarray:
        """How many of the wanted values each row has."""
        if not len(wanted) or not len(self.values):
            return np.zeros(len(self))
        hits = np.concatenate([[0], np.cumsum(np.isin(self.values, wanted))])
        found: np.ndarray = (hits[self.starts[1:]] - hits[self.starts[:-1]]).astype(np.float64)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Inverted:
    """The rows that have value v are `rows[starts[v]:starts[v + 1]]`; values are in byte order.

    `hashes` are those of the values as they are compared, which may be the same for several spellings.
    """

    values: StringTable
    hashes: np.ndarray  # uint64
    starts: np.ndarray  # int64
    rows: np.ndarray  # int32

    @classmethod
    def of(cls, texts: Sequence[str], codes: np.ndarray, rows: np.ndarray, fold: Callable[[str], str]) -> Inverted:
        """The column in which each of `rows` has the text that `codes` gives it; `fold` is how texts are compared."""
        used = np.unique(codes)
        column = Coded.of([texts[place] for place in used.tolist()], np.searchsorted(used, codes))
        width = int(rows.max(initial=0)) + 1
        codes, rows = np.divmod(np.unique(column.codes.astype(np.int64) * width + rows), width)
        hashes = np.array([hash64(fold(value.decode())) for value in column.values], dtype=np.uint64)
        starts = np.searchsorted(codes, np.arange(len(used) + 1)).astype(np.int64)
        return cls(column.values, hashes, starts, rows.astype(np.int32))

    @property
    def codes(self) -> np.ndarray:
        """The value of each of `rows`."""
        return np.repeat(np.arange(len(self.values)), np.diff(self.starts))

    def take(self, rows: np.ndarray) -> Inverted:
        """The column of some rows, which are all there are, in another order."""
        new = inverse(rows)[self.rows]
        order = np.lexsort((new, self.codes))
        return Inverted(self.values, self.hashes, self.starts, new[order].astype(np.int32))

    def mask(self, first: int, last: int, count: int) -> np.ndarray:
        """For each of `count` rows whether it has one of the values from `first` to before `last`."""
        found = np.zeros(count, dtype=bool)
        found[self.rows[self.starts[first] : self.starts[last]]] = True
        return found

    def having(self, hashes: np.ndarray) -> np.ndarray:
        """The rows that have a value with one of some hashes, in order."""
        places = np.flatnonzero(np.isin(self.hashes, hashes)).tolist() if len(hashes) else ()
        parts = [self.rows[self.starts[place] : self.starts[place + 1]] for place in places]
        return np.unique(np.concatenate([np.empty(0, np.int32), *parts]))


def inverse(order: Sequence[int] | np.ndarray) -> np.ndarray:
    """Where in an order of all numbers below its length each number stands."""
    places = np.empty(len(order), dtype=np.int64)
    places[np.asarray(order, dtype=np.int64)] = np.arange(len(order))
    return places
