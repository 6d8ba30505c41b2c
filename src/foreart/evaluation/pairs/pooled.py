"""Metrics over all labelled pairs at once: AUC, AP, ROC, histograms, confusion matrix, rank correlation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.errors import ForeartError

Values = Sequence[float] | np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A ROC curve from (0, 0) to (1, 1), a point for each distinct score; `thresholds` starts with +∞."""

    false_positive_rate: np.ndarray
    true_positive_rate: np.ndarray
    thresholds: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of the scores of each group between the edges; `infinite` counts scores of −∞."""

    edges: np.ndarray
    counts: Mapping[str, np.ndarray]
    infinite: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Confusion:
    """A confusion matrix: predictions against truth."""

    true_positive: int
    false_negative: int
    false_positive: int
    true_negative: int

    @property
    def recall(self) -> float:
        """The share of the true ones that were found; 0 if there are none."""
        return self.true_positive / max(1, self.true_positive + self.false_negative)

    @property
    def precision(self) -> float:
        """The share of the found ones that are true; 0 if there are none."""
        return self.true_positive / max(1, self.true_positive + self.false_positive)


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Pairs sorted by descending score in groups of ties: `order` are their positions, `starts` those of the groups."""

    order: np.ndarray
    starts: np.ndarray

    def counts(self, weights: np.ndarray) -> np.ndarray:
        """The weight of each group."""
        return np.add.reduceat(weights[self.order], self.starts)


def auc(scores: Values, labels: Values, *, tie_tolerance: float = 0.0) -> float:
    """The probability that a pair labelled 1 scores higher than one labelled 0, ties counted half; −∞ is a score."""
    return grouped_auc(*_grouped(scores, labels, tie_tolerance))


def average_precision(scores: Values, labels: Values, *, tie_tolerance: float = 0.0) -> float:
    """Σ (R_n − R_{n−1}) P_n over descending thresholds: ties are one step."""
    return grouped_ap(*_grouped(scores, labels, tie_tolerance))


def roc(scores: Values, labels: Values, *, tie_tolerance: float = 0.0) -> Curve:
    """The ROC curve; with a tolerance the threshold of a group is its smallest score."""
    values, truth = checked(scores, labels)
    ties = tied(values, tie_tolerance)
    positive, negative = ties.counts(truth), ties.counts(1.0 - truth)
    _both(positive, negative)
    last = np.append(ties.starts[1:], len(values)) - 1
    return Curve(
        _from_zero(np.cumsum(negative) / negative.sum()),
        _from_zero(np.cumsum(positive) / positive.sum()),
        np.concatenate(([np.inf], values[ties.order][last])),
    )


def tied(scores: np.ndarray, tie_tolerance: float = 0.0) -> Ties:
    """The groups of tied scores. Neighbours within the tolerance are tied, transitively.

    scikit-learn did so with 1e-8 when the paper's tables were made.
    """
    if not tie_tolerance >= 0:
        raise ForeartError(f"the tie tolerance is {tie_tolerance}; it must be 0 or more")
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    with np.errstate(invalid="ignore"):  # −∞ minus −∞ is NaN; they are equal
        apart = (ordered[:-1] != ordered[1:]) & ~(ordered[:-1] - ordered[1:] <= tie_tolerance)
    return Ties(order, np.concatenate(([0], np.flatnonzero(apart) + 1)))


def grouped_auc(positive: np.ndarray, negative: np.ndarray) -> float:
    """AUC from the counts of both labels in each group of ties, highest scores first; NaN if a label is missing."""
    total = float(positive.sum()) * float(negative.sum())
    above = np.cumsum(positive) - positive / 2
    return float(np.dot(negative, above)) / total if total else float("nan")


def grouped_ap(positive: np.ndarray, negative: np.ndarray) -> float:
    """Average precision from the same counts; NaN if nothing is labelled 1."""
    total = float(positive.sum())
    found = np.cumsum(positive)
    seen = found + np.cumsum(negative)
    return float(np.dot(positive, found / np.maximum(seen, 1e-300))) / total if total else float("nan")


def checked(scores: Values, labels: Values) -> tuple[np.ndarray, np.ndarray]:
    """Scores and labels as arrays of one length; refused if a score cannot be compared or a label is not 0 or 1."""
    values, truth = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    if values.shape != truth.shape or values.ndim != 1:
        raise ForeartError(f"there are {values.size} scores and {truth.size} labels: each score needs one")
    for bad, name in ((np.isnan(values), "NaN"), (np.isposinf(values), "+∞")):
        if bad.any():
            raise ForeartError(f"score {int(bad.argmax()) + 1} of {len(values)} is {name}, which cannot be compared")
    if not np.isin(truth, (0.0, 1.0)).all():
        raise ForeartError("labels are 1 (cited) or 0 (random), and nothing else")
    return values, truth


def histogram(
    groups: Mapping[str, Values], *, bins: int = 50, low: float | None = None, high: float | None = None
) -> Histogram:
    """Counts of the scores of each group over the same bins; by default from the smallest to the largest score."""
    values = {name: np.asarray(scores, dtype=np.float64) for name, scores in groups.items()}
    finite = {name: scores[np.isfinite(scores)] for name, scores in values.items()}
    for scores in values.values():
        checked(scores, np.zeros(len(scores)))
    every = np.concatenate([*finite.values(), np.empty(0)])
    start = low if low is not None else float(every.min(initial=np.inf)) if len(every) else 0.0
    end = high if high is not None else float(every.max(initial=-np.inf)) if len(every) else 1.0
    edges = np.histogram_bin_edges(np.empty(0), bins=bins, range=(start, end))
    return Histogram(
        edges,
        {name: np.histogram(scores, bins=edges)[0] for name, scores in finite.items()},
        {name: len(values[name]) - len(scores) for name, scores in finite.items()},
    )


def confusion(truth: Values, found: Values) -> Confusion:
    """The confusion matrix of truth and predictions, as 0 and 1."""
    found_values, true_values = checked(found, truth)
    checked(truth, found)
    is_true, is_found = true_values == 1, found_values == 1
    return Confusion(
        true_positive=int((is_true & is_found).sum()),
        false_negative=int((is_true & ~is_found).sum()),
        false_positive=int((~is_true & is_found).sum()),
        true_negative=int((~is_true & ~is_found).sum()),
    )


def spearman(one: Values, other: Values) -> float:
    """Spearman's rank correlation; ties get their mean rank."""
    x, y = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ForeartError(f"{x.size} values cannot be correlated with {y.size}")
    if np.isnan(x).any() or np.isnan(y).any():
        raise ForeartError("a value is NaN, which has no rank")
    if not len(x) or (x == x[0]).all() or (y == y[0]).all():
        raise ForeartError("a rank correlation needs values that differ")
    from scipy.stats import spearmanr  # seconds to import

    return float(spearmanr(x, y).statistic)


def _grouped(scores: Values, labels: Values, tie_tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    values, truth = checked(scores, labels)
    if not len(values):
        raise ForeartError("there are no pairs to compare")
    ties = tied(values, tie_tolerance)
    positive, negative = ties.counts(truth), ties.counts(1.0 - truth)
    _both(positive, negative)
    return positive, negative


def _both(positive: np.ndarray, negative: np.ndarray) -> None:
    if not positive.any() or not negative.any():
        raise ForeartError("AUC and AP need pairs of both labels, cited (1) and random (0)")


def _from_zero(values: np.ndarray) -> np.ndarray:
    return np.concatenate(([0.0], values))
