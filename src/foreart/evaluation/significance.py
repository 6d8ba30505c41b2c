"""Confidence intervals of metrics, and significance tests between runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.errors import ForeartError
from foreart.evaluation.evaluation import Evaluation
from foreart.evaluation.resampling import resampled

SAMPLES = 1000
FLIPS = 10_000
LEVEL = 0.95
_EQUAL = 1e-12
_STEP = 1024


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two runs on one metric. `difference` is other − baseline; queries count as won where the other is better.

    `p` is that of the paired randomisation test; for a pooled metric it is from the bootstrap, because scores of two
    systems cannot be exchanged. `interval` is that of the difference, always from the bootstrap.
    """

    metric: str
    baseline: str
    other: str
    baseline_value: float
    other_value: float
    difference: float
    interval: Interval
    p: float
    wins: int
    ties: int
    losses: int


def intervals(
    evaluation: Evaluation, *, samples: int = SAMPLES, level: float = LEVEL, seed: int = 1
) -> dict[str, Interval]:
    """The percentile bootstrap interval of each metric: queries are resampled with all their pairs."""
    drawn = _drawn(evaluation, samples, seed)
    return {metric: _interval(values, level) for metric, values in drawn.items()}


def randomisation(one: np.ndarray, other: np.ndarray, *, samples: int = FLIPS, seed: int = 1) -> float:
    """The two-sided p of the paired randomisation test: how often random signs give a difference at least as large.

    All signs are tried if they are at most `samples`; otherwise that many are drawn, and the observed one is included
    (Smucker, Allan & Carterette 2007).
    """
    all_differences = np.asarray(other, dtype=np.float64) - np.asarray(one, dtype=np.float64)
    differences = all_differences[~np.isnan(all_differences) & (np.abs(all_differences) > _EQUAL)]
    observed = abs(float(differences.sum())) * (1 - _EQUAL)
    if 2 ** min(len(differences), 60) <= samples:
        signs = 1 - 2 * ((np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences))) & 1)
        return float((np.abs(signs @ differences) >= observed).mean())
    return (1 + _count_as_large(differences, observed, samples, seed)) / (1 + samples)


def wins_ties_losses(one: np.ndarray, other: np.ndarray) -> tuple[int, int, int]:
    """The number of queries for which the other is better, equal and worse."""
    differences = other - one
    differences = differences[~np.isnan(differences)]
    return (
        int((differences > _EQUAL).sum()),
        int((np.abs(differences) <= _EQUAL).sum()),
        int((differences < -_EQUAL).sum()),
    )


def compare(
    evaluations: Mapping[str, Evaluation],
    *,
    samples: int = SAMPLES,
    flips: int = FLIPS,
    level: float = LEVEL,
    seed: int = 1,
) -> tuple[Contrast, ...]:
    """Each run against the first, on every metric; all must be evaluated on the same queries and metrics."""
    (baseline, first), *rest = evaluations.items()
    for name, evaluation in rest:
        if (evaluation.queries, list(evaluation.values)) != (first.queries, list(first.values)):
            raise ForeartError(f"{name} and {baseline} were not evaluated on the same queries and metrics")
    drawn = {name: _drawn(evaluation, samples, seed) for name, evaluation in evaluations.items()}
    contrasts: list[Contrast] = []
    for name, evaluation in rest:
        for requested in evaluation.metrics:
            metric = requested.text
            one, other = first.per_query[metric], evaluation.per_query[metric]
            differences = drawn[name][metric] - drawn[baseline][metric]
            p = (
                _beyond_zero(differences)
                if requested.metric.pooled
                else randomisation(one, other, samples=flips, seed=seed)
            )
            values = (first.values[metric], evaluation.values[metric])
            counts = wins_ties_losses(one, other)
            contrasts.append(
                Contrast(
                    metric, baseline, name, *values, values[1] - values[0], _interval(differences, level), p, *counts
                )
            )
    return tuple(contrasts)


def _drawn(evaluation: Evaluation, samples: int, seed: int) -> dict[str, np.ndarray]:
    if samples < 1:
        raise ForeartError(f"an interval needs at least 1 sample, not {samples}")
    return resampled(evaluation, samples=samples, seed=seed)


def _interval(values: np.ndarray, level: float) -> Interval:
    if not 0 < level < 1:
        raise ForeartError(f"the level of an interval is {level}; it must be between 0 and 1")
    known = values[~np.isnan(values)]
    if not len(known):
        return Interval(float("nan"), float("nan"))
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _beyond_zero(differences: np.ndarray) -> float:
    """The two-sided p of a bootstrap: how often the difference is 0 or has the other sign."""
    known = differences[~np.isnan(differences)]
    sides = (float((known <= 0).sum()), float((known >= 0).sum()))
    return min(1.0, 2 * (1 + min(sides)) / (1 + len(known)))


def _count_as_large(differences: np.ndarray, observed: float, samples: int, seed: int) -> int:
    """How many of the drawn signs give a sum at least as large, in batches that need little memory."""
    random = np.random.default_rng(seed)
    found = 0
    for start in range(0, samples, _STEP):
        signs = 1.0 - 2.0 * random.integers(0, 2, (min(_STEP, samples - start), len(differences)))
        found += int((np.abs(signs @ differences) >= observed).sum())
    return found
