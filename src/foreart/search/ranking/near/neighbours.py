"""Neighbours: documents that probably cite what the draft will, by text, people and the patents they name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.search.ranking.logistic import Logistic, fit_logistic
from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.draft_query import DraftFeatures
from foreart.search.ranking.near.sparse_columns import SparseColumn, column_of

# How many of the nearest documents with citations are candidates.
CANDIDATES = 300
# Two documents are coupled if the cosine of their citation lists is above this.
COUPLED = 0.05
# Weights that may have either sign; the others must not be negative.
_FREE = ("youth", "list length")
_PENALTY = 1e-4
_TEXTS = ("words", "brief", "topics", "word vectors", "counts", "claims", "abstract", "claims in text")


def citing_rows(features: DraftFeatures, graph: CitationGraph) -> np.ndarray:
    """The nearest known documents that cite anything, nearest first."""
    places = np.flatnonzero(features.known & (graph.citing[features.rows]))
    return features.rows[places[np.argsort(-features.near[places], kind="stable")[:CANDIDATES]]]


def values(features: DraftFeatures, rows: np.ndarray, graph: CitationGraph) -> tuple[tuple[str, ...], np.ndarray]:
    """The features of some documents as neighbours, with a column for each name."""
    columns: dict[str, np.ndarray] = {}
    places = features.place_of(rows)
    for name in _TEXTS:
        if name in features.texts:
            columns[name] = features.texts[name][places]
            columns[f"{name}, relative"] = features.relative[name][places]
    columns["order"] = -np.log1p(np.arange(len(rows)))
    columns |= {name: mask[places] for name, mask in features.people.items()}
    columns["youth"] = -np.log1p(features.ages[places])
    columns["list length"] = np.log1p(graph.cited.starts[rows + 1] - graph.cited.starts[rows])
    columns["named"] = features.named[places]
    columns["shared numbers"] = features.shared_numbers[places]
    return tuple(columns), np.stack(list(columns.values()), axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Two weights of a neighbour: the probability that it is coupled, and the expected share of common citations."""

    coupled: Logistic
    shared: Logistic

    def weights(self, features: DraftFeatures, graph: CitationGraph) -> tuple[SparseColumn, SparseColumn]:
        """Both weights of the documents that can be neighbours."""
        rows = citing_rows(features, graph)
        names, table = values(features, rows, graph)
        return (column_of(rows, self.coupled.chances(names, table)), column_of(rows, self.shared.chances(names, table)))


def plain_weights(features: DraftFeatures, graph: CitationGraph) -> tuple[SparseColumn, SparseColumn]:
    """Weights without a learned model: similarity of text, more for the same applicant."""
    rows = citing_rows(features, graph)[:30]
    places = features.place_of(rows)
    weights = column_of(rows, features.near[places] ** 2 * (1.0 + 0.5 * features.people["applicant"][places]))
    return weights, weights


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourExample:
    """The candidates of one training query, and the overlap of their citation lists with its own.

    `weight` is that of the query.
    """

    names: tuple[str, ...]
    table: np.ndarray
    cosine: np.ndarray
    share: np.ndarray
    lengths: np.ndarray
    weight: float = 1.0


def neighbour_example(
    features: DraftFeatures, row: int, graph: CitationGraph, labels: CitationGraph, *, weight: float = 1.0
) -> NeighbourExample:
    """The neighbours of a document as a training example; `labels` has the citation lists to predict."""
    rows = citing_rows(features, graph)
    names, table = values(features, rows, graph)
    common = overlap_of(labels, row, rows)
    lengths = np.diff(labels.cited.starts)
    own = max(1, int(lengths[row]))
    theirs = np.maximum(1, lengths[rows])
    return NeighbourExample(names, table, common / np.sqrt(own * theirs), common / theirs, theirs, weight)


def overlap_of(graph: CitationGraph, row: int, rows: np.ndarray) -> np.ndarray:
    """How many citations each of some documents shares with one."""
    mine = np.zeros(len(graph.view.numbers), dtype=np.float32)
    mine[graph.cited.row(row)] = 1.0
    common: np.ndarray = graph.lists[rows] @ mine
    return common


def fit_neighbours(examples: list[NeighbourExample]) -> Neighbours:
    """Fits both models."""
    names = examples[0].names
    signs = [0 if name in _FREE else 1 for name in names]
    table = np.concatenate([item.table for item in examples])
    cosine = np.concatenate([item.cosine for item in examples])
    each = np.repeat([item.weight for item in examples], [len(item.cosine) for item in examples])
    coupled = fit_logistic(table, (cosine > COUPLED).astype(float), names, signs=signs, penalty=_PENALTY, weights=each)
    # Each citation of a neighbour is an observation; the square root dampens the longest lists.
    weights = each * np.sqrt(np.concatenate([item.lengths for item in examples]).astype(float))
    share = np.concatenate([item.share for item in examples])
    shared = fit_logistic(table, share, names, signs=signs, penalty=_PENALTY, weights=weights)
    return Neighbours(coupled, shared)
