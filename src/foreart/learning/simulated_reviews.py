"""Simulates reviews whose answers are known: documents are read in the order of the feedback."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from foreart.learning.review_cases import ReviewCase
from foreart.review.feedback import (
    FeedbackPool,
    FeedbackWeights,
    GivenJudgements,
    Relations,
    Reranked,
    grown_products,
    relations_of,
    reranked,
)
from foreart.search.ranking import CitationGraph


@dataclass(frozen=True, slots=True, eq=False)
class PlayedCase:
    """A case whose candidates ascend: `scores`, `relevant` and `order` (places best first, as ranked) are by place.

    `table` has the rows of topics of all documents, shared by all cases.
    """

    case: ReviewCase
    scores: np.ndarray
    relevant: np.ndarray
    order: np.ndarray
    relations: Relations
    table: np.ndarray | None

    def pool(self) -> FeedbackPool:
        """The pool with its rows of topics, which take too much memory to keep for all cases."""
        rows = self.relations.rows
        topics = np.zeros((len(rows), 0)) if self.table is None else self.table[rows].astype(np.float64)
        return FeedbackPool(self.scores, topics, self.relations)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One moment of a review: the places read so far, in order, what was given, and the pool as it is ordered now."""

    pool: FeedbackPool
    read: np.ndarray
    given: GivenJudgements
    now: Reranked


def played(case: ReviewCase, graph: CitationGraph, topics: np.ndarray | None) -> PlayedCase:
    """A case with the rows of topics and the citations that were known at its date."""
    ascending = np.argsort(case.rows)
    rows = case.rows[ascending]
    relations = relations_of(rows, graph, case.known(len(graph)))
    return PlayedCase(case, case.scores[ascending], case.relevant[ascending], np.argsort(ascending), relations, topics)


def looks(played: PlayedCase, weights: FeedbackWeights, moments: Iterable[int]) -> Iterator[Look]:
    """The moments of a review after so many documents were read; ties by the order of the ranking."""
    pool, relevant = played.pool(), played.relevant
    read, products = np.empty(0, dtype=np.int64), np.empty((0, 0))
    unread = np.ones(len(pool.rows), dtype=bool)
    ranked = np.empty(len(pool.rows), dtype=np.int64)
    ranked[played.order] = np.arange(len(played.order))
    now = reranked(pool, GivenJudgements(read, np.empty(0)), weights)
    for moment in moments:
        order = np.lexsort((ranked, -now.logits))
        left = order[unread[order]]
        read = np.concatenate([read, left[: moment - len(read)]])
        unread[read] = False
        products = grown_products(products, pool.topics[read])
        ascending = np.argsort(read)
        given = GivenJudgements(read[ascending], relevant[read[ascending]].astype(np.float64))
        now = reranked(pool, given, weights, products=products[np.ix_(ascending, ascending)])
        yield Look(pool, read, given, now)
        if len(read) == len(order):
            return
