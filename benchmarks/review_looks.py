"""Looks at the estimate of what is unread in simulated reviews: how often its interval held, and the stopping rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.learning.simulated_reviews import PlayedCase
from foreart.review.feedback import FeedbackWeights, GivenJudgements, reranked
from foreart.review.stopping import FEWEST, STEP, RecentFinds, StoppingModel, holds, unread_interval
from review_readers import Played, unread_places


@dataclass(frozen=True, slots=True)
class Moment:
    """One look at the estimate of a simulated review."""

    read: int
    found: int
    left: int
    low: int
    high: int
    middle: int


def looks(
    item: PlayedCase, reader: Played, weights: FeedbackWeights, model: StoppingModel, confidence: float
) -> list[Moment]:
    """The estimate after every tenth document that a reader read."""
    pool, moments, recent, done = item.pool(), [], RecentFinds(), 0
    chances = model.before.chances(item.scores)
    for count in range(STEP, min(len(reader.places), len(item.relevant) - 1) + 1, STEP):
        read, latest = np.sort(reader.places[:count]), reader.places[done:count]
        recent = recent.then(float(item.relevant[latest].sum()), float(chances[latest].sum()), len(latest))
        done = count
        now = reranked(pool, GivenJudgements(read, item.relevant[read].astype(np.float64)), weights)
        chances = model.after.chances(now.logits, count)
        unread = np.sort(chances[unread_places(read, len(chances))])[::-1]
        found = int(item.relevant[read].sum())
        said = unread_interval(model, recent, unread, confidence, read=count)
        moments.append(Moment(count, found, item.case.total - found, said.low, said.high, said.left))
    return moments


def coverage(reviews: Sequence[Sequence[Moment]]) -> dict[str, Any]:
    """How often the interval held the truth; where fewer than 3 were found nothing is said."""
    found = {}
    for name, at in (("all looks", None), *((str(read), read) for read in (20, 50, 100, 150, 200, 250))):
        said = [item for looked in reviews for item in looked if item.found >= FEWEST and at in (None, item.read)]
        if said:
            found[name] = {
                "looks": len(said),
                "held": round(float(np.mean([item.low <= item.left <= item.high for item in said])), 3),
                "truth_above": round(float(np.mean([item.left > item.high for item in said])), 3),
                "truth_below": round(float(np.mean([item.left < item.low for item in said])), 3),
                "median_width": float(np.median([item.high - item.low for item in said])),
                "recall_said": round(
                    float(np.mean([item.found / max(1, item.found + item.middle) for item in said])), 3
                ),
                "recall_true": round(float(np.mean([item.found / max(1, item.found + item.left) for item in said])), 3),
            }
    return found


def rule(reviews: Sequence[Sequence[Moment]], target: float) -> dict[str, Any]:
    """How often the rule fired within the depth, when, and how often it was right: it holds at two looks, ten apart."""
    at, right = [], []
    for looked in reviews:
        held = [holds(item.found, item.high, target) for item in looked]
        fired = next((place for place in range(1, len(held)) if held[place] and held[place - 1]), None)
        if fired is not None:
            item = looked[fired]
            at.append(item.read)
            right.append(item.found / (item.found + item.left) >= target)
    return {
        "fired": len(at),
        "of": len(reviews),
        "median_read": float(np.median(at)) if at else None,
        "right": round(float(np.mean(right)), 3) if right else None,
        "could_not": sum(unreachable(looked, target) for looked in reviews),
    }


def unreachable(looked: Sequence[Moment], target: float) -> bool:
    """Whether the recall was not reached at all, or too late for two looks."""
    reached = [item.found / (item.found + item.left) >= target for item in looked if item.found >= FEWEST]
    return sum(reached) < 2
