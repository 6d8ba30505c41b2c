"""Which documents a filter lets through, counted once: a pass over a million of them is not for nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """A mask over rows, and how many rows it lets through."""

    rows: np.ndarray
    number: int

    @property
    def share(self) -> float:
        """Of all rows."""
        return self.number / max(len(self.rows), 1)


def allowed_by(mask: np.ndarray | None) -> Allowed | None:
    """What a mask lets through; None, which is all, without one."""
    return None if mask is None else Allowed(mask, int(np.count_nonzero(mask)))
