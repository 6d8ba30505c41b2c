"""The learned model of the unread: chances, how finds differ from them between matters, and checked levels."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
# Until so many documents are read the levels are also those of warm reviews, of cold ones and of long lists at such
# moments: early finds do not tell which of these a draft is, and the end that is farther out counts.
EARLY = (30, 70)
# Chances behind this rank rest on few cited documents.
FAR = 1000
# No quantile is taken above this level.
_HIGHEST = 1.0 - 1e-6


@dataclass(frozen=True, slots=True)
class StoppingModel:
    """`before` gives chances before any judgement, `after` those of unread documents, times `scale` in sum.

    `levels` has those of each range of EDGES, `early` those of each kind of review in each range of EARLY, and
    `reviews` is how many simulated reviews all of it was learned from.
    """

    before: ChanceCurve
    after: ChanceCurve
    prior: GammaPrior
    scale: float
    levels: tuple[Levels, ...]
    reviews: int
    early: tuple[tuple[Levels, ...], ...] = ()

    def interval_levels(self, mean: float, read: int, confidence: float) -> tuple[float, float]:
        """The levels of the ends where so many are expected to be unread after so many were read."""
        kinds = self.early[bisect_left(EARLY, read)] if self.early and read <= EARLY[-1] else ()
        ends = [item.interval(confidence) for item in (self.levels[level_of(mean)], *kinds)]
        return min(low for low, _ in ends), max(high for _, high in ends)

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
    levels = tuple(map(_levels_of_record, record["levels"]))
    early = tuple(tuple(map(_levels_of_record, kinds)) for kinds in record.get("early", ()))
    if early and len(early) != len(EARLY):
        raise ValueError("the early levels are not those of this version")
    if len(levels) != len(EDGES) + 1:
        raise ValueError("the levels are not those of this version")
    before, after = (ChanceCurve(**record[name]) for name in ("before", "after"))
    prior, scale, reviews = GammaPrior(**record["prior"]), float(record["scale"]), int(record["reviews"])
    return StoppingModel(before, after, prior, scale, levels, reviews, early)


def _levels_of_record(item: Mapping[str, Any]) -> Levels:
    return Levels(tuple(item["below"]), tuple(item["under"]), int(item["reviews"]))


def level_of(mean: float) -> int:
    """Which levels hold where so many are expected to be unread."""
    return bisect_right(EDGES, mean)


def unread_interval(
    model: StoppingModel, recent: RecentFinds, chances: np.ndarray, confidence: float, *, read: int
) -> UnreadInterval:
    """The estimate after `read` documents from the chances of unread ones, those to be read first in front."""
    expected = float(chances.sum()) * model.scale
    given = (model.prior, recent.found, recent.expected, expected)
    mean = float(unread_mean(*given))
    low, high = model.interval_levels(mean, read, confidence)
    counts = (int(unread_quantile(*given, min(level, _HIGHEST))) for level in (min(low, 0.5), 0.5, high))
    least, left, most = counts
    total = max(float(chances.sum()), 1e-300)
    shares = (float(part.sum()) / total for part in (chances[:NEXT], chances[FAR:]))
    return UnreadInterval(mean, left, least, most, mean * next(shares), next(shares))
