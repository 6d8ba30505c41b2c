"""Collects the rows that may be among the k best of a query, from estimates with error bounds."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

_SMALLEST = np.nextafter(np.float32(0), np.float32(1))  # only scores above 0 count


class Candidates:
    """Keeps every row whose score may reach that of the k-th best document; `threshold` is its lower bound.

    The rows of a document are consecutive; `groups` are their offsets, if documents may have several.
    """

    def __init__(self, k: int, queries: np.ndarray, groups: np.ndarray | None = None) -> None:
        self.k = k
        self.groups = groups
        self.threshold = np.where(
            queries.any(axis=1), _SMALLEST, np.float32(np.inf)
        )  # an empty query has no candidates
        self._found: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        self._pending = 0
        self._limit = self._min_limit = 8 * k * len(queries)

    def add(self, rows: np.ndarray, upper_bounds: np.ndarray, margins: np.ndarray, allowed: np.ndarray | None) -> None:
        """Adds ascending rows with the upper bounds of their scores for each query, and the margins of the estimates.

        The lower bound of a score is the upper bound minus twice the margin. `allowed` has a mask per query, or one.
        """
        passing = upper_bounds >= self.threshold
        if allowed is not None:
            passing &= allowed.T
        hits = np.flatnonzero(passing)
        positions, queries = np.divmod(hits, len(self.threshold))
        queries = queries.astype(np.min_scalar_type(len(self.threshold)))  # small integers are sorted fast
        upper = upper_bounds.ravel()[hits]
        self._found.append((rows[positions], queries, upper, upper - 2 * margins[positions]))
        self._pending += len(positions)
        if self._pending > self._limit:
            self.tighten()

    def tighten(self) -> None:
        """Raises `threshold` to the lower bound of the k-th best, and drops the rows that cannot reach it."""
        if not self._found:
            return
        rows, queries, upper, lower = (np.concatenate(column) for column in zip(*self._found, strict=True))
        order = np.argsort(queries, kind="stable")  # rows stay in ascending order
        for query, (start, end) in enumerate(pairwise(self._ends(queries[order]))):
            here = order[start:end]
            scores = lower[here] if self.groups is None else best(documents_of(rows[here], self.groups), lower[here])
            self.threshold[query] = max(self.threshold[query], kth(scores, self.k, otherwise=_SMALLEST))
        kept = order[upper[order] >= self.threshold[queries[order]]]
        self._found = [(rows[kept], queries[kept], upper[kept], lower[kept])]
        self._pending = len(kept)
        self._limit = max(self._min_limit, 2 * len(kept))

    def join(self, others: Iterable[Candidates]) -> Candidates:
        """Merges the candidates of later rows."""
        for other in others:
            self._found.extend(other._found)
        self.tighten()
        return self

    def each(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The rows of each query with their upper bounds, largest first."""
        self.tighten()
        if not self._found:
            return [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))] * len(self.threshold)
        rows, queries, upper, _ = self._found[0]
        found = []
        for start, end in pairwise(self._ends(queries)):
            order = start + np.argsort(-upper[start:end], kind="stable")
            found.append((rows[order], upper[order]))
        return found

    def _ends(self, queries: np.ndarray) -> list[int]:
        ends: list[int] = np.searchsorted(queries, np.arange(len(self.threshold) + 1)).tolist()
        return ends


def documents_of(rows: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The document of each row."""
    documents: np.ndarray = np.searchsorted(groups, rows, side="right") - 1
    return documents


def best(documents: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The largest score of each document; scores of one document are consecutive."""
    if not len(documents):
        return scores
    maxima: np.ndarray = np.maximum.reduceat(scores, firsts(documents))
    return maxima


def firsts(documents: np.ndarray) -> np.ndarray:
    """The position of the first row of each document."""
    positions: np.ndarray = np.flatnonzero(np.concatenate([[True], documents[1:] != documents[:-1]]))
    return positions


def kth(scores: np.ndarray, k: int, *, otherwise: float) -> float:
    """The k-th largest score, or `otherwise` if there are fewer."""
    if len(scores) < k:
        return otherwise
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])
