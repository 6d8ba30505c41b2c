"""Lists of different lengths, one a row, in two arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Row r has `values[starts[r]:starts[r + 1]]`."""

    starts: np.ndarray  # int64
    values: np.ndarray

    @classmethod
    def of(cls, rows: Iterable[np.ndarray]) -> Ragged:
        """The rows in their order."""
        parts = list(rows)
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        kind = parts[0].dtype if parts else np.dtype(np.uint64)
        return cls(starts, np.concatenate(parts) if parts else np.empty(0, kind))

    def row(self, number: int) -> np.ndarray:
        """The values of a row."""
        found: np.ndarray = self.values[self.starts[number] : self.starts[number + 1]]
        return found

    def incidence(self, columns: int) -> csr_array:
        """A matrix of ones where a row has a column; rows name each column once, in order."""
        ones = np.ones(len(self.values), dtype=np.float32)
        return csr_array((ones, self.values, self.starts), shape=(len(self.starts) - 1, columns))


def hashed(names: Iterable[str]) -> np.ndarray:
    """One number for each different name, in order."""
    found = {int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()) for name in names}
    return np.array(sorted(found), dtype=np.uint64)


def numbered(rows: Sequence[Ragged]) -> tuple[np.ndarray, list[Ragged]]:
    """All values of some lists in order, and the lists with the place of each value instead."""
    known = np.unique(np.concatenate([part.values for part in rows]))
    return known, [Ragged(part.starts, np.searchsorted(known, part.values).astype(np.int32)) for part in rows]


def overlap(rows: Ragged, wanted: np.ndarray) -> np.ndarray:
    """How many of the wanted values each row has."""
    if not len(wanted) or not len(rows.values):
        return np.zeros(len(rows.starts) - 1)
    hits = np.concatenate([[0], np.cumsum(np.isin(rows.values, wanted))])
    found: np.ndarray = (hits[rows.starts[1:]] - hits[rows.starts[:-1]]).astype(np.float64)
    return found
