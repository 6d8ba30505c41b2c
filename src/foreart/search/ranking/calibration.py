"""How often a document at a score is cited: counted on drafts that were not learned from, with an interval."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from foreart.search.ranker import Chance

# At most so many steps; a step has this many cited documents at least, so that its interval says something.
_STEPS, _LEAST = 12, 25
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Calibration:
    """Steps of score, lowest first: where each begins, how many documents it had, and how many of them were cited."""

    floors: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    cited: tuple[int, ...] = ()


def calibrate(scores: np.ndarray, cited: np.ndarray) -> Calibration:
    """Steps that hold about as many cited documents each, pooled where shares would fall as scores rise."""
    order = np.argsort(-scores, kind="stable")
    falling = -scores[order]
    marks = np.cumsum(cited[order])
    total = int(marks[-1]) if len(marks) else 0
    if not total:
        return Calibration()
    wanted = max(_LEAST, -(-total // _STEPS))
    # Equal scores are of one step.
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
    """What the step of a score says; None if nothing was calibrated."""
    if not calibration.floors:
        return None
    step = max(0, bisect_right(calibration.floors, score) - 1)
    documents, cited = calibration.counts[step], calibration.cited[step]
    share = cited / documents
    centre = (share + _Z**2 / (2 * documents)) / (1 + _Z**2 / documents)
    spread = _Z / (1 + _Z**2 / documents) * np.sqrt(share * (1 - share) / documents + _Z**2 / (4 * documents**2))
    low, high = max(0.0, centre - float(spread)), min(1.0, centre + float(spread))
    return Chance(share, min(low, share), max(high, share), cited, documents)
