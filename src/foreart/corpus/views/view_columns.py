"""Columns of a view as arrays: one value per row, a list of numbers per row, or the rows of each value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus.views.hashes import hash64
from foreart.corpus.views.string_tables import StringTable


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """One value per row: row r has `values[codes[r]]`; values are in byte order, and so are their codes."""

    codes: np.ndarray
    values: StringTable

    @classmethod
    def of(cls, texts: Sequence[str], codes: np.ndarray) -> Coded:
        """The column whose row r has `texts[codes[r]]`."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        order = sorted(range(len(encoded)), key=encoded.__getitem__)
        kind = np.min_scalar_type(len(texts))
        return cls(inverse(order)[codes].astype(kind), StringTable.of(encoded[position] for position in order))

    def take(self, rows: np.ndarray) -> Coded:
        """The column for the given rows."""
        return Coded(self.codes[rows], self.values)

    def mask(self, wanted: Callable[[bytes], bool]) -> np.ndarray:
        """A mask of the rows whose value is wanted."""
        mask: np.ndarray = np.fromiter(map(wanted, self.values), bool, len(self.values))[self.codes]
        return mask


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """A list per row: row r has `values[starts[r]:starts[r + 1]]`."""

    starts: np.ndarray  # int32 or int64
    values: np.ndarray

    @classmethod
    def of(cls, rows: Iterable[np.ndarray], kind: type[np.generic] = np.uint64) -> Ragged:
        """The column of the lists, in the given order."""
        parts = list(rows)
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        return cls(offsets(starts), np.concatenate([np.empty(0, kind), *parts]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, row: int) -> np.ndarray:
        """The values of a row."""
        values: np.ndarray = self.values[self.starts[row] : self.starts[row + 1]]
        return values

    def take(self, rows: np.ndarray) -> Ragged:
        """The lists of the given rows; only these are read."""
        first, lengths = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        places = np.arange(int(starts[-1])) + np.repeat(first - starts[:-1], lengths)
        return Ragged(offsets(starts), self.values[places])

    def incidence(self, columns: int) -> csr_array:
        """A matrix with ones where a row has a value; values of a row are distinct and sorted."""
        # One number for all entries, and indices as they are mapped: a matrix takes no memory of its own.
        ones = np.broadcast_to(np.float32(1.0), len(self.values))
        return csr_array((ones, self.values, self.starts), shape=(len(self), columns))

    def overlap(self, wanted: np.ndarray) -> np.ndarray:
        """How many of the wanted values each row has."""
        if not len(wanted) or not len(self.values):
            return np.zeros(len(self))
        hits = np.concatenate([[0], np.cumsum(np.isin(self.values, wanted))])
        counts: np.ndarray = (hits[self.starts[1:]] - hits[self.starts[:-1]]).astype(np.float64)
        return counts


def inverted_lists(lists: Ragged, values: int) -> Ragged:
    """For each of so many values the rows whose list has it, in increasing order."""
    table = csr_array((np.ones(len(lists.values), np.int8), lists.values, lists.starts), shape=(len(lists), values))
    by_value = table.tocsc()
    return Ragged(offsets(by_value.indptr), by_value.indices.astype(np.int32))


def offsets(starts: np.ndarray) -> np.ndarray:
    """Offsets in the smaller of two types, so that a sparse matrix need not copy them."""
    return starts.astype(np.int32 if int(starts[-1]) < np.iinfo(np.int32).max else np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Inverted:
    """An inverted column: value v occurs in `rows[starts[v]:starts[v + 1]]`; values are in byte order.

    `hashes` are the hashes of the folded values, which may be equal for several spellings; `order` are the values in
    the order of their hashes.
    """

    values: StringTable
    hashes: np.ndarray  # uint64
    order: np.ndarray  # int32
    starts: np.ndarray  # int64
    rows: np.ndarray  # int32

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        codes: np.ndarray,
        rows: np.ndarray,
        fold: Callable[[str], str],
        *,
        known: Mapping[bytes, int] | None = None,
    ) -> Inverted:
        """The column in which `rows[i]` has the value `texts[codes[i]]`; `fold` normalises texts for comparison.

        `known` are hashes of folded values that were computed before.
        """
        used = np.unique(codes)
        column = Coded.of([texts[code] for code in used.tolist()], np.searchsorted(used, codes))
        width = int(rows.max(initial=0)) + 1
        codes, rows = np.divmod(np.unique(column.codes.astype(np.int64) * width + rows), width)
        before = known or {}
        found = (before[value] if value in before else hash64(fold(value.decode())) for value in column.values)
        hashes = np.fromiter(found, np.uint64, len(column.values))
        starts = np.searchsorted(codes, np.arange(len(used) + 1)).astype(np.int64)
        return cls.sorted(column.values, hashes, starts, rows)

    @classmethod
    def sorted(cls, values: StringTable, hashes: np.ndarray, starts: np.ndarray, rows: np.ndarray) -> Inverted:
        """The column of values in byte order."""
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        return cls(values, hashes, order, starts, rows.astype(np.int32))

    @property
    def codes(self) -> np.ndarray:
        """The code of the value of each entry of `rows`."""
        return np.repeat(np.arange(len(self.values)), np.diff(self.starts))

    def take(self, rows: np.ndarray) -> Inverted:
        """The column for a permutation of all rows."""
        new = inverse(rows)[self.rows]
        order = np.lexsort((new, self.codes))
        return replace(self, rows=new[order].astype(np.int32))

    def mask(self, first: int, last: int, count: int) -> np.ndarray:
        """A mask of `count` rows: those with a value from `first` up to, but not including, `last`."""
        mask = np.zeros(count, dtype=bool)
        mask[self.rows[self.starts[first] : self.starts[last]]] = True
        return mask

    def rows_with(self, hashes: np.ndarray) -> np.ndarray:
        """The rows with a value that has one of the hashes, in increasing order."""
        parts = [np.empty(0, np.int32)]
        for wanted in np.unique(hashes):
            for code in self.order[self._first(wanted) : self._first(wanted, after=True)].tolist():
                parts.append(self.rows[self.starts[code] : self.starts[code + 1]])
        return np.unique(np.concatenate(parts))

    def _first(self, wanted: np.uint64, *, after: bool = False) -> int:
        """The first offset in `order` whose hash is not below the wanted one, or is above it; reads few hashes."""
        key = (lambda code: self.hashes[code] > wanted) if after else (lambda code: self.hashes[code] >= wanted)
        return bisect_left(self.order, True, key=key)


def inverse(order: Sequence[int] | np.ndarray) -> np.ndarray:
    """The inverse of a permutation."""
    positions = np.empty(len(order), dtype=np.int64)
    positions[np.asarray(order, dtype=np.int64)] = np.arange(len(order))
    return positions
