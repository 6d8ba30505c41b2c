"""Documents that come up for many drafts, whatever those are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.learning.examples import Examples

# The others get the mean.
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


def hubs_of(examples: Examples, rows: Sequence[int]) -> Hubs:
    """The hubs among the documents known to some training queries."""
    total = np.zeros(len(examples.inputs.view))
    times = np.zeros_like(total)
    for row in rows:
        features = examples[row].features
        total += np.where(features.known, features.relative["words"], 0.0)
        times += features.known
    column = np.where(times > 0, total / np.maximum(times, 1), 0.0)
    mean = float(column[times > 0].mean()) if (times > 0).any() else 0.0
    kept = np.sort(-column)[: _KEPT + 1]
    least = max(mean, float(-kept[-1])) if len(kept) > _KEPT else mean
    return Hubs(np.where(column > least, column, mean), mean)
