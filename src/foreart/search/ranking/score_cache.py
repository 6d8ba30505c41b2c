"""The scores of one draft that are known already, by document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np


class ScoreCache:
    """Columns of numbers for some rows, ascending; each row is computed once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._rows: np.ndarray = np.empty(0, dtype=np.int64)
        self._columns: dict[str, np.ndarray] = {name: np.empty(0) for name in names}

    def __len__(self) -> int:
        """How many numbers are cached."""
        return len(self._rows) * len(self._columns)

    def missing(self, rows: np.ndarray) -> np.ndarray:
        """Those of some rows, ascending, that are not known."""
        return np.setdiff1d(rows, self._rows, assume_unique=True)

    def add(self, rows: np.ndarray, columns: Mapping[str, np.ndarray]) -> None:
        """Adds rows that were missing, with all columns."""
        every = np.concatenate([self._rows, rows])
        order = np.argsort(every, kind="stable")
        for name, values in columns.items():
            self._columns[name] = np.concatenate([self._columns[name], values])[order]
        self._rows = every[order]

    def at(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The columns of rows that are known."""
        places = np.searchsorted(self._rows, rows)
        return {name: values[places] for name, values in self._columns.items()}
