"""Simulated readers: what is read in the order of the ranking, of feedback and of Rocchio's, and what that saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.learning.simulated_reviews import PlayedCase
from foreart.review.feedback import FeedbackWeights, GivenJudgements, interleaved, moved, nearness, reranked
from review_targets import TargetCase

DEPTH = 250
# The order is refreshed after every document at first, then after every fifth and tenth; `foreart` does it after each.
MOMENTS = (*range(1, 10), *range(10, 100, 5), *range(100, DEPTH + 1, 10))
COARSE = tuple(range(10, DEPTH + 1, 10))
NOT_REACHED = DEPTH + 1
RECALLS = (0.8, 0.95)
SAMPLES, SEED = 10_000, 0
# Rocchio's weights of relevant and other documents, and of the whole beside the ranking (DESK: more made it worse).
BETA, GAMMA, ROCCHIO = 1.0, 1.0, 10.0
# Rocchio's weight was measured for log-odds; the scores of the learned ranking are steeper by about this factor.
SCALE = 0.7
# Ordered unread places from the places read and their labels.
Scorer = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What a simulated reader found: places in the order of reading, whether each was relevant, and the total."""

    target: str
    places: np.ndarray
    finds: np.ndarray
    total: int

    def needed(self, recall: float) -> int:
        """How many documents were read for a recall; one more than all if it was not reached."""
        reached = np.flatnonzero(np.cumsum(self.finds) >= np.ceil(recall * self.total - 1e-9))
        return int(reached[0]) + 1 if len(reached) else NOT_REACHED

    def recall(self, read: int) -> float:
        """The share found among the first."""
        return float(self.finds[:read].sum()) / max(1, self.total)


def read_by(item: PlayedCase, scorer: Scorer, moments: Sequence[int]) -> Iterator[np.ndarray]:
    """The places read, at each moment."""
    read = np.empty(0, dtype=np.int64)
    for moment in moments:
        order = scorer(read, item.relevant[read].astype(np.float64))
        read = np.concatenate([read, order[: moment - len(read)]])
        yield read
        if len(read) == len(item.relevant):
            return


def feedback(item: PlayedCase, weights: FeedbackWeights, *, elsewhere: float = 0.0, one_in_ten: bool = False) -> Scorer:
    """The order of `Reviewing.order`."""
    pool, near, seen = item.pool(), np.zeros(len(item.relevant)), 0

    def order(read: np.ndarray, labels: np.ndarray) -> np.ndarray:
        nonlocal seen
        ascending = np.argsort(read)
        now = reranked(pool, GivenJudgements(read[ascending], labels[ascending]), weights)
        unread = unread_places(read, len(near))
        if elsewhere or one_in_ten:
            np.maximum(near, nearness(pool.topics, read[seen:]), out=near)
            seen = len(read)
        found = _best(moved(now.logits, near, elsewhere), unread)
        if not one_in_ten or not len(read):
            return found
        return interleaved(found, _best(moved(now.logits, near, 1.0), unread), len(read))[0]

    return order


def rocchio(item: PlayedCase) -> Scorer:
    """The ranking plus the cosine with the mean of relevant documents less that of the others."""
    topics = item.pool().topics

    def order(read: np.ndarray, labels: np.ndarray) -> np.ndarray:
        scores = item.scores
        if labels.any():
            centre = BETA * topics[read[labels > 0]].mean(axis=0)
            if (labels == 0).any():
                centre = centre - GAMMA * topics[read[labels == 0]].mean(axis=0)
            scores = scores + ROCCHIO * (topics @ centre) * SCALE
        return _best(scores, unread_places(read, len(scores)))

    return order


def unread_places(read: np.ndarray, count: int) -> np.ndarray:
    mask = np.ones(count, dtype=bool)
    mask[read] = False
    return np.flatnonzero(mask)


def _best(scores: np.ndarray, places: np.ndarray) -> np.ndarray:
    return places[np.argsort(-scores[places], kind="stable")]


def simulated(
    cases: Sequence[TargetCase],
    items: Sequence[PlayedCase],
    make: Callable[[PlayedCase], Scorer],
    moments: Sequence[int],
) -> list[Played]:
    """Every case read in one way."""
    found = []
    for case, item in zip(cases, items, strict=True):
        *_, read = read_by(item, make(item), moments)
        found.append(Played(case.target, read, item.relevant[read], item.case.total))
    return found


def plain(cases: Sequence[TargetCase], items: Sequence[PlayedCase]) -> list[Played]:
    """Every case read in the order of the ranking."""
    return [
        Played(case.target, item.order[:DEPTH], item.relevant[item.order[:DEPTH]], item.case.total)
        for case, item in zip(cases, items, strict=True)
    ]


def figures(played_: Sequence[Played], base: Sequence[Played] | None) -> dict[str, Any]:
    """Recall by documents read, documents for a recall, and what was saved against the plain list."""
    found: dict[str, Any] = {
        "recall": {
            str(read): round(float(np.mean([item.recall(read) for item in played_])), 4) for read in (20, 50, 100, 200)
        }
    }
    for recall in RECALLS:
        needed = np.array([item.needed(recall) for item in played_])
        record = {
            "median": float(np.median(needed)),
            "mean": round(float(needed.mean()), 1),
            "not_reached": round(float((needed == NOT_REACHED).mean()), 3),
        }
        if base is not None:
            saved = np.array([item.needed(recall) for item in base]) - needed
            record |= {
                "saved": round(float(saved.mean()), 1),
                "interval_95": bootstrap(saved),
                "better": int((saved > 0).sum()),
                "equal": int((saved == 0).sum()),
                "worse": int((saved < 0).sum()),
            }
        found[f"to_{recall:.0%}"] = record
    return found


def bootstrap(values: np.ndarray) -> list[float]:
    """The 95 % interval of a mean over targets."""
    random = np.random.default_rng(SEED)
    means = [values[random.integers(0, len(values), len(values))].mean() for _ in range(SAMPLES)]
    return [round(float(value), 1) for value in np.quantile(means, (0.025, 0.975))]
