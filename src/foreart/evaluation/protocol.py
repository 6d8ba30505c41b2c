"""The retrieval protocol and the pair protocol, for anything that can score every document of a corpus.

Retrieval: each query ranks the documents that may be known before it (`search.scope.known_before`): earlier by
priority, else filing, else publication, without itself and its family. Pairs, as in Helmers et al. (2019): each query
is scored with its cited documents and with one shared random set, whatever their dates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Protocol

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.views import CorpusView
from foreart.document.draft import outlined
from foreart.document.patent import Patent
from foreart.errors import ForeartError
from foreart.evaluation.pairs.labelled import Labelled, labelled_pairs
from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.queries import QueryDocument
from foreart.evaluation.trec.run import RankedList, Run, id_places
from foreart.identifiers.numbers import number_key
from foreart.parallel import cores, in_order
from foreart.search import Cutoff, Ranker, Scope, known_before
from foreart.search.law.date_arrays import DateArrays, earlier
from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.siblings import Siblings
from foreart.search.retrieval import searched_corpus

RANDOM = 1000
SEED = 1

Progress = Callable[[int, int], None]


class Compared(Protocol):
    """A query compared with documents: `search.ranker.Comparison`, or `AllScores`."""

    def candidates(self, allowed: np.ndarray, k: int = 0) -> np.ndarray:
        """The allowed rows that are ranked."""

    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        """The scores of any rows, higher is better."""


@dataclass(frozen=True, slots=True, eq=False)
class AllScores:
    """The scores of all documents, by row."""

    scores: np.ndarray

    def candidates(self, allowed: np.ndarray, k: int = 0) -> np.ndarray:
        """All allowed rows."""
        return np.flatnonzero(allowed)

    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        """The scores of some rows."""
        scores: np.ndarray = self.scores[rows]
        return scores


# Compares a query without its citations with what may be known to it. Several threads call it.
Scorer = Callable[[QueryDocument, Scope], Compared]


@dataclass(frozen=True, eq=False)
class Collection:
    """The documents that queries rank, in the order of a scorer's rows."""

    view: CorpusView
    corpus: Corpus
    # Rows that are hidden from a query besides its own family, by its id.
    hidden: Mapping[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def scope(self, query: QueryDocument) -> Scope:
        """What may be known to a query. A query without a date may know all documents but its family."""
        numbers, dates = (query.id,), self._dates
        scope = known_before(query.document, _cutoff(query), self.view, self.corpus, numbers=numbers, dates=dates)
        scope.known[self.hidden.get(query.id, [])] = False
        return scope if query.date else replace(scope, day=0)

    def allowed(self, query: QueryDocument, scope: Scope, *, families: bool = True) -> np.ndarray:
        """The rows that a query ranks; without `families` also its own family, though not itself."""
        if families:
            return scope.known
        mask = earlier(self._dates, _cutoff(query))
        mask[self.rows(query.id)] = False
        if isinstance(query.document, Patent):
            mask[self.rows(query.document.id)] = False
        return mask

    def rows(self, number: str) -> np.ndarray:
        """The rows of a publication number, whatever its kind code."""
        return self.view.rows_of([number_key(number)])

    @cached_property
    def siblings(self) -> Siblings | None:
        """The siblings of documents; None if no document has citations."""
        return Siblings(CitationGraph(self.view)) if len(self.view.cited.values) else None

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of all rows."""
        return tuple(self.view.ids)

    @cached_property
    def id_order(self) -> np.ndarray:
        """The place of each row's id among all ids, which decides ties."""
        return id_places(self.ids)

    @cached_property
    def _dates(self) -> DateArrays:
        return DateArrays.of(self.view)


def _cutoff(query: QueryDocument) -> Cutoff:
    """The query's own date, from its first day."""
    return Cutoff(query.date, "date of the query") if query.date else Cutoff("9999-12-31", "the query has no date")


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The output of the protocols: rankings, labelled pairs, and notes for the reader."""

    run: Run
    pairs: Labelled
    notes: tuple[str, ...] = ()


def collection_of(ranker: Ranker, corpus: Corpus) -> Collection:
    """The documents of a ranker as they were indexed; StaleIndex if its index is of another state of the corpus."""
    indexed = searched_corpus(corpus, ranker)
    return Collection(ranker.view, indexed, notes=tuple(filter(None, (indexed.changes.note,))))


def ranker_scorer(ranker: Ranker) -> Scorer:
    """Scores by a ranker; a query that it learned from is judged by what it learned without it and its family."""

    def compared(query: QueryDocument, scope: Scope) -> Compared:
        document = query.document
        draft = outlined(document) if isinstance(document, Patent) else document
        own = (ranker.ids[row] for row in scope.own.rows.tolist())
        return ranker.unlearned(query.id, *own).compare(draft, scope)

    return compared


def random_rows(ids: Sequence[str], qrels: Qrels, *, count: int = RANDOM, seed: int = SEED) -> tuple[int, ...]:
    """Documents drawn from those that are neither a query nor relevant to any; all of them, if there are no more."""
    taken = {number_key(number) for query in qrels.queries for number in (query, *qrels.relevant(query))}
    free = [row for row, number in enumerate(ids) if number_key(number) not in taken]
    return tuple(free if count >= len(free) else Random(seed).sample(free, count))  # noqa: S311 a sample, no secret


def run_protocol(
    queries: Sequence[QueryDocument],
    scorer: Scorer,
    collection: Collection,
    qrels: Qrels,
    *,
    random: Sequence[int] = (),
    depth: int | None = None,
    families: bool = True,
    tag: str = "foreart",
    progress: Progress | None = None,
) -> Outcome:
    """Scores each query once; ranks what may be known, `depth` documents deep, and takes the scores of its pairs.

    Without `families` the query's own family is ranked too. A query without a date is ranked against all documents.
    Several queries run in parallel.
    """
    rankings: dict[str, RankedList] = {}
    pairs: list[tuple[str, np.ndarray, np.ndarray]] = []
    drawn = np.array(random, dtype=np.int64)
    hidden = 0
    # The corpus is read by this thread alone.
    scoped = ((query, collection.scope(query)) for query in queries)

    def take(item: tuple[QueryDocument, Scope]) -> tuple[RankedList, np.ndarray, np.ndarray, int]:
        query, scope = item
        compared = scorer(replace(query, document=query.blind), scope)
        mask = collection.allowed(query, scope, families=families)
        relevant = relevant_rows(query, qrels, collection)
        lost = sum(not mask[rows].any() for rows in relevant)
        cited = np.array([_scores(query, compared, rows).max() for rows in relevant])
        rows = compared.candidates(mask, depth or 0)
        ranked = _ranking(rows, _scores(query, compared, rows), collection, depth)
        return ranked, cited, _scores(query, compared, drawn), lost

    with ThreadPoolExecutor(cores()) as pool:
        for query, (ranked, cited, other, lost) in zip(
            queries, in_order(pool, take, scoped, ahead=2 * cores()), strict=True
        ):
            rankings[query.id] = ranked
            pairs.append((query.id, cited, other))
            hidden += lost
            if progress is not None:
                progress(len(pairs), len(queries))
    notes = tuple(_notes(queries, qrels, collection, hidden))
    return Outcome(Run(rankings, tag), labelled_pairs(pairs), notes)


def relevant_rows(query: QueryDocument, qrels: Qrels, collection: Collection) -> list[np.ndarray]:
    """The rows of each relevant document that is in the corpus: several publications may have one number."""
    keys = dict.fromkeys(number_key(number) for number in qrels.relevant(query.id))
    found = (collection.rows(key) for key in keys)
    return [rows for rows in found if len(rows)]


def _scores(query: QueryDocument, compared: Compared, rows: np.ndarray) -> np.ndarray:
    scores = np.asarray(compared.scores_of(rows), dtype=np.float64)
    if scores.shape != (len(rows),):
        raise ForeartError(f"{query.id}: {scores.size:,} scores for {len(rows):,} documents")
    if np.isnan(scores).any() or np.isposinf(scores).any():
        raise ForeartError(f"{query.id}: a score is NaN or infinite, and cannot be ranked")
    return scores


def _ranking(rows: np.ndarray, scores: np.ndarray, collection: Collection, depth: int | None) -> RankedList:
    order = np.lexsort((collection.id_order[rows], -scores))[:depth]
    found = scores[order]
    found.setflags(write=False)
    return RankedList(tuple(collection.ids[row] for row in rows[order].tolist()), found)


def _notes(queries: Iterable[QueryDocument], qrels: Qrels, collection: Collection, hidden: int) -> Iterable[str]:
    """Caveats of the figures."""
    undated = [query.id for query in queries if not query.date]
    if undated:
        yield f"ranked against all documents, because the query has no date: {', '.join(undated)}"
    missing = {number for query in queries for number in qrels.relevant(query.id) if not len(collection.rows(number))}
    if missing:
        yield (
            f"{len(missing):,} relevant documents are not in the corpus: they count as not found, and make no pairs "
            f"({', '.join(sorted(missing)[:5])}{' …' if len(missing) > 5 else ''})"
        )
    if hidden:
        yield (
            f"{hidden:,} relevant documents are not earlier than their query or of its own family: they are not ranked "
            "and count as not found"
        )
