"""Levels of quantiles that cover what they promise, from where the truth was in past reviews (split conformal)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np

# How many points of a distribution are kept.
_POINTS = 200


@dataclass(frozen=True, slots=True)
class Levels:
    """Where the truth was in predicted distributions of held-out reviews, as quantiles of its probabilities.

    `below` are of P(M ≤ truth), `under` of P(M < truth); both ascend. `reviews` is how many there were.
    """

    below: tuple[float, ...] = ()
    under: tuple[float, ...] = ()
    reviews: int = 0

    def interval(self, confidence: float) -> tuple[float, float]:
        """The levels of the lower and the upper end of an interval that held the truth so often."""
        tail = (1.0 - confidence) / 2.0
        if not self.reviews:
            return tail, 1.0 - tail
        # One review more, whose truth may be anywhere, is counted: the correction of conformal prediction.
        low = floor((self.reviews + 1) * tail) / self.reviews
        high = min(1.0, ceil((self.reviews + 1) * (1.0 - tail)) / self.reviews)
        return _at(self.below, low), max(_at(self.under, high), 0.5)


def levels_of(below: np.ndarray, under: np.ndarray, reviews: int, counts: np.ndarray | None = None) -> Levels:
    """From the probabilities at all moments of so many reviews; each moment counts once, or as often as `counts`."""
    shares = np.linspace(0.0, 1.0, _POINTS + 1)
    weights = np.ones(len(below)) if counts is None else counts
    kept = [
        tuple(np.quantile(values, shares, method="inverted_cdf", weights=weights).tolist()) for values in (below, under)
    ]
    return Levels(kept[0], kept[1], reviews)


def _at(points: Sequence[float], share: float) -> float:
    """The quantile of a share, the one above it between two points for high shares, below it for low ones."""
    place = share * (len(points) - 1)
    return float(points[ceil(place - 1e-9) if share > 0.5 else floor(place + 1e-9)])
