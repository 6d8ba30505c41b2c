"""Cohen's kappa and its interval: scikit-learn, the delta method by numerical derivatives, and simulated raters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from foreart.review import weighted_kappa
from foreart.review.matters.rater_agreement import kappa_error, kappa_interval

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=10, max_size=60)


def kappa_of(table: np.ndarray) -> float:
    chance = float(table.sum(1) @ table.sum(0))
    return (float(np.trace(table)) - chance) / (1 - chance)


@given(PAIRS)
def test_kappa_and_its_error_are_those_of_the_delta_method(pairs: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    kappa = weighted_kappa(one, other, weights="unweighted")
    if kappa is None:
        assert len({*one, *other}) == 1
        return
    assert kappa == pytest.approx(cohen_kappa_score(one, other), abs=1e-12)
    table = np.zeros((3, 3))
    np.add.at(table, (one, other), 1 / len(pairs))
    step = 1e-6
    slopes = np.zeros((3, 3))
    for cell in np.ndindex(3, 3):
        raised, lowered = table.copy(), table.copy()
        raised[cell] += step
        lowered[cell] -= step
        # Kappa as a function of free cells: not divided by their sum, as its derivation has it.
        slopes[cell] = (kappa_of(raised) - kappa_of(lowered)) / (2 * step)
    variance = ((table * slopes**2).sum() - (table * slopes).sum() ** 2) / len(pairs)
    assert kappa_error(one, other, kappa) == pytest.approx(max(0.0, variance) ** 0.5, abs=1e-5)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    chance = np.random.default_rng(5)
    table = np.array([[0.4, 0.08, 0.02], [0.06, 0.14, 0.05], [0.02, 0.03, 0.2]])
    truth, covered = kappa_of(table), 0
    for _ in range(400):
        cells = chance.choice(9, size=80, p=table.ravel())
        interval = kappa_interval([int(cell) // 3 for cell in cells], [int(cell) % 3 for cell in cells])
        assert interval is not None
        covered += interval[0] <= truth <= interval[1]
    assert 0.91 <= covered / 400 <= 0.98


def test_little_or_equal_judgements_have_no_interval() -> None:
    assert kappa_interval([0, 1, 2], [0, 1, 1]) is None
    assert kappa_interval([0, 1] * 10, [0, 1] * 10) is None
    assert kappa_interval([1] * 20, [1] * 20) is None
