"""The logistic model of one matter: in which directions of topics relevant documents differ from the others."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled

# Newton's method ends when no log-odds change more than this; it needs about six steps.
_CLOSE, _STEPS = 1e-9, 50


def fit_matter(
    products: np.ndarray, offsets: np.ndarray, labels: np.ndarray, weights: np.ndarray, *, penalty: float
) -> np.ndarray:
    """What each judged document adds to the model u = topics' @ them; `products` are those of their topics.

    u minimises the weighted log-loss of labels from 0 to 1 under the log-odds offsets + topics @ u, plus
    penalty/2·|u|². Newton's method on the documents, which are few (Rasmussen and Williams 2006, 3.1). Nothing here
    uses BLAS or LAPACK: their threads take a hundred times as long as such a small system where other work is running,
    and another number of threads could give another order.
    """
    inner: np.ndarray = _newton(
        products / penalty, *(np.asarray(values, dtype=np.float64) for values in (offsets, labels, weights))
    )
    return inner / penalty


def grown_products(products: np.ndarray, topics: np.ndarray) -> np.ndarray:
    """The products of all rows of topics with each other; those of the first rows are known."""
    known = len(products)
    added = np.einsum("ik,jk->ij", topics[known:], topics)
    return np.block([[products, added[:, :known].T], [added]])


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
    """The solution of (I + curves' kernel curves) x = right, by Cholesky's decomposition, row after row.

    Rows above are subtracted in their order, four at a time: a row is read and written a quarter as often.
    """
    count = len(right)
    upper = np.empty((count, count))
    found = right.copy()
    for row in range(count):
        own = upper[row]
        own[row:] = curves[row] * kernel[row, row:] * curves[row:]
        own[row] += 1.0
        above = 0
        while above + 4 <= row:
            first, second, third, fourth = upper[above], upper[above + 1], upper[above + 2], upper[above + 3]
            a, b, c, d = first[row], second[row], third[row], fourth[row]
            for column in range(row, count):
                less = (own[column] - a * first[column]) - b * second[column]
                own[column] = (less - c * third[column]) - d * fourth[column]
            less = (found[row] - a * found[above]) - b * found[above + 1]
            found[row] = (less - c * found[above + 2]) - d * found[above + 3]
            above += 4
        while above < row:
            factor, pivot = upper[above, row], upper[above]
            for column in range(row, count):
                own[column] -= factor * pivot[column]
            found[row] -= factor * found[above]
            above += 1
        own[row:] /= np.sqrt(own[row])
        found[row] /= own[row]
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
