"""The nearest known documents of a draft as weights that sum to 1, for what they cite and what cites them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.sparse import csr_array

from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.draft_query import DraftFeatures
from foreart.search.ranking.near.sparse_columns import SparseColumn, column_of, counted, lengths, linked

# How many of the nearest documents are asked for their citations; most signals use one of these numbers.
NEAREST = (10, 50, 200)
WALKED = 50
# The similarity of texts: topics count as much as both ways to compare words.
_TEXTS = {"topics": 0.5, "words": 0.25, "brief": 0.25}
# Powers above 1 favour the nearest.
_POWER = 4
# Steps of the walk along citations, and the share of it that returns to the nearest documents at each. It stays within
# some links of where it starts: in a large corpus all documents are few steps from each other, and hardly any walk
# gets further.
_STEPS, _RESTART, _RADIUS = 8, 0.5, 2


def nearest_weights(rows: np.ndarray, similarity: np.ndarray, known: np.ndarray) -> dict[int, SparseColumn]:
    """For each number in NEAREST the weights of that many known documents, the more similar the larger."""
    kept = np.flatnonzero(known & (similarity > 0))
    kept = kept[np.argsort(-similarity[kept], kind="stable")[: NEAREST[-1]]]
    weights = {}
    for number in NEAREST:
        powers = similarity[kept[:number]] ** _POWER
        weights[number] = column_of(rows[kept[:number]], powers / max(1e-300, float(powers.sum())))
    return weights


def text_similarity(features: DraftFeatures) -> np.ndarray:
    """The mean similarity of texts, by topics and words; by words alone if there are no topics."""
    used: Mapping[str, float] = {name: share for name, share in _TEXTS.items() if name in features.texts}
    total: np.ndarray = sum(
        (share * features.texts[name] for name, share in used.items()), np.zeros(len(features.rows))
    )
    return total / sum(used.values())


def citation_walk(start: SparseColumn, known: np.ndarray, graph: CitationGraph) -> SparseColumn:
    """The share of a random walk along citations, in both directions, that is at each document.

    It starts and restarts at the near documents of `start`; only citations by known documents are used. What leaves the
    surroundings of the start is lost, and what is left at the start itself does not count.
    """
    rows = _surroundings(start.rows, known, graph)
    citing = known[rows].astype(np.float64)
    cites = _within(graph.cites, rows)
    degrees = citing * lengths(graph.cites, rows) + counted(graph.cited_by, rows, known)
    degrees[degrees == 0] = 1.0
    first = start.at(rows)
    at = first
    for _ in range(_STEPS):
        leaving = at / degrees
        at = _RESTART * first + (1.0 - _RESTART) * (citing * (cites @ leaving) + cites.T @ (citing * leaving))
    return SparseColumn(rows, np.maximum(at - _RESTART * first, 0.0))


def _surroundings(rows: np.ndarray, known: np.ndarray, graph: CitationGraph) -> np.ndarray:
    """The rows that citations by known documents connect with some rows in few steps, and these."""
    found = latest = np.unique(rows)
    for _ in range(_RADIUS):
        _, cited = linked(graph.cites, latest[known[latest]])
        _, citing = linked(graph.cited_by, latest)
        latest = np.setdiff1d(np.concatenate([cited, citing[known[citing]]]), found)
        found = np.union1d(found, latest)
    return found


def _within(links: csr_array, rows: np.ndarray) -> csr_array:
    """The links between some rows, by their places."""
    sources, targets = linked(links, rows)
    places = np.searchsorted(rows, targets)
    kept = rows[np.minimum(places, max(0, len(rows) - 1))] == targets if len(rows) else np.zeros(0, dtype=bool)
    return csr_array((np.ones(int(kept.sum())), (sources[kept], places[kept])), shape=(len(rows),) * 2)
