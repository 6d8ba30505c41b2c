"""Here is a row, give me all others in order of likeness: exact, over sparse or dense rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.features import RowArray

# Documents of one step: the double-precision copy of a step's numbers stays small while the arrays are memory-mapped.
_STEP = 4096


class Rows(ABC):
    """One or more rows a document, with an id each. The arrays may lie in files."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids

    def __len__(self) -> int:
        return len(self.ids)

    def row_of(self, number: str) -> int:
        """The row of an id; KeyError if there is none."""
        return self._rows[number]

    @abstractmethod
    def scores(self, query: RowArray, *, measure: str = "cosine") -> np.ndarray:
        """The score of every document with a query row; 0 where either is empty."""

    @abstractmethod
    def shares(self, parts: RowArray, row: int, *, measure: str = "cosine") -> np.ndarray:
        """What each part of a query adds to the score of a document; the sum is the score."""

    def ranked(self, scores: np.ndarray) -> np.ndarray:
        """All documents with a score above 0, best first, equal ones in order of id."""
        order = np.lexsort((self._order, -scores))
        return order[scores[order] > 0]

    def top(self, query: RowArray, k: int, *, measure: str = "cosine") -> list[tuple[str, float]]:
        """The ids and scores of the k nearest documents."""
        scores = self.scores(query, measure=measure)
        return [(self.ids[row], float(scores[row])) for row in self.ranked(scores)[:k]]

    @cached_property
    def _order(self) -> np.ndarray:
        """The place of each row in the order of ids."""
        places = np.empty(len(self), dtype=np.int64)
        places[np.argsort(np.array(self.ids, dtype=object), kind="stable")] = np.arange(len(self))
        return places

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {number: row for row, number in enumerate(self.ids)}


class SparseRows(Rows):
    """The arrays of a CSR matrix."""

    def __init__(
        self, ids: Sequence[str], data: np.ndarray, columns: np.ndarray, ends: np.ndarray, *, width: int
    ) -> None:
        super().__init__(ids)
        self.data = data
        self.columns = columns
        self.ends = ends
        self.width = width

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length (L2) of each row."""
        squares = np.zeros(len(self))
        for start, part in self._steps():
            part.data **= 2
            squares[start : start + part.shape[0]] = part @ np.ones(self.width)
        return np.sqrt(squares)

    def scores(self, query: RowArray, *, measure: str = "cosine") -> np.ndarray:
        """The products of a query row with every row, divided by both lengths if the measure is cosine."""
        asked = csr_array(query)
        dense = np.zeros(self.width)
        dense[asked.indices] = asked.data
        found = np.zeros(len(self))
        if not asked.nnz:
            return found
        for start, part in self._steps():
            found[start : start + part.shape[0]] = part @ dense
        if measure == "linear":
            return found
        return _divided(found, self.lengths * float(np.linalg.norm(asked.data)))

    def shares(self, parts: RowArray, row: int, *, measure: str = "cosine") -> np.ndarray:
        """Products of each part with the document's row."""
        start, end = self.ends[row], self.ends[row + 1]
        document = np.zeros(self.width)
        document[np.asarray(self.columns[start:end])] = self.data[start:end]
        asked = csr_array(parts)
        products = np.asarray(asked @ document)
        if measure == "linear":
            return products
        length = float(np.linalg.norm(asked.sum(axis=0))) * float(self.lengths[row])
        return products / length if length else products

    def _steps(self) -> Iterator[tuple[int, csr_array]]:
        """The rows in double precision, a few thousand at a time, each time with the number of the first."""
        for start in range(0, len(self), _STEP):
            ends = np.asarray(self.ends[start : start + _STEP + 1])
            data = self.data[ends[0] : ends[-1]].astype(np.float64)
            columns = np.asarray(self.columns[ends[0] : ends[-1]])
            yield start, csr_array((data, columns, ends - ends[0]), shape=(len(ends) - 1, self.width))


class DenseRows(Rows):
    """A matrix. Where a document has several rows (passages), `groups` says where each begins; the best one counts."""

    def __init__(self, ids: Sequence[str], data: np.ndarray, groups: np.ndarray | None = None) -> None:
        super().__init__(ids)
        self.data = data
        self.groups = groups

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length (L2) of each row of the matrix."""
        return np.concatenate([np.linalg.norm(part, axis=1) for _, part in self._steps()] or [np.empty(0)])

    def scores(self, query: RowArray, *, measure: str = "cosine") -> np.ndarray:
        """The products of a query row with every row, divided by both lengths if the measure is cosine."""
        asked = np.asarray(query, dtype=np.float64).ravel()
        found = np.zeros(len(self.data))
        for start, part in self._steps():
            found[start : start + len(part)] = part @ asked
        if measure != "linear":
            found = _divided(found, self.lengths * float(np.linalg.norm(asked)))
        return found if self.groups is None else self._best(found)

    def shares(self, parts: RowArray, row: int, *, measure: str = "cosine") -> np.ndarray:
        """Products of each part with the document's row, or with the best of its rows."""
        asked = np.asarray(parts, dtype=np.float64)
        whole = asked.sum(axis=0)
        first, end = (row, row + 1) if self.groups is None else (self.groups[row], self.groups[row + 1])
        rows = np.asarray(self.data[first:end], dtype=np.float64)
        if not len(rows):
            return np.zeros(len(asked))
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(whole) if measure != "linear" else np.ones(len(rows))
        best = int(np.argmax(_divided(rows @ whole, lengths)))
        return _divided(asked @ rows[best], np.full(len(asked), lengths[best]))

    def _best(self, scores: np.ndarray) -> np.ndarray:
        groups = np.asarray(self.groups)
        found = np.zeros(len(self))
        filled = np.diff(groups) > 0
        if filled.any():
            found[filled] = np.maximum.reduceat(scores, groups[:-1][filled])
        return found

    def _steps(self) -> Iterator[tuple[int, np.ndarray]]:
        for start in range(0, len(self.data), _STEP):
            yield start, self.data[start : start + _STEP].astype(np.float64)


def _divided(products: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    quotients: np.ndarray = np.divide(products, lengths, out=np.zeros(len(products)), where=lengths > 0)
    return quotients
