"""The estimate of the unread: formulas against SciPy and by hand, levels that cover, the rule, and the words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import nbinom

from foreart.errors import BadRequest
from foreart.review.stopping import (
    EDGES,
    LOOKS,
    ChanceCurve,
    GammaPrior,
    Levels,
    RecentFinds,
    Stopping,
    StoppingModel,
    checked_rule,
    estimate_sentence,
    holds,
    in_a_row,
    level_of,
    levels_of,
    log_likelihood,
    no_estimate,
    recall_of,
    stopping_model_of,
    unread_at_most,
    unread_interval,
    unread_mean,
    unread_quantile,
)

PRIOR = GammaPrior(2.6, 2.2)
MODEL = StoppingModel(
    ChanceCurve(-1.0, 1.0), ChanceCurve(-1.0, 1.0, -0.1), PRIOR, 1.0, (Levels(),) * (len(EDGES) + 1), 235
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 60), st.floats(0, 50), st.floats(0, 300), st.floats(0.01, 0.99))
def test_quantiles_and_probabilities_are_those_of_scipy(found: int, read: float, unread: float, level: float) -> None:
    shape, share = PRIOR.shape + found, (PRIOR.rate + read) / (PRIOR.rate + read + unread)
    quantile = float(unread_quantile(PRIOR, found, read, unread, level))
    at_most = nbinom.cdf(quantile, shape, share)
    assert at_most >= level - 1e-9
    assert nbinom.cdf(quantile - 1, shape, share) < level + 1e-9
    assert float(unread_at_most(PRIOR, found, read, unread, quantile)) == pytest.approx(at_most)
    assert float(unread_mean(PRIOR, found, read, unread)) == pytest.approx(nbinom.mean(shape, share), abs=1e-9)


def test_the_estimate_of_the_example_by_hand() -> None:
    """14 found where 11 were expected, 2.5 expected in the rest: (2.6 + 14) · 2.5 / (2.2 + 11)."""
    assert float(unread_mean(PRIOR, 14, 11.0, 2.5)) == pytest.approx(3.14394, abs=1e-5)
    assert float(unread_quantile(PRIOR, 14, 11.0, 2.5, 0.5)) == 3.0
    assert float(unread_at_most(PRIOR, 14, 11.0, 2.5, -1)) == 0.0


def test_the_likelihood_is_that_of_scipy() -> None:
    left = np.array([0.0, 3.0, 40.0])
    found = log_likelihood(PRIOR, np.full(3, 5.0), np.full(3, 4.0), np.full(3, 7.0), left)
    assert found == pytest.approx(nbinom.logpmf(left, 7.6, 6.2 / 13.2))


def test_recent_finds_fade() -> None:
    recent = RecentFinds().then(3, 2.0, 10).then(1, 1.5, 10)
    assert recent.found == pytest.approx(3 * 0.95**10 + 1)
    assert recent.expected == pytest.approx(2.0 * 0.95**10 + 1.5)


def test_levels_cover_what_a_wrong_model_does_not() -> None:
    """Truth is three times what the model expects; half of the reviews teach, the other half is covered."""
    random = np.random.default_rng(3)
    count, expected = 4000, 4.0
    truth = random.poisson(random.gamma(2.6, 1 / 2.2, count) * 3.0 * expected).astype(float)
    taught, left = truth[:2000], truth[2000:]
    wrong = (PRIOR, 0.0, 0.0, expected)
    plain = [float(unread_quantile(*wrong, level)) for level in (0.05, 0.95)]
    assert np.mean((left >= plain[0]) & (left <= plain[1])) < 0.75
    levels = levels_of(unread_at_most(*wrong, taught), unread_at_most(*wrong, taught - 1), len(taught))
    for confidence in (0.8, 0.9):
        low, high = (float(unread_quantile(*wrong, min(level, 1 - 1e-6))) for level in levels.interval(confidence))
        assert confidence - 0.02 <= np.mean((left >= low) & (left <= high)) <= confidence + 0.06


def test_levels_of_few_reviews_are_wider_and_none_are_those_of_the_model() -> None:
    values = np.linspace(0, 1, 2001)
    few, many = (levels_of(values, values, reviews).interval(0.9) for reviews in (30, 2000))
    assert few[0] < many[0] < 0.06
    assert few[1] > many[1] > 0.94
    assert Levels().interval(0.9) == pytest.approx((0.05, 0.95))
    assert levels_of(values, values, 5).interval(0.9) == (0.0, 1.0)


def test_levels_count_each_moment_as_often_as_is_said() -> None:
    values = np.array([0.2, 0.5, 0.9, 0.97])
    once = levels_of(np.repeat(values, [1, 2, 3, 4]), np.repeat(values, [1, 2, 3, 4]), 40)
    assert levels_of(values, values, 40, np.array([1.0, 2.0, 3.0, 4.0])) == once
    assert levels_of(values, values, 40, np.full(4, 7.0)) == levels_of(values, values, 40)
    assert levels_of(values, values, 40, np.array([96.0, 2.0, 1.0, 1.0])).interval(0.9) == (0.2, 0.5)


def test_an_interval_holds_its_median_and_its_levels_are_those_of_its_size() -> None:
    assert [level_of(mean) for mean in (0.1, 0.3, 2.0, 100.0)] == [0, 1, 2, 4]
    chances = np.concatenate([np.full(100, 0.05), np.full(1400, 0.001)])
    found = unread_interval(MODEL, RecentFinds(14, 11.0), chances, 0.9, read=120)
    assert found.mean == pytest.approx(16.6 * 6.4 / 13.2)
    assert found.low <= found.left <= found.high
    assert found.ahead == pytest.approx(found.mean * 1.0 / 6.4)
    assert found.beyond == pytest.approx(0.5 / 6.4)
    nothing = unread_interval(MODEL, RecentFinds(14, 11.0), np.empty(0), 0.9, read=120)
    assert (nothing.mean, nothing.left, nothing.high, nothing.beyond) == (0.0, 0, 0, 0.0)


def test_early_the_end_that_is_farthest_out_counts() -> None:
    values = np.linspace(0, 1, 2001)
    wide, lower = levels_of(values**4, values**4, 400), levels_of(1 - (1 - values) ** 4, 1 - (1 - values) ** 4, 400)
    model = replace(MODEL, early=((wide, lower), (wide,)))
    plain = MODEL.interval_levels(1.5, 20, 0.9)
    kinds = [item.interval(0.9) for item in (wide, lower)]
    both = (min(plain[0], kinds[0][0], kinds[1][0]), max(plain[1], kinds[0][1], kinds[1][1]))
    assert model.interval_levels(1.5, 30, 0.9) == both != plain
    assert model.interval_levels(1.5, 70, 0.9) == (min(plain[0], kinds[0][0]), max(plain[1], kinds[0][1]))
    assert model.interval_levels(1.5, 71, 0.9) == plain == MODEL.interval_levels(1.5, 71, 0.9)


def test_a_chance_curve_is_logistic() -> None:
    curve = ChanceCurve(-1.0, 2.0, -0.5)
    assert curve.chances(np.array([0.5]), 0) == pytest.approx([0.5])
    assert curve.chances(np.array([0.5]), 9) == pytest.approx(1 / (1 + np.exp(0.5 * np.log(10))))
    assert curve.chances(np.array([-1e9, 1e9])) == pytest.approx([0.0, 1.0], abs=1e-20)


def test_the_rule_needs_ten_looks_in_a_row() -> None:
    assert in_a_row([True] * 30) == LOOKS == 10
    assert in_a_row([True] * 20 + [False] + [True] * 9) == 9
    assert in_a_row([]) == 0
    assert in_a_row([True, False]) == 0
    assert holds(16, 4, 0.8)
    assert not holds(15, 4, 0.8)
    assert not holds(2, 0, 0.8)
    assert recall_of(0, 0) == 0.0


@pytest.mark.parametrize(("target", "confidence"), [(0.2, 0.9), (1.0, 0.9), (0.8, 1.5), (float("nan"), 0.9)])
def test_a_rule_that_cannot_be_kept_is_refused(target: float, confidence: float) -> None:
    with pytest.raises(BadRequest, match="stopping rule"):
        checked_rule(target, confidence)


def test_the_sentence_says_it_all() -> None:
    said = Stopping(14, 120, 0.8, 0.9, "", 3, 0, 9, 14 / 17, 14 / 23, 1.0, 1.1, 0.04, 0)
    assert estimate_sentence(said, 235) == (
        "14 found in 120 read. Still unread: about 3 (90 %: 0 to 9), so about 82 % found (61 to 100 %). "
        "The next 20 would bring about 1. Learned from 235 earlier patents of this corpus."
    )
    far = estimate_sentence(replace(said, beyond=0.45, ahead=0.31), 235)
    assert "45 % of these are guessed beyond rank 1,000. The next 20 would bring about 0.3." in far
    assert no_estimate(2, 40, "Too few.") == "2 found in 40 read. Too few."


def test_a_model_is_the_same_from_its_record() -> None:
    assert stopping_model_of(MODEL.to_record()) == MODEL
    with pytest.raises(ValueError, match="levels"):
        stopping_model_of({**MODEL.to_record(), "levels": []})
    early = replace(MODEL, early=((Levels((0.1, 0.9), (0.0, 0.8), 40),), ()))
    assert stopping_model_of(early.to_record()) == early
    with pytest.raises(ValueError, match="early levels"):
        stopping_model_of({**early.to_record(), "early": early.to_record()["early"][:1]})
