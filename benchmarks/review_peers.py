"""Other rules of when to stop: ASReview's "n irrelevant in a row", and the hypergeometric rule of buscarpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foreart.learning.simulated_reviews import PlayedCase
from review_readers import Played

IN_A_ROW = (20, 50)
ALPHA = 0.05


def in_a_row(played_: Sequence[Played], number: int) -> dict[str, Any]:
    """Stopping after so many irrelevant documents in a row."""
    return _stopped(played_, lambda item: _row_end(item.finds, number))


def _row_end(finds: np.ndarray, number: int) -> int | None:
    misses = 0
    for place, hit in enumerate(finds.tolist(), start=1):
        misses = 0 if hit else misses + 1
        if misses == number:
            return place
    return None


def hypergeometric(played_: Sequence[Played], items: Sequence[PlayedCase], target: float) -> dict[str, Any]:
    """buscarpy: stop when some last n would rarely hold so few relevant ones, were the target missed."""
    sizes = {id(item): case.case.documents for item, case in zip(played_, items, strict=True)}
    return _stopped(played_, lambda item: _hypergeometric_end(item.finds, sizes[id(item)], target), target)


def _hypergeometric_end(finds: np.ndarray, documents: int, target: float) -> int | None:
    found = np.cumsum(finds)
    for read in range(1, len(finds) + 1):
        total = int(found[read - 1])
        missed = int(total / target) + 1
        if not total:
            continue
        sizes = np.arange(1, read + 1)
        before = np.concatenate([[0], found])[read - sizes]
        chances = _at_most(total - before, documents - (read - sizes), missed - before, sizes)
        if chances.min() < ALPHA:
            return read
    return None


def _at_most(count: np.ndarray, documents: np.ndarray, relevant: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The hypergeometric distribution function; scipy.stats sums the same, a hundred times slower."""
    some = np.arange(int(count.max()) + 1)[:, None]
    possible = (some <= np.minimum(count, np.minimum(relevant, drawn))) & (drawn - some <= documents - relevant)
    some = np.where(possible, some, np.maximum(0, drawn - (documents - relevant)))
    logs = _choose(relevant, some) + _choose(documents - relevant, drawn - some) - _choose(documents, drawn)
    sums: np.ndarray = np.where(possible, np.exp(logs), 0.0).sum(axis=0)
    return sums


def _choose(whole: np.ndarray, part: np.ndarray) -> np.ndarray:
    from scipy.special import gammaln

    logs: np.ndarray = gammaln(whole + 1.0) - gammaln(part + 1.0) - gammaln(whole - part + 1.0)
    return logs


def _stopped(played_: Sequence[Played], end: Callable[[Played], int | None], target: float = 0.8) -> dict[str, Any]:
    ends = [(item, end(item)) for item in played_]
    stopped = [(item, read) for item, read in ends if read is not None]
    recalls = [item.recall(read) for item, read in stopped]
    return {
        "fired": len(stopped),
        "of": len(ends),
        "median_read": float(np.median([read for _, read in stopped])) if stopped else None,
        "mean_recall": round(float(np.mean(recalls)), 3) if recalls else None,
        "right": round(float(np.mean([recall >= target for recall in recalls])), 3) if recalls else None,
    }
