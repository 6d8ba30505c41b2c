"""The second stage: adds the remaining words of the query to as many candidates as necessary.

The words that the first stage left out add a gain to every document. Candidates are completed in the order of the first
stage, and their gains give an estimate of mean and spread, until the next candidate would need an improbable gain to
be among the best.
"""

from __future__ import annotations

import numpy as np

from foreart.index.query.splitting import Split
from foreart.index.scoring.sums import Sums
from foreart.parallel import parallel_map

# Candidates per result that are completed first, to estimate the gains.
_FIRST = 3
# Limit of the growth of completed candidates per step.
_GROWTH = 3
# The smallest number of candidates for which threads are used.
_MIN_PARALLEL = 256


def completed(
    sums: Sums,
    split: Split,
    near: tuple[np.ndarray, np.ndarray],
    k: int,
    *,
    limit: int,
    sure: float,
    share: float,
    threads: int,
) -> np.ndarray:
    """The positions of the documents that may be the k best, in order, among the `limit` best of the first stage.

    `near` are at least those, and their sums. It stops when a document would need a gain of `sure` standard deviations
    above the mean.
    """
    order = np.argsort(-near[1], kind="stable")[:limit]
    positions, values = near[0][order], near[1][order].astype(np.float64)
    gains, done = np.empty(len(positions)), 0
    wanted = min(_FIRST * k, len(positions))
    while done < wanted:
        # In steps: better estimates of the gains reduce the number of candidates.
        end = min(wanted, _GROWTH * done or wanted)
        gains[done:end] = _gains(sums, split, positions[done:end], threads)
        done = end
        wanted = _wanted(values, gains[:done], k, sure)
    complete = values[:done] + gains[:done]
    if done > k:
        positions = positions[:done][complete >= share * np.partition(complete, done - k)[done - k]]
    return np.sort(positions[:done])


def _wanted(values: np.ndarray, gains: np.ndarray, k: int, sure: float) -> int:
    """The number of candidates that may be among the best, by the known gains."""
    done = len(gains)
    if done < k:
        return len(values)
    kth = np.partition(values[:done] + gains, done - k)[done - k]
    threshold = kth - gains.mean() - sure * gains.std()
    return int(np.searchsorted(-values, -threshold, side="right"))


def _gains(sums: Sums, split: Split, positions: np.ndarray, threads: int) -> np.ndarray:
    order = np.argsort(positions)
    tasks = sums.by_segment(positions[order])
    gains = np.empty(len(positions), dtype=np.float32)
    threads = threads if len(positions) > _MIN_PARALLEL else 1
    gains[order] = np.concatenate(parallel_map(lambda task: split.gains(*task), tasks, threads))
    return gains
