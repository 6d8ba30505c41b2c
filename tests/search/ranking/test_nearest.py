"""The nearest documents as weights, and the walk along citations, against plain calculation."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.search.ranking.near.nearest import NEAREST, citation_walk, nearest_weights
from foreart.search.ranking.near.sparse_columns import SparseColumn
from ranking_world import graph


def test_weights_are_fourth_powers_that_sum_to_one() -> None:
    similarity = np.array([0.5, 1.0, 0.0, 0.8, 0.9])
    known = np.array([True, True, True, False, True])
    weights = nearest_weights(np.arange(5) * 2, similarity, known)
    assert list(weights) == list(NEAREST)
    total = 0.5**4 + 1 + 0.9**4
    assert weights[10].rows.tolist() == [0, 2, 8]
    np.testing.assert_allclose(weights[10].values, [0.5**4 / total, 1 / total, 0.9**4 / total])


def test_only_the_nearest_have_a_weight() -> None:
    rng = np.random.default_rng(3)
    similarity, known = rng.random(1000), rng.random(1000) < 0.7
    weights = nearest_weights(np.arange(1000), similarity, known)
    order = [row for row in np.argsort(-similarity) if known[row]]
    for number in NEAREST:
        assert weights[number].rows.tolist() == sorted(order[:number])
        assert weights[number].values.sum() == pytest.approx(1)


def test_nothing_is_near_a_draft_without_words() -> None:
    weights = nearest_weights(np.arange(4), np.zeros(4), np.ones(4, dtype=bool))
    assert all(not len(weights[number].rows) for number in NEAREST)


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
    walk = citation_walk(SparseColumn(np.array([1, 3]), start[[1, 3]]), known, made)
    np.testing.assert_allclose(walk.at(np.arange(5)), np.maximum(at - 0.5 * start, 0), atol=1e-12)


def test_the_walk_stays_within_two_links_of_its_start() -> None:
    chain = graph({"A": (), "B": ("A",), "C": ("B",), "D": ("C",), "E": ("D",)})
    walk = citation_walk(SparseColumn(np.array([4]), np.ones(1)), np.ones(5, dtype=bool), chain)
    assert walk.rows.tolist() == [2, 3, 4]
    assert (walk.at(np.array([2, 3])) > 0).all()
    # What C would send on to B is lost.
    assert walk.values.sum() < 0.5
