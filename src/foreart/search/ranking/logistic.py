"""Logistic regression with sign constraints, so that more similarity never lowers a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MAX_ITERATIONS = 500


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """A weight for each feature, on its original scale, and the intercept."""

    names: tuple[str, ...]
    weights: np.ndarray
    intercept: float

    def chances(self, names: Sequence[str], values: np.ndarray) -> np.ndarray:
        """The probabilities of rows, with a column for each name; unknown names have weight 0."""
        known = dict(zip(self.names, self.weights.tolist(), strict=True))
        return sigmoid(values @ np.array([known.get(name, 0.0) for name in names]) + self.intercept)


def sigmoid(values: np.ndarray) -> np.ndarray:
    """The probability of log-odds."""
    probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-np.clip(values, -60.0, 60.0)))
    return probabilities


def fit_logistic(
    values: np.ndarray,
    labels: np.ndarray,
    names: Sequence[str],
    *,
    signs: Sequence[int],
    penalty: float,
    weights: np.ndarray | None = None,
) -> Logistic:
    """Fits to labels from 0 to 1, with a ridge penalty on the weights of standardised features.

    A sign of 1 keeps a weight at 0 or above, -1 at 0 or below, 0 leaves it free. L-BFGS-B starts from 0; the problem is
    convex, so the same data give the same weights.
    """
    from scipy.optimize import minimize

    centre, spread = values.mean(axis=0), values.std(axis=0)
    spread = np.where(spread > 1e-12, spread, 1.0)
    rows = (values - centre) / spread
    share = np.ones(len(labels)) if weights is None else weights
    share = share / share.sum()

    def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
        slope, offset = point[:-1], point[-1]
        logits = rows @ slope + offset
        residual = share * (sigmoid(logits) - labels)
        value = float(share @ (np.logaddexp(0.0, logits) - labels * logits) + penalty * (slope @ slope) / 2)
        return value, np.append(residual @ rows + penalty * slope, residual.sum())

    limits = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
    bounds = [*(limits[sign] for sign in signs), (None, None)]
    found = minimize(
        loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": MAX_ITERATIONS}
    )
    slope = found.x[:-1] / spread
    return Logistic(tuple(names), slope, float(found.x[-1] - centre @ slope))
