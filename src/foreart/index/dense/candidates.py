"""The rows that may be among the k best of a query: found while estimates with known errors pass by."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

_LEAST = np.nextafter(np.float32(0), np.float32(1))  # only scores above 0 count


class Candidates:
    """Holds every row whose score may reach the k-th best document's; `least` is what that has for sure.

    The rows of a document lie beside each other, and `groups` says where they begin, if there may be several.
    """

    def __init__(self, k: int, queries: np.ndarray, groups: np.ndarray | None = None) -> None:
        self.k = k
        self.groups = groups
        self.least = np.where(queries.any(axis=1), _LEAST, np.float32(np.inf))  # an empty query finds nothing
        self._found: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        self._waiting = 0
        self._limit = self._patience = 8 * k * len(queries)

    def add(self, rows: np.ndarray, highest: np.ndarray, margins: np.ndarray, allowed: np.ndarray | None) -> None:
        """Rows in ascending order, the most each may have with each query, and how far below the estimates are.

        The score is at most twice the margin below the most. `allowed` has a line for each query, or one for all.
        """
        passing = highest >= self.least
        if allowed is not None:
            passing &= allowed.T
        hits = np.flatnonzero(passing)
        places, queries = np.divmod(hits, len(self.least))
        queries = queries.astype(np.min_scalar_type(len(self.least)))  # small numbers are quickly sorted
        most = highest.ravel()[hits]
        self._found.append((rows[places], queries, most, most - 2 * margins[places]))
        self._waiting += len(places)
        if self._waiting > self._limit:
            self.tighten()

    def tighten(self) -> None:
        """Raises `least` to what the k-th of those found has for sure, and drops the rows that cannot reach it."""
        if not self._found:
            return
        rows, queries, most, surely = (np.concatenate(column) for column in zip(*self._found, strict=True))
        order = np.argsort(queries, kind="stable")  # rows stay in ascending order
        for query, (start, end) in enumerate(pairwise(self._ends(queries[order]))):
            here = order[start:end]
            scores = surely[here] if self.groups is None else best(documents_of(rows[here], self.groups), surely[here])
            self.least[query] = max(self.least[query], kth(scores, self.k, otherwise=_LEAST))
        kept = order[most[order] >= self.least[queries[order]]]
        self._found = [(rows[kept], queries[kept], most[kept], surely[kept])]
        self._waiting = len(kept)
        self._limit = max(self._patience, 2 * len(kept))

    def join(self, others: Iterable[Candidates]) -> Candidates:
        """Takes up what was found in rows that follow."""
        for other in others:
            self._found.extend(other._found)
        self.tighten()
        return self

    def each(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each query the rows, and the most each may have, greatest first."""
        self.tighten()
        if not self._found:
            return [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))] * len(self.least)
        rows, queries, most, _ = self._found[0]
        found = []
        for start, end in pairwise(self._ends(queries)):
            order = start + np.argsort(-most[start:end], kind="stable")
            found.append((rows[order], most[order]))
        return found

    def _ends(self, queries: np.ndarray) -> list[int]:
        ends: list[int] = np.searchsorted(queries, np.arange(len(self.least) + 1)).tolist()
        return ends


def documents_of(rows: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The document each row belongs to."""
    found: np.ndarray = np.searchsorted(groups, rows, side="right") - 1
    return found


def best(documents: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The greatest score of each document that occurs; those of one lie beside each other."""
    if not len(documents):
        return scores
    found: np.ndarray = np.maximum.reduceat(scores, firsts(documents))
    return found


def firsts(documents: np.ndarray) -> np.ndarray:
    """Where the rows of each document begin."""
    found: np.ndarray = np.flatnonzero(np.concatenate([[True], documents[1:] != documents[:-1]]))
    return found


def kth(scores: np.ndarray, k: int, *, otherwise: float) -> float:
    """The k-th greatest of scores, or something else if there are fewer."""
    if len(scores) < k:
        return otherwise
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])
