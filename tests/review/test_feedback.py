"""Feedback: relations by hand, the model of a matter against SciPy, and a sum that is exact whatever is judged."""

from __future__ import annotations

from math import log1p, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_array

from foreart.errors import BadRequest
from foreart.review.feedback import (
    KINDS,
    RELATIONS,
    TOPICS,
    FeedbackPool,
    FeedbackWeights,
    GivenJudgements,
    JudgedDocument,
    Relations,
    family_names,
    feedback_weights_of,
    first_of_families,
    fit_matter,
    grown_products,
    in_order,
    interleaved,
    moved,
    nearness,
    related,
    relations_of,
    reranked,
)
from foreart.review.feedback.matter_model import _solved
from ranking_world import graph

CITES = {
    "US1": ("US90", "US91"),
    "US2": ("US90",),
    "US3": ("US1",),
    "US4": ("US1", "US2"),
    "US5": ("US1", "US2", "US3"),
    "US6": (),
}
IDS = tuple(CITES)
WEIGHTS = FeedbackWeights(-3.0, 2.0, dict.fromkeys(RELATIONS, 0.5), topics=0.8, penalty=0.3)


def _relations(known: list[bool] | None = None, rows: tuple[int, ...] = (0, 1, 2, 5)) -> Relations:
    return relations_of(np.array(rows), graph(CITES), np.array(known or [True] * 6))


def _with_row(relations: Relations, place: int) -> tuple[np.ndarray, ...]:
    """For each kind the relations of every row with that at a place."""
    return relations.sums(np.eye(len(relations.rows))[place])


def test_relations_are_those_computed_by_hand() -> None:
    together, coupled, linked = _with_row(_relations(), 0)
    # US4 cites US1 and US2 and nothing else, US5 also US3; US91 is cited by US1 alone, US90 by two.
    assert together == pytest.approx([0.0, 1 / sqrt(3) + 1 / sqrt(4), 1 / sqrt(4), 0.0])
    assert coupled == pytest.approx([0.0, 1 / sqrt(3), 0.0, 0.0])
    assert linked.tolist() == [0.0, 0.0, 1.0, 0.0]


def test_citations_of_documents_that_are_not_known_say_nothing() -> None:
    together, _, linked = _with_row(_relations([True, True, False, True, False, True]), 0)
    assert together == pytest.approx([0.0, 1 / sqrt(3), 0.0, 0.0])
    assert linked.tolist() == [0.0, 0.0, 0.0, 0.0]
    nothing = relations_of(np.empty(0, dtype=np.int64), graph(CITES), np.ones(6, dtype=bool))
    assert [len(values) for values in nothing.sums(np.empty(0))] == [0, 0, 0]


def test_sums_are_those_of_single_rows_and_never_of_a_row_with_itself() -> None:
    relations = _relations()
    weights = np.array([1.0, 0.5, 0.0, 1.0])
    single = [_with_row(relations, place) for place in range(4)]
    for kind, sums in enumerate(relations.sums(weights)):
        by_hand = sum(weight * single[place][kind] for place, weight in enumerate(weights.tolist()))
        assert sums == pytest.approx(by_hand)
        assert all(single[place][kind][place] == 0.0 for place in range(4))


def _pool(seed: int = 0, size: int = 30, topics: int = 5) -> FeedbackPool:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(size, topics))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    factors = tuple(csr_array((random.random((size, 8)) < 0.3) * random.random((size, 8))) for _ in range(2))
    own = tuple(np.asarray(factor.multiply(factor).sum(axis=1)).ravel() for factor in factors)
    links = np.triu(random.random((size, size)) < 0.05, 1)
    relations = Relations(np.arange(size), factors, csr_array((links | links.T).astype(float)), own)
    return FeedbackPool(random.normal(size=size), rows, relations)


def _given(places: list[int], labels: list[float]) -> GivenJudgements:
    return GivenJudgements(np.array(places, dtype=np.int64), np.array(labels))


def test_the_model_of_a_matter_is_the_minimum_that_scipy_finds() -> None:
    random = np.random.default_rng(1)
    topics, offsets = random.normal(size=(12, 4)), random.normal(size=12)
    labels, weights = random.choice([0.0, 0.5, 1.0], 12), random.random(12) + 0.5

    def loss(u: np.ndarray) -> float:
        logits = offsets + topics @ u
        return float(weights @ (np.logaddexp(0, logits) - labels * logits) + 0.15 * u @ u)

    found = topics.T @ fit_matter(topics @ topics.T, offsets, labels, weights, penalty=0.3)
    best = minimize(loss, np.zeros(4), tol=1e-12)
    assert found == pytest.approx(best.x, abs=1e-4)
    assert loss(found) <= best.fun + 1e-10


def test_the_model_converges_where_the_ranking_is_very_sure_and_wrong() -> None:
    found = fit_matter(np.eye(3), np.array([-40.0, 40.0, 0.0]), np.array([1.0, 0.0, 1.0]), np.ones(3), penalty=0.1)
    logits = np.array([-40.0, 40.0, 0.0]) + found
    gradient = 1 / (1 + np.exp(-logits)) - np.array([1.0, 0.0, 1.0]) + 0.1 * found
    assert gradient == pytest.approx(np.zeros(3), abs=1e-7)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 9, 30])
def test_the_decomposition_solves_systems_of_any_size(count: int) -> None:
    random = np.random.default_rng(count)
    rows, curves, right = random.normal(size=(count, 6)), random.random(count), random.normal(size=count)
    kernel = rows @ rows.T
    system = np.eye(count) + curves[:, None] * kernel * curves
    assert _solved(kernel, curves, right) == pytest.approx(np.linalg.solve(system, right), rel=1e-9)


def test_products_that_grow_are_those_computed_at_once() -> None:
    topics = np.random.default_rng(5).normal(size=(23, 250))
    products = np.empty((0, 0))
    for read in (1, 3, 10, 10, 23):
        products = grown_products(products, topics[:read])
    assert products.tobytes() == grown_products(np.empty((0, 0)), topics).tobytes()
    assert products == pytest.approx(topics @ topics.T, abs=1e-12)


judgements = st.dictionaries(st.integers(0, 29), st.sampled_from([0.0, 0.5, 1.0]), max_size=20)


@settings(max_examples=40, deadline=None)
@given(judgements, st.integers(0, 5))
def test_log_odds_are_the_sum_of_ranking_and_parts(labels: dict[int, float], seed: int) -> None:
    pool = _pool(seed)
    places = sorted(labels)
    now = reranked(pool, _given(places, [labels[place] for place in places]), WEIGHTS)
    assert now.added == pytest.approx(sum(now.parts.values()), abs=1e-12)
    assert now.logits == pytest.approx(-3.0 + 2.0 * (pool.scores + now.added), abs=1e-12)
    assert (TOPICS in now.parts) == any(labels.values())
    again = reranked(pool, _given(places, [labels[place] for place in places]), WEIGHTS)
    assert np.array_equal(again.logits, now.logits)


def test_without_judgements_the_order_is_that_of_the_ranking() -> None:
    pool = _pool()
    now = reranked(pool, _given([], []), WEIGHTS)
    assert not now.added.any()
    assert np.argsort(now.logits).tolist() == np.argsort(pool.scores).tolist()


def test_a_relevant_document_raises_what_is_like_it_and_an_irrelevant_one_lowers_it() -> None:
    pool = FeedbackPool(np.zeros(4), np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]), _relations())
    now = reranked(pool, _given([0, 2], [1.0, 0.0]), WEIGHTS)
    assert now.parts[TOPICS][1] > 0 > now.parts[TOPICS][3]
    assert now.parts["coupled, relevant"] == pytest.approx([0, 0.25 * log1p(1 / sqrt(3)), 0, 0])


def test_maybe_counts_half_and_no_counts_on_the_other_side() -> None:
    pool = FeedbackPool(np.zeros(4), np.zeros((4, 0)), _relations())
    half, no = (related(pool, _given([0], [label])) for label in (0.5, 0.0))
    assert half["coupled, relevant"][1] == pytest.approx(log1p(0.5 / sqrt(3)))
    assert half["coupled, not relevant"][1] == 0.0
    assert (no["coupled, relevant"][1], no["coupled, not relevant"][1]) == (0.0, pytest.approx(log1p(1 / sqrt(3))))
    assert set(half) == set(RELATIONS) == {f"{kind}, {side}" for kind in KINDS for side in ("relevant", "not relevant")}


def test_the_slider_moves_back_what_is_near_and_one_in_ten_is_from_elsewhere() -> None:
    topics = np.array([[1.0, 0], [0.8, 0.6], [0, 1], [-1, 0]])
    near = nearness(topics, np.array([0]))
    assert near == pytest.approx([1.0, 0.8, 0.0, 0.0])
    assert moved(np.zeros(4), near, 0.5) == pytest.approx([-2.0, -1.6, 0.0, 0.0])
    assert nearness(topics, np.empty(0, dtype=np.int64)).tolist() == [0, 0, 0, 0]
    order, far = np.arange(30), np.arange(30)[::-1]
    merged, strange = interleaved(order, far, 3)
    assert sorted(merged.tolist()) == order.tolist()
    assert np.flatnonzero(strange).tolist() == [6, 16, 26]
    assert merged[[6, 16, 26]].tolist() == [29, 28, 27]
    assert merged[:9].tolist() == [0, 1, 2, 3, 4, 5, 29, 6, 7]


def test_ties_are_broken_by_id() -> None:
    places = np.array([0, 1, 2, 3])
    assert in_order(np.array([1.0, 2.0, 1.0, 1.0]), places, ["US3", "US4", "US1", "US2"]).tolist() == [1, 2, 3, 0]
    assert in_order(np.empty(0), np.empty(0, dtype=np.int64), []).tolist() == []


def test_families_have_one_name_and_one_place() -> None:
    families = np.array([-1, 1, 1, -1], dtype=np.int32)
    assert family_names(np.array([0, 1, 2, 3]), families).tolist() == [-1, 1, 1, -4]
    assert first_of_families(np.array([3, 2, 0, 1]), families).tolist() == [0, 1, 2]


def test_records_of_weights_and_verdicts_are_checked() -> None:
    assert feedback_weights_of(WEIGHTS.to_record()) == WEIGHTS
    with pytest.raises(ValueError, match="above 0"):
        feedback_weights_of({**WEIGHTS.to_record(), "ranking": 0.0})
    with pytest.raises(BadRequest, match="one of relevant, maybe, no"):
        JudgedDocument("US1", "later")  # type: ignore[arg-type]
