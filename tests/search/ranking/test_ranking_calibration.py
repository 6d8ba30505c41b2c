"""How often a document at a score is cited: counted by hand, with the interval of Wilson."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.search.ranking import Calibration, calibrate, chance


def test_steps_by_hand() -> None:
    """60 cited among 100: steps of 25, 25 and the last 10 with all that is below them."""
    scores = np.arange(100, 0, -1.0)
    cited = np.zeros(100, bool)
    cited[:30] = True
    cited[30:90:2] = True
    found = calibrate(scores, cited)
    assert found == Calibration(floors=(1.0, 32.0, 76.0), counts=(31, 44, 25), cited=(10, 25, 25))


def test_what_a_score_is_told() -> None:
    steps = Calibration(floors=(0.0, 1.0, 2.0), counts=(1000, 50, 40), cited=(5, 10, 30))
    told = chance(steps, 2.5)
    assert told is not None
    assert (told.share, told.cited, told.documents) == (0.75, 30, 40)
    assert [chance(steps, score).cited for score in (-9.0, 0.0, 0.99, 1.0, 1.99, 2.0, 99.0)] == [  # type: ignore[union-attr]
        5, 5, 5, 10, 10, 30, 30,
    ]  # fmt: skip
    assert chance(Calibration(), 1.0) is None


@pytest.mark.parametrize(
    ("cited", "documents", "low", "high"),
    # Newcombe 1998, table I, method 3: the score interval of Wilson.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_that_of_wilson(cited: int, documents: int, low: float, high: float) -> None:
    told = chance(Calibration((0.0,), (documents,), (cited,)), 0.0)
    assert told is not None
    assert (told.low, told.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500), st.data())
def test_the_ends_of_the_interval_solve_the_equation_of_wilson(documents: int, data: st.DataObject) -> None:
    cited = data.draw(st.integers(0, documents))
    told = chance(Calibration((0.0,), (documents,), (cited,)), 0.0)
    assert told is not None
    assert 0 <= told.low <= told.share <= told.high <= 1
    for end in (told.low, told.high):
        if 0 < end < 1:
            distance = abs(told.share - end) / sqrt(end * (1 - end) / documents)
            assert distance == pytest.approx(1.959963984540054, rel=1e-6)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 400), st.floats(0, 1), st.booleans())
def test_shares_rise_with_scores_and_everybody_is_counted_once(
    seed: int, documents: int, rate: float, tied: bool
) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, documents).astype(float) if tied else rng.normal(size=documents)
    cited = rng.random(documents) < rate
    found = calibrate(scores, cited)
    if not cited.any():
        assert found == Calibration()
        return
    assert sum(found.counts) == documents
    assert sum(found.cited) == cited.sum()
    assert list(found.floors) == sorted(set(found.floors))
    shares = [hits / count for hits, count in zip(found.cited, found.counts, strict=True)]
    assert shares == sorted(shares)
    assert found.floors[0] == scores.min()
    for place, floor in enumerate(found.floors):  # equal scores are of one step
        above = scores >= floor
        assert above.sum() == sum(found.counts[place:])
        assert cited[above].sum() == sum(found.cited[place:])
    assert len(found.floors) <= 13


def test_equal_scores_say_the_same_in_whatever_order_they_come() -> None:
    cited = np.arange(400) < 60
    flat = calibrate(np.zeros(400), cited)
    assert flat == Calibration((0.0,), (400,), (60,))
    assert calibrate(np.zeros(400), cited[::-1]) == flat
