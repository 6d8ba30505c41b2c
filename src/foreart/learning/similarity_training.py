"""Learns the similarity of texts by topics: documents that a training query cites shall be more like it than others.

The similarity of two unit rows is q'(I + M / 12)d. M is fitted by multinomial logistic regression: a softmax over a
pool of documents with the temperature 1/12, and a ridge penalty that keeps the similarity near the cosine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foreart.learning.examples import Examples

# Fitted on the 179 targets of ../shared/data: weaker penalties gain nothing, ten times stronger ones lose recall.
_TEMPERATURE, _PENALTY, _ITERATIONS = 12.0, 2e-4, 30
# The pool: the nearest documents of each training query, all cited documents, and a random sample.
_NEAREST, _RANDOM = 25, 1000
# Longer lists of citations weigh no more than this many.
_MAX_WEIGHT = 10
# The softmax is computed for this many numbers at a time.
_BLOCK = 1 << 24


class SimilarityPool:
    """Training queries and a pool of documents in one text channel, as rows."""

    def __init__(self, examples: Examples, channel: str, table: np.ndarray, rows: Sequence[int], *, seed: int) -> None:
        self._place = {row: place for place, row in enumerate(rows)}
        self._queries = np.stack([examples[row].query.texts.vectors()[channel] for row in rows]).astype(np.float32)
        relevant = [examples.relevant(row) for row in rows]
        near = [_nearest(query, table, examples.known(row)) for query, row in zip(self._queries, rows, strict=True)]
        drawn = np.random.default_rng(seed).choice(len(table), min(len(table), _RANDOM), replace=False)
        pool = np.unique(np.concatenate([*near, *relevant, drawn]))
        self._pool = np.ascontiguousarray(table[pool], dtype=np.float32)
        self._known = np.stack([examples.known(row)[pool] for row in rows])
        self._cited = np.stack([np.isin(pool, cited) for cited in relevant])

    def fit(self, held_out: set[int]) -> np.ndarray:
        """The matrix I + M / 12, learned without some of the queries."""
        from scipy.optimize import minimize

        kept = np.array([place for row, place in self._place.items() if row not in held_out], dtype=np.int64)
        size = self._pool.shape[1]
        counts = self._cited[kept].sum(axis=1)
        weights = np.sqrt(np.minimum(counts, _MAX_WEIGHT))
        weights = weights / weights.sum()
        identity = _TEMPERATURE * np.eye(size, dtype=np.float32)
        step = max(1, _BLOCK // len(self._pool))

        def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
            matrix = identity + point.reshape(size, size).astype(np.float32)
            value, slope = _PENALTY * float(point @ point) / 2, np.zeros((size, size))
            for start in range(0, len(kept), step):
                part = slice(start, start + step)
                added, gradient = self._softmax(kept[part], matrix, weights[part], counts[part])
                value += added
                slope += gradient
            return value, slope.ravel() + _PENALTY * point

        found = minimize(loss, np.zeros(size * size), jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS})
        learned: np.ndarray = np.eye(size) + found.x.reshape(size, size) / _TEMPERATURE
        return learned.astype(np.float32)

    def _softmax(
        self, places: np.ndarray, matrix: np.ndarray, weights: np.ndarray, counts: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """The weighted cross-entropy of some queries, and its gradient by the matrix."""
        queries = self._queries[places]
        scores = (queries @ matrix) @ self._pool.T
        scores[~self._known[places]] = -np.inf
        scores -= scores.max(axis=1, keepdims=True)
        cited = self._cited[places]
        means = np.where(cited, scores, 0.0).sum(axis=1) / counts
        np.exp(scores, out=scores)
        totals = scores.sum(axis=1)
        value = float(weights @ (np.log(totals) - means))
        scores *= (weights / totals).astype(np.float32)[:, None]
        scores -= cited * (weights / counts).astype(np.float32)[:, None]
        return value, (queries.T @ (scores @ self._pool)).astype(np.float64)


def _nearest(query: np.ndarray, table: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The known documents with the largest product."""
    rows = np.flatnonzero(known)
    if len(rows) <= _NEAREST:
        return rows
    products = (table @ query)[rows]
    chosen: np.ndarray = rows[np.argpartition(-products, _NEAREST)[:_NEAREST]]
    return chosen
