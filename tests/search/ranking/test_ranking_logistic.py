"""Regression against scikit-learn where no sign binds; where one does, the conditions of an optimum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from foreart.search.ranking import Logistic, fit_logistic
from foreart.search.ranking.logistic import sigmoid


def made(seed: int, rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, 4)) * [1.0, 10.0, 0.1, 3.0] + [0.0, 5.0, 1.0, -2.0]
    logits = values @ [1.0, -0.1, 8.0, 0.0] - 7.5
    return values, (rng.random(rows) < sigmoid(logits)).astype(float)


@pytest.mark.parametrize("penalty", [0.001, 0.03, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_as_scikit_learn_where_no_sign_binds(penalty: float, weighted: bool) -> None:
    values, labels = made(1)
    weights = np.random.default_rng(2).random(len(labels)) + 0.1 if weighted else None
    found = fit_logistic(values, labels, "abcd", signs=[0] * 4, penalty=penalty, weights=weights)
    share = np.full(len(labels), 1 / len(labels)) if weights is None else weights / weights.sum()
    spread = values.std(axis=0)
    other = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=10_000)
    other.fit((values - values.mean(axis=0)) / spread, labels, sample_weight=share)
    assert found.weights * spread == pytest.approx(other.coef_[0], abs=2e-4)
    intercept = float(other.intercept_[0] - values.mean(axis=0) @ found.weights)
    assert found.intercept == pytest.approx(intercept, abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4))
def test_signs_hold_and_nothing_better_is_near(seed: int, signs: list[int]) -> None:
    values, labels = made(seed, 60)
    penalty = 0.02
    found = fit_logistic(values, labels, "abcd", signs=signs, penalty=penalty)
    for sign, weight in zip(signs, found.weights, strict=True):
        assert weight * sign >= 0
    spread = values.std(axis=0)
    rows = (values - values.mean(axis=0)) / spread
    slope = found.weights * spread
    residual = (sigmoid(values @ found.weights + found.intercept) - labels) / len(labels)
    gradient = residual @ rows + penalty * slope
    for sign, weight, steep in zip(signs, slope, gradient, strict=True):
        if sign == 0 or weight != 0:
            assert steep == pytest.approx(0.0, abs=2e-4)
        else:  # at the bound: to leave it would only cost
            assert steep * sign >= -2e-4
    assert residual.sum() == pytest.approx(0.0, abs=2e-4)


def test_the_same_data_give_the_same_weights() -> None:
    values, labels = made(3)
    one, other = (fit_logistic(values.copy(), labels, "abcd", signs=[1, 0, 1, -1], penalty=0.1) for _ in range(2))
    assert one.weights.tolist() == other.weights.tolist()
    assert one.intercept == other.intercept


def test_shares_of_one_are_labels_too() -> None:
    """The share of citations in common: a constant share is its own log-odds, and needs no weight."""
    values, _ = made(4, 50)
    found = fit_logistic(values, np.full(50, 0.2), "abcd", signs=[0] * 4, penalty=0.1)
    assert found.weights == pytest.approx(np.zeros(4), abs=1e-5)
    assert found.intercept == pytest.approx(np.log(0.25), abs=1e-3)


def test_a_column_that_never_changes_weighs_nothing() -> None:
    values, labels = made(5)
    values[:, 1] = 7.0
    found = fit_logistic(values, labels, "abcd", signs=[1, 1, 1, 1], penalty=0.1)
    assert found.weights[1] == 0.0
    assert np.isfinite(found.weights).all()


def test_chances_by_hand_and_names_that_nothing_was_learned_of() -> None:
    model = Logistic(("a", "b"), np.array([2.0, -1.0]), 0.5)
    values = np.array([[1.0, 3.0, 4.0], [0.0, 9.0, 0.0]])
    assert model.chances(("b", "new", "a"), values) == pytest.approx(
        [1 / (1 + np.exp(-(-1.0 + 8.0 + 0.5))), 1 / (1 + np.exp(-0.5))]
    )
    assert model.chances(("a",), np.array([[1e9], [-1e9]])) == pytest.approx([1.0, 0.0], abs=1e-12)
