"""The nearest documents as weights, and the walk along citations, against plain calculation."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.search.ranking.nearest import NEAREST, citation_walk, nearest_weights
from ranking_world import graph


def test_weights_are_fourth_powers_that_sum_to_one() -> None:
    similarity = np.array([0.5, 1.0, 0.0, 0.8, 0.9])
    known = np.array([True, True, True, False, True])
    weights = nearest_weights(similarity, known)
    assert list(weights) == list(NEAREST)
    total = 0.5**4 + 1 + 0.9**4
    np.testing.assert_allclose(weights[10], [0.5**4 / total, 1 / total, 0, 0, 0.9**4 / total])


def test_only_the_nearest_have_a_weight() -> None:
    rng = np.random.default_rng(3)
    similarity, known = rng.random(1000), rng.random(1000) < 0.7
    weights = nearest_weights(similarity, known)
    order = [row for row in np.argsort(-similarity) if known[row]]
    for number in NEAREST:
        assert sorted(np.flatnonzero(weights[number])) == sorted(order[:number])
        assert weights[number].sum() == pytest.approx(1)


def test_nothing_is_near_a_draft_without_words() -> None:
    weights = nearest_weights(np.zeros(4), np.ones(4, dtype=bool))
    assert all(not weights[number].any() for number in NEAREST)


def test_the_walk_is_a_random_walk_with_restart_on_citations_of_known_documents() -> None:
    made = graph({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",), "E": ("A",)})
    known = np.array([True, True, True, True, False])
    edges = np.zeros((5, 5))
    for citing, cited in ((1, 0), (2, 0), (2, 1), (3, 2)):  # what E cites is not known
        edges[citing, cited] = edges[cited, citing] = 1
    start = np.array([0, 0.25, 0, 0.75, 0])
    at = start
    degrees = np.maximum(edges.sum(axis=0), 1)
    for _ in range(8):
        at = 0.5 * start + 0.5 * edges @ (at / degrees)
    np.testing.assert_allclose(citation_walk(start, known, made), np.maximum(at - 0.5 * start, 0), atol=1e-12)
