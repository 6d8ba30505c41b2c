"""Which documents of a corpus become training queries, and how they are divided into folds without leaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from foreart.corpus.views import ALONE, CorpusView
from foreart.identifiers.numbers import number_key
from foreart.search.ranking import CitationGraph
from foreart.search.ranking.near.siblings import SIMILAR as SIBLINGS

# Documents with few of their citations in the corpus train the model to rank almost nothing. On the 179 targets of
# ../shared/data training queries with five citations or more gave MAP .49, those with one or more .44.
MIN_CITATIONS, MAX_QUERIES = 5, 600
# For the weights of neighbours, citations outside the corpus count too.
MIN_LISTED, MAX_LISTED = 3, 1200
_ENOUGH_QUERIES = 20
# Cost per training query grows with corpus size: above this many documents fewer are used, but at least a quarter.
_LARGE, _QUARTER = 50_000, 1 / 4
FOLDS = 3
# Documents whose lists of citations are this similar (Jaccard), siblings above all, stay in one fold. If a group then
# holds most of them, the next threshold is tried; the last one keeps only families together.
SIMILAR = (SIBLINGS, 0.6, 0.8, 2.0)
_LARGEST_GROUP = 1 / 2


@dataclass(frozen=True, slots=True)
class TrainingQueries:
    """Rows used as queries: `ranked` for the weights of channels, `listed` for those of neighbours.

    `min_citations` is the smallest number of relevant documents of a `ranked` query.
    """

    ranked: tuple[int, ...]
    listed: tuple[int, ...]
    min_citations: int

    def only(self, wanted: Callable[[int], bool]) -> TrainingQueries:
        """The queries whose rows pass a test."""
        return replace(self, ranked=tuple(filter(wanted, self.ranked)), listed=tuple(filter(wanted, self.listed)))


def training_queries(graph: CitationGraph, *, without: Sequence[str] = (), seed: int = 0) -> TrainingQueries:
    """Documents with enough earlier citations in the corpus, excluding `without` and their families."""
    counts = np.diff(graph.relevant.indptr)
    counts[with_families(graph.view, without)] = 0
    options = (MIN_CITATIONS, 3, 2, 1)
    minimum = next((option for option in options if (counts >= option).sum() >= _ENOUGH_QUERIES), 1)
    # Documents that cite nothing of the corpus belong to fields that it does not cover.
    listed = (np.diff(graph.cited.starts) >= MIN_LISTED) & (counts > 0)
    limit, limit_listed = (int(maximum * _share(len(graph))) for maximum in (MAX_QUERIES, MAX_LISTED))
    ranked = _sample(np.flatnonzero(counts >= minimum), limit, seed)
    others = _sample(np.setdiff1d(np.flatnonzero(listed), ranked), max(0, limit_listed - len(ranked)), seed)
    return TrainingQueries(ranked, tuple(sorted((*ranked, *others))), minimum)


def _share(documents: int) -> float:
    """The share of the maximum number of training queries to use for a corpus of this size."""
    return max(_QUARTER, min(1.0, _LARGE / max(documents, 1)))


def with_families(view: CorpusView, numbers: Sequence[str]) -> np.ndarray:
    """The rows of publication numbers, with any kind code, and of their families."""
    return view.members(view.rows_of(map(number_key, numbers)))


def _sample(rows: np.ndarray, limit: int, seed: int) -> tuple[int, ...]:
    chosen = rows.tolist()
    return tuple(sorted(chosen if len(chosen) <= limit else Random(seed).sample(chosen, limit)))  # noqa: S311 no secret


def folds(
    rows: Sequence[int], graph: CitationGraph, *, others: Sequence[int] = (), count: int = FOLDS
) -> tuple[tuple[int, ...], ...]:
    """Divides rows into folds that keep families and similar lists of citations together, the largest groups first.

    Each of `others` joins the fold of its family, else of the row with the most similar list. There are fewer than
    `count` folds if there are not enough groups.
    """
    found: list[list[int]] = []
    for similar in SIMILAR:
        found = sorted(groups(rows, graph, similar=similar), key=lambda group: (-len(group), group))
        if found and len(found[0]) <= _LARGEST_GROUP * len(rows):
            break
    made: list[list[int]] = [[] for _ in range(count)]
    for group in found:
        min(made, key=len).extend(group)
    fold_of = {row: part for part in made for row in part}
    for row, nearest in zip(others, _nearest(others, rows, graph), strict=True):
        fold_of[nearest].append(row)
    return tuple(tuple(sorted(part)) for part in made if part)


def _nearest(others: Sequence[int], rows: Sequence[int], graph: CitationGraph) -> list[int]:
    """For each of `others`, the row of its family, else the one with the most similar list of citations."""
    if not len(others):
        return []
    mine, theirs = (graph.lists[np.array(some, dtype=np.int64)] for some in (others, rows))
    lengths = np.sqrt(np.maximum(1.0, np.diff(theirs.indptr)))
    similar = (mine @ theirs.T).toarray() / lengths
    own, families = (graph.view.families[list(some)] for some in (others, rows))
    similar[(own[:, None] == families) & (own[:, None] != ALONE)] = np.inf
    return [rows[index] for index in np.argmax(similar, axis=1).tolist()]


def groups(rows: Sequence[int], graph: CitationGraph, *, similar: float = SIMILAR[0]) -> list[list[int]]:
    """Groups of rows linked by a family, or by lists of citations with a Jaccard similarity of at least `similar`.

    Lists are compared in whole, and by the relevant documents of the corpus alone.
    """
    chosen = np.array(rows, dtype=np.int64)
    families = graph.view.families[chosen]
    edges = [np.nonzero((families[:, None] == families) & (families[:, None] != ALONE))]
    for lists in (graph.lists[chosen], graph.relevant[chosen]):
        lengths = np.diff(lists.indptr)
        shared = (lists @ lists.T).tocoo()
        near = shared.data >= similar * (lengths[shared.row] + lengths[shared.col] - shared.data)
        edges.append((shared.row[near], shared.col[near]))
    linked = tuple(np.concatenate(ends) for ends in zip(*edges, strict=True))
    _, labels = connected_components(coo_array((np.ones(len(linked[0])), linked), shape=(len(chosen),) * 2))
    found: dict[int, list[int]] = defaultdict(list)
    for row, label in zip(chosen.tolist(), labels.tolist(), strict=True):
        found[label].append(row)
    return list(found.values())
