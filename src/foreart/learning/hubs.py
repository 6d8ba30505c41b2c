"""Documents that come up for many drafts, whatever those are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.learning.lessons import Lessons

# The others are taken for the mean.
_KEPT = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Hubs:
    """The mean likeness of each document to the drafts that came after it, as a share of the greatest of each."""

    column: np.ndarray
    mean: float

    def greatest(self, ids: Sequence[str]) -> dict[str, float]:
        """The documents that come up most, by id."""
        order = np.argsort(-self.column, kind="stable")[:_KEPT]
        return {ids[row]: float(self.column[row]) for row in order.tolist() if self.column[row] > self.mean}


def hubs_of(lessons: Lessons, rows: Sequence[int]) -> Hubs:
    """Counted on documents that play the draft."""
    total = np.zeros(len(lessons.ground.bibliography))
    times = np.zeros_like(total)
    for row in rows:
        beside = lessons[row].beside
        total += np.where(beside.known, beside.relative["words"], 0.0)
        times += beside.known
    column = np.where(times > 0, total / np.maximum(times, 1), 0.0)
    mean = float(column[times > 0].mean()) if (times > 0).any() else 0.0
    kept = np.sort(-column)[: _KEPT + 1]
    least = max(mean, float(-kept[-1])) if len(kept) > _KEPT else mean
    return Hubs(np.where(column > least, column, mean), mean)
