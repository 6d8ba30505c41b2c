"""Hubs: documents that rank high for many drafts, whatever their subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.learning.examples import Examples

# Documents that keep their own value; the others get the mean.
_KEPT = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Hubs:
    """The mean similarity of each document to later drafts, relative to the maximum of each draft."""

    column: np.ndarray
    mean: float

    def largest(self, ids: Sequence[str]) -> dict[str, float]:
        """The strongest hubs, by id."""
        order = np.argsort(-self.column, kind="stable")[:_KEPT]
        return {ids[row]: float(self.column[row]) for row in order.tolist() if self.column[row] > self.mean}


def hubs_of(examples: Examples, rows: Sequence[int]) -> Hubs:
    """The hubs of some training queries among the documents known to them."""
    total = np.zeros(len(examples.inputs.view))
    queries = np.zeros_like(total)
    for row in rows:
        features = examples[row].features
        total += np.where(features.known, features.relative["words"], 0.0)
        queries += features.known
    column = np.where(queries > 0, total / np.maximum(queries, 1), 0.0)
    mean = float(column[queries > 0].mean()) if (queries > 0).any() else 0.0
    kept = np.sort(-column)[: _KEPT + 1]
    threshold = max(mean, float(-kept[-1])) if len(kept) > _KEPT else mean
    return Hubs(np.where(column > threshold, column, mean), mean)
