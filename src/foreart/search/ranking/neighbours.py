"""Neighbours: documents that probably cite what the draft will, by text, people and the patents they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.identifiers.date_spans import EARLIEST
from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.logistic import Logistic, fit_logistic
from foreart.search.ranking.query_forms import QueryForms

# How many of the nearest documents with citations are candidates.
CANDIDATES = 300
_YEAR = 365.25
# Two documents are coupled if the cosine of their citation lists is above this.
COUPLED = 0.05
# Weights that may have either sign; the others must not be negative.
_FREE = ("youth", "list length")
_PENALTY = 1e-4
_TEXTS = ("words", "brief", "topics", "word vectors", "counts", "claims", "abstract", "claims in text")


@dataclass(frozen=True, slots=True, eq=False)
class DraftFeatures:
    """A draft compared with all documents by text, people and numbers, before any citation is used.

    `texts` are scores by channel, `relative` the same divided by the largest of a known document, `near` the mean of
    words, brief and topics. `known` masks the documents that may be used, `day` is the date of the draft. `rows` are
    the draft's own unit rows in the channels whose similarity can be learned.
    """

    texts: Mapping[str, np.ndarray]
    relative: Mapping[str, np.ndarray]
    near: np.ndarray
    known: np.ndarray
    day: int
    people: Mapping[str, np.ndarray]
    shared_numbers: np.ndarray
    named: np.ndarray
    rows: Mapping[str, np.ndarray]


def draft_features(
    texts: Mapping[str, np.ndarray],
    forms: QueryForms,
    known: np.ndarray,
    day: int,
    graph: CitationGraph,
    rows: Mapping[str, np.ndarray] | None = None,
) -> DraftFeatures:
    """The features of a draft with these scores and rows of its text channels."""
    view = graph.view
    relative = {name: _relative(scores, known) for name, scores in texts.items()}
    leading = [relative[name] for name in ("words", "brief", "topics") if name in relative]
    places = view.positions(forms.named)
    people = {
        "applicant": _ones(view.applicants.rows_with(forms.applicants), len(view)),
        "inventor": _ones(view.inventors.rows_with(forms.inventors), len(view)),
    }
    shared = graph.cited.overlap(places) + view.named.overlap(places)
    near: np.ndarray = np.mean(leading, axis=0)
    named = _ones(view.rows_at(places), len(view))
    return DraftFeatures(texts, relative, near, known, day, people, np.log1p(shared), named, rows or {})


def _ones(rows: np.ndarray, count: int) -> np.ndarray:
    mask = np.zeros(count)
    mask[rows] = 1.0
    return mask


def _relative(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    largest = float(scores[known].max(initial=0.0))
    return scores / largest if largest > 0 else np.zeros_like(scores)


def candidates(features: DraftFeatures, graph: CitationGraph) -> np.ndarray:
    """The nearest known documents that cite anything, nearest first."""
    rows = np.flatnonzero(features.known & (np.diff(graph.cited.starts) > 0))
    return rows[np.argsort(-features.near[rows], kind="stable")[:CANDIDATES]]


def values(features: DraftFeatures, rows: np.ndarray, graph: CitationGraph) -> tuple[tuple[str, ...], np.ndarray]:
    """The features of some documents as neighbours, with a column for each name."""
    columns: dict[str, np.ndarray] = {}
    for name in _TEXTS:
        if name in features.texts:
            columns[name] = features.texts[name][rows]
            columns[f"{name}, relative"] = features.relative[name][rows]
    columns["order"] = -np.log1p(np.arange(len(rows)))
    columns |= {name: mask[rows] for name, mask in features.people.items()}
    columns["youth"] = -np.log1p(ages(graph.view.days[rows], features.day))
    columns["list length"] = np.log1p(np.diff(graph.cited.starts)[rows])
    columns["named"] = features.named[rows]
    columns["shared numbers"] = features.shared_numbers[rows]
    return tuple(columns), np.stack(list(columns.values()), axis=1).astype(np.float64)


def ages(days: np.ndarray, day: int) -> np.ndarray:
    """Years from each day to another, 0 at least; documents without a date are as old as the median of the others."""
    undated = days == EARLIEST
    years: np.ndarray = np.maximum(0, day - days.astype(np.int64)) / _YEAR
    years[undated] = np.median(years[~undated]) if not undated.all() else 0.0
    return years


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Two weights of a neighbour: the probability that it is coupled, and the expected share of common citations."""

    coupled: Logistic
    shared: Logistic

    def weights(self, features: DraftFeatures, graph: CitationGraph) -> tuple[np.ndarray, np.ndarray]:
        """Both weights of every document, 0 for those that are not candidates."""
        rows = candidates(features, graph)
        likely, share = np.zeros(len(graph)), np.zeros(len(graph))
        if len(rows):
            names, table = values(features, rows, graph)
            likely[rows], share[rows] = self.coupled.chances(names, table), self.shared.chances(names, table)
        return likely, share


def plain_weights(features: DraftFeatures, graph: CitationGraph) -> tuple[np.ndarray, np.ndarray]:
    """Weights without a learned model: similarity of text, more for the same applicant."""
    rows = candidates(features, graph)[:30]
    weights = np.zeros(len(graph))
    weights[rows] = features.near[rows] ** 2 * (1.0 + 0.5 * features.people["applicant"][rows])
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
    rows = candidates(features, graph)
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
