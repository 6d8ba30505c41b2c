"""Strings in arrays that can be memory-mapped: tables in byte order, and ids with a lookup by hash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from foreart.corpus.views.hashes import hash64


def _joined(strings: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray]:
    encoded = list(strings)
    ends = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(each) for each in encoded], out=ends[1:])
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends


@dataclass(frozen=True, slots=True, eq=False)
class StringTable(Sequence[bytes]):
    """String n is `letters[ends[n]:ends[n + 1]]` in UTF-8."""

    letters: np.ndarray  # uint8
    ends: np.ndarray  # int64

    @classmethod
    def of(cls, strings: Iterable[bytes]) -> StringTable:
        """The table of the strings, in the given order."""
        return cls(*_joined(strings))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, position: int) -> bytes:  # type: ignore[override] # no slices, which would copy
        if not 0 <= position < len(self):
            raise IndexError(position)
        return bytes(self.letters[self.ends[position] : self.ends[position + 1]])

    def __iter__(self) -> Iterator[bytes]:
        text = self.letters.tobytes()
        return (text[start:end] for start, end in pairwise(self.ends.tolist()))


@dataclass(frozen=True, slots=True, eq=False)
class IdTable(Sequence[str]):
    """The ids of rows. `hashes` are the hashes of all ids in increasing order, `order` the row of each hash."""

    letters: np.ndarray  # uint8
    ends: np.ndarray  # int64
    hashes: np.ndarray  # uint64
    order: np.ndarray  # int32

    @classmethod
    def of(cls, ids: Iterable[str]) -> IdTable:
        """The table of ids by row."""
        known = list(ids)
        hashes = np.array([hash64(number) for number in known], dtype=np.uint64)
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        return cls(*_joined(number.encode("utf-8", "replace") for number in known), hashes[order], order)

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, row: int) -> str:  # type: ignore[override] # no slices, which would copy
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        row %= len(self)
        return bytes(self.letters[self.ends[row] : self.ends[row + 1]]).decode()

    def __iter__(self) -> Iterator[str]:
        text, bounds = self.letters.tobytes(), self.ends.tolist()
        if text.isascii():
            decoded = text.decode("ascii")
            return (decoded[start:end] for start, end in pairwise(bounds))
        return (text[start:end].decode() for start, end in pairwise(bounds))

    def row(self, number: str) -> int | None:
        """The row of an id; None if there is none."""
        wanted = np.uint64(hash64(number))
        for position in range(int(np.searchsorted(self.hashes, wanted)), len(self)):
            if self.hashes[position] != wanted:
                break
            if self[int(self.order[position])] == number:
                return int(self.order[position])
        return None

    def rows(self, ids: Sequence[str]) -> np.ndarray:
        """The row of each id, -1 where there is none; tables are compared by their hashes, without decoding ids."""
        if isinstance(ids, IdTable) and np.array_equal(self.hashes, ids.hashes) and _differ(self.hashes):
            rows = np.empty(len(ids), dtype=np.int64)
            rows[ids.order] = self.order
            return rows
        found = map(self.row, ids)
        return np.fromiter((-1 if row is None else row for row in found), np.int64, len(ids))

    def __contains__(self, number: object) -> bool:
        return isinstance(number, str) and self.row(number) is not None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, IdTable):
            return np.array_equal(self.ends, other.ends) and np.array_equal(self.letters, other.letters)
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


def _differ(ascending: np.ndarray) -> bool:
    return bool((ascending[1:] != ascending[:-1]).all())


def id_arrays(ids: IdTable) -> dict[str, np.ndarray]:
    """The arrays of a table by name, from which it can be made again."""
    return {each.name: getattr(ids, each.name) for each in fields(ids)}
