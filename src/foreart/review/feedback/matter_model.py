"""The logistic model of one matter: in which directions of topics relevant documents differ from the others."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled

# Newton's method ends when no log-odds change more than this; it needs about six steps.
_CLOSE, _STEPS = 1e-9, 50


def fit_matter(
    topics: np.ndarray, offsets: np.ndarray, labels: np.ndarray, weights: np.ndarray, *, penalty: float
) -> np.ndarray:
    """What each judged document adds to the model u = topics' @ them.

    u minimises the weighted log-loss of labels from 0 to 1 under the log-odds offsets + topics @ u, plus
    penalty/2·|u|². Newton's method on the documents, which are few (Rasmussen and Williams 2006, 3.1). Nothing here
    uses BLAS or LAPACK: their threads take a hundred times as long as such a small system where other work is running,
    and another number of threads could give another order.
    """
    kernel = np.einsum("ik,jk->ij", topics, topics) / penalty
    inner: np.ndarray = _newton(
        kernel, *(np.asarray(values, dtype=np.float64) for values in (offsets, labels, weights))
    )
    return inner / penalty


@compiled
def _loss(logits: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    """The weighted log-loss."""
    total = 0.0
    for place in range(len(logits)):
        logit = logits[place]
        softplus = max(logit, 0.0) + np.log1p(np.exp(-abs(logit)))
        total += weights[place] * (softplus - labels[place] * logit)
    return total


@compiled
def _product(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """The product with a vector."""
    found = np.zeros(len(matrix))
    for row in range(len(matrix)):
        found[row] = (matrix[row] * vector).sum()
    return found


@compiled
def _solved(kernel: np.ndarray, curves: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution of (I + curves' kernel curves) x = right, by Cholesky's decomposition, row after row."""
    count = len(right)
    upper = np.empty((count, count))
    for row in range(count):
        upper[row, row:] = curves[row] * kernel[row, row:] * curves[row:]
        upper[row, row] += 1.0
    found = right.copy()
    for row in range(count):
        pivot = upper[row]
        pivot[row:] /= np.sqrt(pivot[row])
        found[row] /= pivot[row]
        for other in range(row + 1, count):
            factor = pivot[other]
            found[other] -= factor * found[row]
            below = upper[other]
            for column in range(other, count):
                below[column] -= factor * pivot[column]
    for row in range(count - 1, -1, -1):
        for other in range(row + 1, count):
            found[row] -= upper[row, other] * found[other]
        found[row] /= upper[row, row]
    return found


@compiled
def _newton(kernel: np.ndarray, offsets: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The coefficients c that minimise the loss of offsets + kernel @ c, plus c'·kernel·c / 2."""
    count = len(labels)
    inner, added = np.zeros(count), np.zeros(count)
    loss = _loss(offsets, labels, weights)
    for _ in range(_STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.minimum(60.0, np.maximum(-60.0, offsets + added))))
        curves = np.sqrt(np.maximum(weights * chances * (1.0 - chances), 1e-12))
        aim = curves**2 * added + weights * (labels - chances)
        step = aim - curves * _solved(kernel, curves, curves * _product(kernel, aim)) - inner
        change = _product(kernel, step)
        size = 1.0
        while size > 1e-6:  # a full step may overshoot where chances are extreme
            tried, moved = inner + size * step, added + size * change
            found = _loss(offsets + moved, labels, weights) + (tried * moved).sum() / 2.0
            if found <= loss + 1e-12 * (1.0 + abs(loss)):
                break
            size /= 2.0
        if size <= 1e-6:
            break
        inner, added, loss = tried, moved, found
        if size * np.abs(change).max() < _CLOSE:
            break
    return inner
