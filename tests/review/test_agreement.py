"""Weighted kappa against scikit-learn, and agreement of two and more raters by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from foreart.errors import ForeartError
from foreart.review import agreements, mean_agreement, weighted_kappa

SCORES = st.tuples(st.integers(0, 5), st.integers(0, 5))


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
@given(pairs=st.lists(SCORES, min_size=1, max_size=60))
def test_kappa_is_that_of_scikit_learn(weights: str, pairs: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    found = weighted_kappa(one, other, weights=weights)
    if len({*one, *other}) == 1:
        assert found is None
    else:
        assert found == pytest.approx(cohen_kappa_score(one, other, weights=weights, labels=range(6)), abs=1e-12)


def test_kappa_by_hand() -> None:
    # Observed |a-b|: 0, 1, 0, 2 = 3 of 4; expected: 4 × 4 pairs of scores 0 1 2 5 and 0 2 2 3 differ by 7 + 5 + 3 + 13.
    assert weighted_kappa([0, 1, 2, 5], [0, 2, 2, 3]) == pytest.approx(1 - (3 / 4) / (28 / 16))
    assert weighted_kappa([], []) is None
    with pytest.raises(ForeartError, match="there are no weights 'cubic'; there are linear, quadratic"):
        weighted_kappa([1], [1], weights="cubic")


def pair(number: int) -> tuple[str, str]:
    return "T", f"D{number}"


def test_raters_are_compared_on_what_both_judged() -> None:
    raters = {
        "ann": {pair(1): 0, pair(2): 1, pair(3): 2, pair(4): 5, pair(5): 5},
        "bob": {pair(1): 0, pair(2): 2, pair(3): 2, pair(4): 3, pair(6): 0},
        "cyn": {pair(1): 0, pair(2): 1, pair(3): 2, pair(4): 5},
    }
    first, second, third = agreements(raters)
    assert (first.raters, first.common, first.equal) == (("ann", "bob"), 4, 0.5)
    assert (second.raters, second.equal, second.linear, second.quadratic) == (("ann", "cyn"), 1.0, 1.0, 1.0)
    assert third.raters == ("bob", "cyn")
    mean = mean_agreement([first, second, third])
    assert mean.equal == pytest.approx(2 / 3)
    assert mean.linear == pytest.approx((first.linear + 1 + third.linear) / 3)  # type: ignore[operator]


def test_what_cannot_be_computed_is_none_and_left_out_of_the_mean() -> None:
    raters = {"ann": {pair(1): 3}, "bob": {pair(1): 3}, "cyn": {pair(2): 1}}
    found = agreements(raters)
    assert [(item.common, item.linear) for item in found] == [(1, None), (0, None), (0, None)]
    mean = mean_agreement(found)
    assert (mean.equal, mean.linear, mean.quadratic) == (1.0, None, None)
    with pytest.raises(ForeartError, match="no two raters have judged the same pair"):
        mean_agreement(found[1:])
