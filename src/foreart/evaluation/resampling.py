"""Bootstrap samples of the queries, and every metric over each sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foreart.evaluation.evaluation import Evaluation
from foreart.evaluation.pairs.labelled import Labelled
from foreart.evaluation.pairs.pooled import tied

_NUMBERS = 1 << 24  # elements of one array: 128 MB


def resampled(evaluation: Evaluation, *, samples: int, seed: int) -> dict[str, np.ndarray]:
    """Every metric over queries drawn with replacement; the same draws for every run of as many queries."""
    parts: dict[str, list[np.ndarray]] = {requested.text: [] for requested in evaluation.metrics}
    for weights in _draws(len(evaluation.queries), samples, seed):
        pooled = {}
        if evaluation.pairs is not None:
            pooled = dict(zip(("auc", "ap"), _pooled(evaluation.pairs, weights, evaluation.tie_tolerance), strict=True))
        for requested in evaluation.metrics:
            if requested.metric.pooled is not None:
                parts[requested.text].append(pooled[requested.metric.name])
            else:
                parts[requested.text].append(evaluation.per_query[requested.text] @ weights / len(evaluation.queries))
    return {metric: np.concatenate(values) for metric, values in parts.items()}


def _draws(queries: int, samples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each query (a row) is drawn in each sample (a column), in batches of samples."""
    random = np.random.default_rng(seed)
    step = max(1, _NUMBERS // queries)
    for start in range(0, samples, step):
        drawn = (random.integers(0, queries, queries) for _ in range(min(step, samples - start)))
        yield np.stack([np.bincount(positions, minlength=queries) for positions in drawn], axis=1).astype(np.float64)


def _pooled(pairs: Labelled, weights: np.ndarray, tie_tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """AUC and AP of all pairs in every sample; NaN if a sample has pairs of only one label.

    Counts once how many negatives of each query score above each positive; a sample weights these counts.
    """
    positive_levels, own, negatives = _levels(pairs, tie_tolerance)
    sizes = np.array([len(levels) for levels in negatives], dtype=np.float64)
    every_positive = np.bincount(own, minlength=len(negatives)) @ weights
    every_negative = sizes @ weights
    areas, precisions = np.zeros(weights.shape[1]), np.zeros(weights.shape[1])
    passed = np.zeros(weights.shape[1])
    for start, end in _steps(positive_levels, weights):
        level, weight = positive_levels[start:end], weights[own[start:end]]
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
    """Scores as levels, 0 the highest: levels and queries of positives in order, levels of negatives by query."""
    ties = tied(pairs.scores, tie_tolerance)
    sizes = np.diff(np.append(ties.starts, len(pairs)))
    level = np.repeat(np.arange(len(sizes)), sizes)
    query, positive = pairs.places[ties.order], pairs.labels[ties.order] == 1
    order = np.argsort(query[~positive], kind="stable")
    ends = np.cumsum(np.bincount(query[~positive], minlength=len(pairs.queries)))
    return level[positive], query[positive], np.split(level[~positive][order], ends[:-1])


def _steps(positive_levels: np.ndarray, weights: np.ndarray) -> Iterator[tuple[int, int]]:
    """Ranges of the positives that fit in memory and do not split ties."""
    step = max(1, _NUMBERS // max(weights.shape))
    start = 0
    while start < len(positive_levels):
        end = int(
            np.searchsorted(positive_levels, positive_levels[min(start + step, len(positive_levels)) - 1], side="right")
        )
        yield start, end
        start = end


def _counts(negatives: list[np.ndarray], levels: np.ndarray, side: str) -> np.ndarray:
    """How many negatives of each query (a column) are above each level (a row); with `right` also those on it."""
    columns = [np.searchsorted(known, levels, side=side) for known in negatives]  # type: ignore[call-overload]
    return np.stack(columns, axis=1).astype(np.float64)
