"""Which documents of a corpus become training queries, and how they are divided into folds without leaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from foreart.corpus.views import ALONE, CorpusView
from foreart.identifiers.numbers import number_key
from foreart.search.ranking import CitationGraph

# Documents with few of their citations in the corpus train the model to rank almost nothing. On the 179 targets of
# ../shared/data training queries with five citations or more gave MAP .49, those with one or more .44.
LEAST, MOST = 5, 600
# For the weights of neighbours citations count wherever they lead.
LEAST_LISTED, MOST_LISTED = 3, 1200
_ENOUGH = 20
# Cost per training query grows with corpus size: above this many documents fewer are taken, but at least a quarter.
_LARGE, _QUARTER = 50_000, 1 / 4
FOLDS = 3
# Documents whose lists of citations are this similar (cosine) stay in one fold, unless that fold would hold most of
# them: then only more similar lists do, and in the end only families.
SIMILAR = (0.2, 0.4, 0.6, 0.8, 2.0)
_LARGEST_GROUP = 1 / 2


@dataclass(frozen=True, slots=True)
class TrainingQueries:
    """Rows used as queries: `ranked` for the weights of channels, `listed` for those of neighbours.

    `least` is how many relevant documents the `ranked` have at least.
    """

    ranked: tuple[int, ...]
    listed: tuple[int, ...]
    least: int


def training_queries(graph: CitationGraph, *, without: Sequence[str] = (), seed: int = 0) -> TrainingQueries:
    """Documents with enough earlier citations in the corpus; `without` are left out, with their families."""
    counts = np.array([len(relevant(graph, row)) for row in range(len(graph))])
    counts[_hidden(graph.view, without)] = 0
    least = next((least for least in (LEAST, 3, 2, 1) if (counts >= least).sum() >= _ENOUGH), 1)
    # Documents that cite nothing of the corpus belong to fields that it does not cover.
    listed = (np.diff(graph.cited.starts) >= LEAST_LISTED) & (counts > 0)
    most, most_listed = (int(number * _share(len(graph))) for number in (MOST, MOST_LISTED))
    ranked = _sample(np.flatnonzero(counts >= least), most, seed)
    others = _sample(np.setdiff1d(np.flatnonzero(listed), ranked), max(0, most_listed - len(ranked)), seed)
    return TrainingQueries(ranked, tuple(sorted((*ranked, *others))), least)


def _share(documents: int) -> float:
    """The share of training queries that a corpus of this size can afford."""
    return max(_QUARTER, min(1.0, _LARGE / max(documents, 1)))


def _hidden(view: CorpusView, without: Sequence[str]) -> np.ndarray:
    """The rows of some numbers, whatever their kind code, and of their families."""
    return view.members(view.numbered(map(number_key, without)))


def relevant(graph: CitationGraph, row: int) -> np.ndarray:
    """The documents of the corpus that one cites, without its family and those that are not earlier."""
    cites, days = graph.cites, graph.view.days
    cited: np.ndarray = cites.indices[cites.indptr[row] : cites.indptr[row + 1]]
    if not len(cited):
        return cited
    return np.setdiff1d(cited[days[cited] < days[row]], graph.view.members([row]))


def _sample(rows: np.ndarray, most: int, seed: int) -> tuple[int, ...]:
    chosen = rows.tolist()
    return tuple(sorted(chosen if len(chosen) <= most else Random(seed).sample(chosen, most)))  # noqa: S311 no secret


def folds(
    rows: Sequence[int], graph: CitationGraph, *, others: Sequence[int] = (), count: int = FOLDS
) -> tuple[tuple[int, ...], ...]:
    """Divides rows into folds that keep families and similar lists of citations together, the largest groups first.

    Each of the `others` joins the row of its family, else the row with the most similar list. There are fewer folds
    than asked for if there are not enough groups.
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
    """For each of `others` the row of its family, else the one with the most similar list of citations."""
    if not len(others):
        return []
    mine, theirs = (graph.lists[np.array(some, dtype=np.int64)] for some in (others, rows))
    lengths = np.sqrt(np.maximum(1.0, np.diff(theirs.indptr)))
    similar = (mine @ theirs.T).toarray() / lengths
    own, families = (graph.view.families[list(some)] for some in (others, rows))
    similar[(own[:, None] == families) & (own[:, None] != ALONE)] = np.inf
    return [rows[place] for place in np.argmax(similar, axis=1).tolist()]


def groups(rows: Sequence[int], graph: CitationGraph, *, similar: float = SIMILAR[0]) -> list[list[int]]:
    """Groups of rows that are linked by a family, or by lists of citations that are at least so similar."""
    chosen = np.array(rows, dtype=np.int64)
    lists = graph.lists[chosen]
    lengths = np.sqrt(np.maximum(1.0, np.diff(lists.indptr)))
    shared = (lists @ lists.T).tocoo()
    near = shared.data / (lengths[shared.row] * lengths[shared.col]) >= similar
    families = graph.view.families[chosen]
    one, other = np.nonzero((families[:, None] == families) & (families[:, None] != ALONE))
    ends = np.concatenate([shared.row[near], one]), np.concatenate([shared.col[near], other])
    _, labels = connected_components(coo_array((np.ones(len(ends[0])), ends), shape=(len(chosen),) * 2))
    found: dict[int, list[int]] = defaultdict(list)
    for row, label in zip(chosen.tolist(), labels.tolist(), strict=True):
        found[label].append(row)
    return list(found.values())
