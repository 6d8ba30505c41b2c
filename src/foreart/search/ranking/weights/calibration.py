"""Calibration: how often documents at a score are cited, measured on held-out training queries, with an interval."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from foreart.search.score_parts import Chance, DraftKind

# Maximum number of steps, and the minimum of cited documents in each, so that its interval is narrow enough to use.
_MAX_STEPS, _MIN_CITED = 12, 25
_Z = 1.959963984540054
# Training queries of each kind from which the kind of a draft can be learned.
_MIN_KIND = 20


@dataclass(frozen=True, slots=True)
class Calibration:
    """Steps of score, lowest first: the lower bound of each, its number of documents, and how many were cited."""

    floors: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    cited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KindRule:
    """A draft has siblings in the corpus if its nearest neighbour shares at least `threshold` of its citations.

    That is an estimate of the model of neighbours. `right` is the share of training queries for which it was right,
    mean of those with siblings and those without.
    """

    threshold: float
    right: float

    def kind(self, share: float) -> DraftKind:
        """The kind of a draft whose nearest neighbour shares this part of its citations."""
        return "warm" if share >= self.threshold else "cold"


def kind_rule(warm: np.ndarray, cold: np.ndarray) -> KindRule | None:
    """The threshold that separates estimates of drafts with siblings and without best; None if there are too few."""
    if min(len(warm), len(cold)) < _MIN_KIND:
        return None
    thresholds = np.unique(np.concatenate([warm, cold]))
    above = 1.0 - np.searchsorted(np.sort(warm), thresholds, side="left") / len(warm)
    below = np.searchsorted(np.sort(cold), thresholds, side="left") / len(cold)
    right = (above + below) / 2.0
    best = int(np.argmax(right))
    return KindRule(float(thresholds[best]), float(right[best]))


def calibrate(scores: np.ndarray, cited: np.ndarray) -> Calibration:
    """Steps with about equal numbers of cited documents, pooled so that shares never fall as scores rise."""
    order = np.argsort(-scores, kind="stable")
    falling = -scores[order]
    marks = np.cumsum(cited[order])
    total = int(marks[-1]) if len(marks) else 0
    if not total:
        return Calibration()
    wanted = max(_MIN_CITED, -(-total // _MAX_STEPS))
    # Equal scores belong to one step.
    ends = [
        int(np.searchsorted(falling, falling[np.searchsorted(marks, done)], side="right"))
        for done in range(wanted, total, wanted)
    ]
    steps: list[list[float]] = []  # floor, documents, cited; best step first
    start = 0
    for end in [*ends, len(order)]:
        if end > start:
            steps.append([float(scores[order[end - 1]]), end - start, float(cited[order[start:end]].sum())])
            while len(steps) > 1 and steps[-1][2] * steps[-2][1] > steps[-2][2] * steps[-1][1]:
                floor, documents, hits = steps.pop()
                steps[-1] = [floor, steps[-1][1] + documents, steps[-1][2] + hits]
            start = end
    lowest_first = steps[::-1]
    return Calibration(
        tuple(step[0] for step in lowest_first),
        tuple(int(step[1]) for step in lowest_first),
        tuple(int(step[2]) for step in lowest_first),
    )


def chance(calibration: Calibration, score: float) -> Chance | None:
    """The share of the step that a score is in; None if nothing was calibrated."""
    if not calibration.floors:
        return None
    step = max(0, bisect_right(calibration.floors, score) - 1)
    documents, cited = calibration.counts[step], calibration.cited[step]
    share = cited / documents
    centre = (share + _Z**2 / (2 * documents)) / (1 + _Z**2 / documents)
    spread = _Z / (1 + _Z**2 / documents) * np.sqrt(share * (1 - share) / documents + _Z**2 / (4 * documents**2))
    low, high = max(0.0, centre - float(spread)), min(1.0, centre + float(spread))
    return Chance(share, min(low, share), max(high, share), cited, documents)
