"""Bootstrap samples of the queries, and every metric over each sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foreart.evaluation.evaluation import Evaluation
from foreart.evaluation.pairs.labelled import Labelled
from foreart.evaluation.pairs.pooled import tied

_NUMBERS = 1 << 24  # of one array: 128 MB


def resampled(evaluation: Evaluation, *, samples: int, seed: int) -> dict[str, np.ndarray]:
    """Every metric over queries drawn with replacement; the same draws for every run of as many queries."""
    parts: dict[str, list[np.ndarray]] = {asked.text: [] for asked in evaluation.metrics}
    for weights in _draws(len(evaluation.queries), samples, seed):
        pooled = {}
        if evaluation.pairs is not None:
            pooled = dict(zip(("auc", "ap"), _pooled(evaluation.pairs, weights, evaluation.tie_tolerance), strict=True))
        for asked in evaluation.metrics:
            if asked.metric.pooled is not None:
                parts[asked.text].append(pooled[asked.metric.name])
            else:
                parts[asked.text].append(evaluation.per_query[asked.text] @ weights / len(evaluation.queries))
    return {metric: np.concatenate(found) for metric, found in parts.items()}


def _draws(queries: int, samples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each query (a row) is drawn in each sample (a column), some samples at a time."""
    random = np.random.default_rng(seed)
    step = max(1, _NUMBERS // queries)
    for start in range(0, samples, step):
        drawn = (random.integers(0, queries, queries) for _ in range(min(step, samples - start)))
        yield np.stack([np.bincount(places, minlength=queries) for places in drawn], axis=1).astype(np.float64)


def _pooled(pairs: Labelled, weights: np.ndarray, tie_tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """AUC and AP of all pairs in every sample; NaN where a sample has pairs of one label only.

    Only how many negatives of which query score above a positive is counted, once; a sample then weighs the counts.
    """
    found, own, negatives = _levels(pairs, tie_tolerance)
    sizes = np.array([len(levels) for levels in negatives], dtype=np.float64)
    every_positive = np.bincount(own, minlength=len(negatives)) @ weights
    every_negative = sizes @ weights
    areas, precisions = np.zeros(weights.shape[1]), np.zeros(weights.shape[1])
    passed = np.zeros(weights.shape[1])
    for start, end in _steps(found, weights):
        level, weight = found[start:end], weights[own[start:end]]
        above, equal_too = (_counts(negatives, level, side) @ weights for side in ("left", "right"))
        areas += (weight * (every_negative - (above + equal_too) / 2)).sum(axis=0)
        last = np.searchsorted(level, level, side="right") - 1
        positives = passed + np.cumsum(weight, axis=0)
        seen = positives[last] + equal_too
        precisions += (weight * positives[last] / np.maximum(seen, 1.0)).sum(axis=0)
        passed = positives[-1]
    both = np.where((every_positive > 0) & (every_negative > 0), 1.0, np.nan)
    return both * areas / np.maximum(every_positive * every_negative, 1.0), both * precisions / np.maximum(
        every_positive, 1.0
    )


def _levels(pairs: Labelled, tie_tolerance: float) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Scores as levels, 0 the highest: of positives in order, the query of each, and of the negatives of each query."""
    ties = tied(pairs.scores, tie_tolerance)
    sizes = np.diff(np.append(ties.starts, len(pairs)))
    level = np.repeat(np.arange(len(sizes)), sizes)
    query, positive = pairs.places[ties.order], pairs.labels[ties.order] == 1
    order = np.argsort(query[~positive], kind="stable")
    ends = np.cumsum(np.bincount(query[~positive], minlength=len(pairs.queries)))
    return level[positive], query[positive], np.split(level[~positive][order], ends[:-1])


def _steps(found: np.ndarray, weights: np.ndarray) -> Iterator[tuple[int, int]]:
    """Parts of the positives that fit in memory and do not cut through ties."""
    step = max(1, _NUMBERS // max(weights.shape))
    start = 0
    while start < len(found):
        end = int(np.searchsorted(found, found[min(start + step, len(found)) - 1], side="right"))
        yield start, end
        start = end


def _counts(negatives: list[np.ndarray], levels: np.ndarray, side: str) -> np.ndarray:
    """How many negatives of each query (a column) lie above each level (a row); with `right` also those on it."""
    columns = [np.searchsorted(known, levels, side=side) for known in negatives]  # type: ignore[call-overload]
    return np.stack(columns, axis=1).astype(np.float64)
