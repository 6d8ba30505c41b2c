"""The mask of a filter and its count, computed once because a pass over a million rows takes time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """A mask over rows, and the number of allowed rows."""

    rows: np.ndarray
    count: int

    @property
    def share(self) -> float:
        """The share of allowed rows."""
        return self.count / max(len(self.rows), 1)


def allowed_by(mask: np.ndarray | None) -> Allowed | None:
    """The filter of a mask; None (all rows) without one."""
    return None if mask is None else Allowed(mask, int(np.count_nonzero(mask)))
