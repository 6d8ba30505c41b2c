"""The candidates of one search as a pool to review: one row for each family, with citations and topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from foreart.index import Index
from foreart.records.record_data import Listed, RelatedPublication
from foreart.review.feedback import (
    POOL,
    FeedbackPool,
    GivenJudgements,
    JudgedDocument,
    family_names,
    first_of_families,
    nearness,
    relations_of,
)
from foreart.search.listing import Listing
from foreart.search.ranker import Ranker
from foreart.search.ranking import CitationGraph, TextIndexes
from foreart.search.retrieval import WORDS

# The index whose rows say what a document is about.
TOPICS_INDEX = "topics"


class CandidatePool:
    """The best candidates of a search that may be hits, and documents judged besides them, as rows of one view.

    `scores` of a ranking that is not learned, whose scales differ, are replaced by minus the logarithm of the place.
    """

    def __init__(self, ranker: Ranker, listing: Listing, topics: Index | None) -> None:
        self._view, self._listing = ranker.view, listing
        self._graph = CitationGraph(ranker.view)
        self._by_place = ranker.fusion_kind != "learned"
        table = None if topics is None else TextIndexes({TOPICS_INDEX: topics}, ranker.view.ids).table(TOPICS_INDEX)
        self._topics = np.zeros((len(ranker.view), 0)) if table is None else table
        rows = listing.comparison.candidates(listing.allowed)
        scores = listing.comparison.scores_of(rows)
        ids = np.array([self._view.ids[row] for row in rows.tolist()])
        order = np.lexsort((ids, -scores)) if len(rows) else np.empty(0, dtype=np.int64)
        order = order[first_of_families(rows[order], self._view.families)][:POOL]
        self.ranked, self._scores = rows[order], scores[order]
        names = family_names(self.ranked, self._view.families).tolist()
        self._representatives = dict(zip(names, self.ranked.tolist(), strict=True))
        self._pools: dict[bytes, FeedbackPool] = {}
        self._near: tuple[FeedbackPool | None, dict[int, np.ndarray]] = None, {}

    @property
    def documents(self) -> int:
        """How many documents of the corpus the search may know."""
        return int(np.count_nonzero(self._listing.known))

    @property
    def has_citations(self) -> bool:
        """Whether the corpus has citations."""
        return not self._graph.from_texts

    def ids(self, rows: np.ndarray) -> list[str]:
        """The ids of rows."""
        return [self._view.ids[row] for row in rows.tolist()]

    def row(self, number: str) -> int | None:
        """The row that stands for the family of a document; None if the corpus does not have the document."""
        row = self._view.ids.row(number)
        if row is None:
            return None
        name = int(family_names(np.array([row]), self._view.families)[0])
        representative: int = self._representatives.get(name, int(row))
        return representative

    def admissible(self, row: int) -> bool:
        """Whether a row may be a hit."""
        return bool(self._listing.allowed[row])

    def labels(self, judged: Sequence[JudgedDocument]) -> dict[int, float]:
        """The label of each judged row; the last judgement of a family counts, and unknown documents do not."""
        found = ((self.row(item.id), item.label) for item in judged)
        return {row: label for row, label in found if row is not None}

    def with_judged(self, labels: Mapping[int, float], *also: int) -> tuple[FeedbackPool, GivenJudgements]:
        """The pool of the candidates, the judged rows and some others, and the judgements in it."""
        judged = np.array(sorted(labels), dtype=np.int64)
        pool = self._pool(np.setdiff1d(np.append(judged, np.array(also, dtype=np.int64)), self.ranked))
        given = np.array([labels[row] for row in judged.tolist()], dtype=np.float64)
        return pool, GivenJudgements(pool.relations.places(judged), given)

    def nearness(self, pool: FeedbackPool, judged: np.ndarray) -> np.ndarray:
        """The largest cosine of each document's topics with those of judged rows; one new row is cheap."""
        if self._near[0] is not pool:
            self._near = pool, {}
        known = self._near[1]
        for row in judged.tolist():
            if row not in known:
                known[row] = nearness(pool.topics, pool.relations.places(np.array([row])))
        found: np.ndarray = np.max([known[row] for row in judged.tolist()], axis=0)
        return found

    @property
    def by_place(self) -> bool:
        """Whether places in the list stand for the scores of the ranking."""
        return self._by_place

    def listed(self, number: str) -> Listed | None:
        """A document as a search record lists it, with its place among the candidates; None if it is no candidate."""
        row = self.row(number)
        places = np.flatnonzero(self.ranked == row)
        if row is None or not len(places):
            return None
        listing, place = self._listing, int(places[0])
        patent, family = listing.patent(row), listing.family(row)
        members = listing.members([row]).get(family, ())
        return Listed(
            rank=place + 1,
            id=patent.id,
            score=float(self._scores[place]),
            status=listing.status(row),
            rule=listing.rule(row),
            family=family,
            title=patent.title,
            published=patent.published,
            family_members=tuple(RelatedPublication(member.id, member.status) for member in members),
            parts={part.channel: float(part.contribution) for part in listing.comparison.parts(row)},
            words={word: float(share) for word, share in listing.comparison.words(row)[:WORDS]},
        )

    def _pool(self, others: np.ndarray) -> FeedbackPool:
        """The candidates and some other rows; the pool of the last judgements is kept."""
        key = others.tobytes()
        if key not in self._pools:
            rows = np.union1d(self.ranked, others)
            scores = np.empty(len(rows))
            scores[np.searchsorted(rows, self.ranked)] = self._priors
            scores[np.searchsorted(rows, others)] = self._priors_of(others)
            relations = relations_of(rows, self._graph, self._listing.known)
            self._pools = {key: FeedbackPool(scores, self._topics[rows].astype(np.float64), relations)}
        return self._pools[key]

    @property
    def _priors(self) -> np.ndarray:
        """What the ranking says of each candidate, best first."""
        return -np.log1p(np.arange(len(self._scores))) if self._by_place else self._scores

    def _priors_of(self, rows: np.ndarray) -> np.ndarray:
        """The same of rows that are no candidates; those are behind all of them."""
        if self._by_place or not len(rows):
            return np.full(len(rows), -np.log1p(len(self._scores)))
        return self._listing.comparison.scores_of(rows)
