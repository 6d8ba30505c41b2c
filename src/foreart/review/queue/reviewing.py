"""One review: the candidates of a search, ordered by ranking and judgements, and what can be said of the unread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from foreart.corpus import Corpus
from foreart.errors import BadRequest
from foreart.index import Index
from foreart.index.published_state import PublishedState
from foreart.records.record_data import Listed
from foreart.review.feedback import (
    GivenJudgements,
    JudgedDocument,
    Reranked,
    in_order,
    interleaved,
    moved,
    reranked,
)
from foreart.review.queue.candidate_pool import TOPICS_INDEX, CandidatePool
from foreart.review.queue.learned_review import LearnedReview
from foreart.review.queue.queued import AddedToScore, Queued, parts_of, queued
from foreart.review.queue.review_choice import ReviewChoice, review_of
from foreart.review.queue.unread import Unread
from foreart.review.stopping import Stopping, checked_rule
from foreart.search.hits import Result, repeated_request
from foreart.search.law.priority import cutoff_of
from foreart.search.listing import Listing
from foreart.search.ranker import Ranker
from foreart.search.request import SearchRequest
from foreart.search.retrieval import compared_rows, searched_corpus, with_numbers


def open_reviewing(
    ranker: Ranker,
    asked: SearchRequest | Result,
    corpus: Corpus,
    *,
    state: PublishedState,
    learned: LearnedReview | None = None,
    today: str = "",
) -> Reviewing:
    """The review of a search by a ranker of this state: the draft is compared once.

    Weights are those that `foreart learn` kept for this ranking, else those that come with foreart, or `learned`.
    """
    request = with_numbers(repeated_request(asked), corpus)
    ranking, indexed = ranker.requested(request), searched_corpus(corpus, ranker)
    listing = Listing(
        request.draft,
        ranking,
        indexed,
        cutoff=cutoff_of(request.draft, request.cutoff, today=today),
        regime=request.regime,
        selected=compared_rows(request, ranking, indexed, postings=state.full_text_if_built).allowed,
    )
    pool = CandidatePool(ranking, listing, _topics(ranking, state))
    choice = review_of(ranking, state.library, has_citations=pool.has_citations)
    if learned is not None:
        choice = replace(choice, learned=learned, missing="" if learned.stopping is not None else choice.missing)
    return Reviewing(pool, choice)


def _topics(ranker: Ranker, state: PublishedState) -> Index | None:
    """The rows of topics of the same documents; None if they were not built, or of another state."""
    if TOPICS_INDEX in ranker.indexes:
        return ranker.indexes[TOPICS_INDEX]
    found = state.index(TOPICS_INDEX) if TOPICS_INDEX in state.indexes else None
    return found if found is not None and found.description.corpus == ranker.view.corpus else None


class Reviewing:
    """The candidates of one search. Nothing of a judgement is kept: the same judgements give the same order."""

    def __init__(self, pool: CandidatePool, choice: ReviewChoice) -> None:
        self._pool, self._choice = pool, choice
        self._unread = Unread(pool, choice)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know of the weights and of what cannot be estimated."""
        return tuple(filter(None, (self._choice.missing,)))

    def order(
        self, judged: Sequence[JudgedDocument], *, elsewhere: float = 0.0, limit: int | None = None
    ) -> tuple[Queued, ...]:
        """The documents that are not judged yet, first to read first, each family once.

        `elsewhere` from 0 to 1 moves documents back whose topics are those of judged ones. One in ten is from the far
        end of that slider and marked, as soon as one is judged. `limit` is how many are wanted, else all.
        """
        if not 0.0 <= elsewhere <= 1.0:
            raise BadRequest(f"elsewhere is {elsewhere!r}; it can be from 0 (more like these) to 1 (look elsewhere)")
        labels = self._pool.labels(judged)
        pool, given = self._pool.with_judged(labels)
        now = reranked(pool, given, self._choice.weights)
        places, strange = self._queue(now, given, labels, elsewhere)
        wanted = places[:limit]
        ids = self._pool.ids(pool.rows[wanted])
        return tuple(
            queued(number, rank, float(pool.scores[place]), now, int(place), elsewhere=bool(strange[rank - 1]))
            for rank, (number, place) in enumerate(zip(ids, wanted.tolist(), strict=True), start=1)
        )

    def listed(self, number: str) -> Listed | None:
        """A document of the queue as a search record lists it; None if it is not among the candidates."""
        return self._pool.listed(number)

    def added(self, judged: Sequence[JudgedDocument], number: str) -> AddedToScore | None:
        """What judgements add to the score of any document, judged or not; None if the corpus does not have it."""
        row = self._pool.row(number)
        if row is None:
            return None
        pool, given = self._pool.with_judged(self._pool.labels(judged), row)
        now = reranked(pool, given, self._choice.weights)
        place = int(pool.relations.places(np.array([row]))[0])
        rank = 1 + int(np.count_nonzero(now.added > now.added[place]))
        prior = float(pool.scores[place]) if self._pool.by_place else None
        return AddedToScore(parts_of(now, place), rank, prior)

    def stopping(
        self,
        judged: Sequence[JudgedDocument],
        read: Sequence[str],
        *,
        target: float = 0.8,
        confidence: float = 0.9,
        maybe: bool = False,
    ) -> Stopping:
        """How many relevant documents are unread, and whether reading may end.

        `read` are ids in the order of reading; judged documents that are not among them count as known before. With
        `maybe`, those count as found too. Target and confidence must be fixed before reading.
        """
        checked_rule(target, confidence)
        return self._unread.stopping(judged, read, target=target, confidence=confidence, maybe=maybe)

    def _queue(
        self, now: Reranked, given: GivenJudgements, labels: dict[int, float], elsewhere: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Places of unread candidates in order, and which are from elsewhere."""
        pool, _ = self._pool.with_judged(labels)
        unread = np.setdiff1d(self._pool.ranked, np.array(sorted(labels), dtype=np.int64))
        places = pool.relations.places(unread)
        ids = self._pool.ids(unread)
        near = self._pool.nearness(pool, pool.rows[given.places]) if len(given.places) else np.zeros(len(pool.rows))
        order = in_order(moved(now.logits, near, elsewhere), places, ids)
        if not near.any():
            return order, np.zeros(len(order), dtype=bool)
        return interleaved(order, in_order(moved(now.logits, near, 1.0), places, ids), len(given.places))
