"""Calibration: how often documents at a score are cited, measured on held-out training queries, with an interval."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from foreart.search.score_parts import Chance

# Maximum number of steps, and the minimum of cited documents in each, so that its interval is narrow enough to use.
_MAX_STEPS, _MIN_CITED = 12, 25
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Calibration:
    """Steps of score, lowest first: the lower bound of each, its number of documents, and how many were cited."""

    floors: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    cited: tuple[int, ...] = ()


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
