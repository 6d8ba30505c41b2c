"""Here is a row, give me all others in order of likeness: exact cosine over sparse rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

# Rows of one step: the double-precision copy of a step's weights stays small while the arrays are memory-mapped.
_STEP = 4096


class Rows:
    """Sparse rows with an id each. The arrays are those of a CSR matrix and may lie in files."""

    def __init__(
        self, ids: Sequence[str], data: np.ndarray, columns: np.ndarray, ends: np.ndarray, *, width: int
    ) -> None:
        self.ids = ids
        self.data = data
        self.columns = columns
        self.ends = ends
        self.width = width

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length (L2) of each row."""
        squares = np.zeros(len(self))
        for start, part in self._steps():
            part.data **= 2
            squares[start : start + part.shape[0]] = part @ np.ones(self.width)
        return np.sqrt(squares)

    @cached_property
    def _order(self) -> np.ndarray:
        """The place of each row in the order of ids."""
        places = np.empty(len(self), dtype=np.int64)
        places[np.argsort(np.array(self.ids, dtype=object), kind="stable")] = np.arange(len(self))
        return places

    def row_of(self, number: str) -> int:
        """The row of an id; KeyError if there is none."""
        return self._rows[number]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {number: row for row, number in enumerate(self.ids)}

    def scores(self, query: csr_array) -> np.ndarray:
        """The cosine of a query row with every row; 0 where either is empty."""
        dense = np.zeros(self.width)
        dense[query.indices] = query.data
        length = float(np.linalg.norm(query.data))
        found = np.zeros(len(self))
        if length == 0.0:
            return found
        for start, part in self._steps():
            found[start : start + part.shape[0]] = part @ dense
        return np.divide(found, self.lengths * length, out=np.zeros(len(self)), where=self.lengths > 0)

    def ranked(self, scores: np.ndarray) -> np.ndarray:
        """All rows with a score above 0, best first, equal ones in order of id."""
        order = np.lexsort((self._order, -scores))
        return order[scores[order] > 0]

    def top(self, query: csr_array, k: int) -> list[tuple[str, float]]:
        """The ids and scores of the k nearest rows."""
        scores = self.scores(query)
        return [(self.ids[row], float(scores[row])) for row in self.ranked(scores)[:k]]

    def explain(self, query: csr_array, row: int) -> list[tuple[int, float]]:
        """What each shared column adds to the score of a row, greatest first; the sum is the score."""
        start, end = self.ends[row], self.ends[row + 1]
        columns = self.columns[start:end]
        length = float(np.linalg.norm(query.data)) * float(self.lengths[row])
        dense = dict(zip(query.indices.tolist(), query.data.tolist(), strict=True))
        weights = self.data[start:end].astype(np.float64)
        shared = [
            (column, dense[column] * weight / length)
            for column, weight in zip(columns.tolist(), weights.tolist(), strict=True)
            if column in dense
        ]
        return sorted(shared, key=lambda item: (-item[1], item[0]))

    def _steps(self) -> Iterator[tuple[int, csr_array]]:
        """The rows in double precision, a few thousand at a time, each time with the number of the first."""
        for start in range(0, len(self), _STEP):
            ends = np.asarray(self.ends[start : start + _STEP + 1])
            data = self.data[ends[0] : ends[-1]].astype(np.float64)
            columns = np.asarray(self.columns[ends[0] : ends[-1]])
            yield start, csr_array((data, columns, ends - ends[0]), shape=(len(ends) - 1, self.width))
