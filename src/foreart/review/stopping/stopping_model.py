"""The learned model of the unread: chances, how finds differ from them between matters, and checked levels."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foreart.review.stopping.chance_curve import ChanceCurve
from foreart.review.stopping.gamma_poisson import GammaPrior, unread_mean, unread_quantile
from foreart.review.stopping.recalibration import Levels
from foreart.review.stopping.recent_finds import RecentFinds
from foreart.review.stopping.unread_estimate import NEXT

# Levels are of moments at which about as many were expected to be unread: a draft that cites many documents is, after a
# hundred of them, where one that cites few was after thirty.
EDGES = (0.3, 1.0, 2.5, 6.0)
# Chances behind this rank rest on few cited documents.
FAR = 1000
# No quantile is taken above this level.
_HIGHEST = 1.0 - 1e-6


@dataclass(frozen=True, slots=True)
class StoppingModel:
    """`before` gives chances before any judgement, `after` those of unread documents, times `scale` in sum.

    `levels` has those of each range of EDGES, `reviews` is how many simulated reviews all of it was learned from.
    """

    before: ChanceCurve
    after: ChanceCurve
    prior: GammaPrior
    scale: float
    levels: tuple[Levels, ...]
    reviews: int

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class UnreadInterval:
    """How many relevant documents are unread: mean, median, and the ends of the interval."""

    mean: float
    left: int
    low: int
    high: int
    ahead: float
    beyond: float


def stopping_model_of(record: Mapping[str, Any]) -> StoppingModel:
    """The model of its JSON form; KeyError, TypeError or ValueError if that is not one."""
    levels = tuple(
        Levels(tuple(item["below"]), tuple(item["under"]), int(item["reviews"])) for item in record["levels"]
    )
    if len(levels) != len(EDGES) + 1:
        raise ValueError("the levels are not those of this version")
    before, after = (ChanceCurve(**record[name]) for name in ("before", "after"))
    prior, scale, reviews = GammaPrior(**record["prior"]), float(record["scale"]), int(record["reviews"])
    return StoppingModel(before, after, prior, scale, levels, reviews)


def level_of(mean: float) -> int:
    """Which levels hold where so many are expected to be unread."""
    return bisect_right(EDGES, mean)


def unread_interval(
    model: StoppingModel, recent: RecentFinds, chances: np.ndarray, confidence: float
) -> UnreadInterval:
    """The estimate from the chances of unread documents, those to be read first in front."""
    expected = float(chances.sum()) * model.scale
    given = (model.prior, recent.found, recent.expected, expected)
    mean = float(unread_mean(*given))
    low, high = model.levels[level_of(mean)].interval(confidence)
    counts = (int(unread_quantile(*given, min(level, _HIGHEST))) for level in (min(low, 0.5), 0.5, high))
    least, left, most = counts
    total = max(float(chances.sum()), 1e-300)
    shares = (float(part.sum()) / total for part in (chances[:NEXT], chances[FAR:]))
    return UnreadInterval(mean, left, least, most, mean * next(shares), next(shares))
