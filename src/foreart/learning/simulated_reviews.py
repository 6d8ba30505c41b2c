"""Plays reviews whose answers are known: documents are read in the order of the feedback."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from foreart.learning.review_cases import ReviewCase
from foreart.review.feedback import FeedbackPool, FeedbackWeights, GivenJudgements, Reranked, relations_of, reranked
from foreart.search.ranking import CitationGraph


@dataclass(frozen=True, slots=True, eq=False)
class PlayedCase:
    """A case as a pool: `relevant` and `order` (places best first, as the ranking has them) are by place there."""

    case: ReviewCase
    pool: FeedbackPool
    relevant: np.ndarray
    order: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One moment of a review: the places read so far, in order, what was given, and the pool as it is ordered now."""

    read: np.ndarray
    given: GivenJudgements
    now: Reranked


def played(case: ReviewCase, graph: CitationGraph, topics: np.ndarray | None) -> PlayedCase:
    """A case with the rows of topics and the citations that were known at its date."""
    ascending = np.argsort(case.rows)
    rows = case.rows[ascending]

    known = case.known(len(graph))
    table = np.zeros((len(rows), 0)) if topics is None else topics[rows].astype(np.float64)
    pool = FeedbackPool(case.scores[ascending], table, relations_of(rows, graph, known))
    return PlayedCase(case, pool, case.relevant[ascending], np.argsort(ascending))


def looks(played: PlayedCase, weights: FeedbackWeights, moments: Iterable[int]) -> Iterator[Look]:
    """The moments of a review after so many documents were read; ties by the order of the ranking."""
    pool, relevant = played.pool, played.relevant
    read = np.empty(0, dtype=np.int64)
    ranked = np.empty(len(pool.rows), dtype=np.int64)
    ranked[played.order] = np.arange(len(played.order))
    now = reranked(pool, GivenJudgements(read, np.empty(0)), weights)
    for moment in moments:
        order = np.lexsort((ranked, -now.logits))
        left = order[~np.isin(order, read)]
        read = np.concatenate([read, left[: moment - len(read)]])
        places = np.sort(read)
        given = GivenJudgements(places, relevant[places].astype(np.float64))
        now = reranked(pool, given, weights)
        yield Look(read, given, now)
        if len(read) == len(order):
            return
