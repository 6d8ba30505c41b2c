"""The nearest known documents of a draft as weights that sum to 1, for what they cite and what cites them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.neighbours import DraftFeatures

# How many of the nearest documents are asked for their citations; most signals use one of these numbers.
NEAREST = (10, 50, 200)
WALKED = 50
# The similarity of texts: topics count as much as both ways to compare words.
_TEXTS = {"topics": 0.5, "words": 0.25, "brief": 0.25}
# Powers above 1 favour the nearest.
_POWER = 4
# Steps of the walk along citations, and the share of it that returns to the nearest documents at each.
_STEPS, _RESTART = 8, 0.5


def nearest_weights(similarity: np.ndarray, known: np.ndarray) -> dict[int, np.ndarray]:
    """For each number in NEAREST the weights of that many known documents, the more similar the larger."""
    rows = np.flatnonzero(known & (similarity > 0))
    if len(rows) > NEAREST[-1]:
        threshold = np.partition(similarity[rows], len(rows) - NEAREST[-1])[len(rows) - NEAREST[-1]]
        rows = rows[similarity[rows] >= threshold]
    rows = rows[np.argsort(-similarity[rows], kind="stable")]
    weights = {}
    for number in NEAREST:
        powers = similarity[rows[:number]] ** _POWER
        weights[number] = np.zeros(len(similarity))
        weights[number][rows[:number]] = powers / max(1e-300, float(powers.sum()))
    return weights


def text_similarity(features: DraftFeatures) -> np.ndarray:
    """The mean similarity of texts, by topics and words; by words alone if there are no topics."""
    used: Mapping[str, float] = {name: share for name, share in _TEXTS.items() if name in features.texts}
    total: np.ndarray = sum(
        (share * features.texts[name] for name, share in used.items()), np.zeros(len(features.known))
    )
    return total / sum(used.values())


def citation_walk(start: np.ndarray, known: np.ndarray, graph: CitationGraph) -> np.ndarray:
    """The share of a random walk along citations, in both directions, that is at each document.

    It starts and restarts at the near documents of `start`; only citations by known documents are used. What is left at
    the start itself does not count.
    """
    cites, cited_by, citing = graph.cites, graph.cited_by, known.astype(np.float64)
    degrees = citing * np.diff(cites.indptr) + cited_by @ citing
    degrees[degrees == 0] = 1.0
    at = start
    for _ in range(_STEPS):
        leaving = at / degrees
        at = _RESTART * start + (1.0 - _RESTART) * (citing * (cites @ leaving) + cited_by @ (citing * leaving))
    found: np.ndarray = np.maximum(at - _RESTART * start, 0.0)
    return found
