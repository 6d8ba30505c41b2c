"""How channels become one score: by hand, and contributions that sum to it."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.search.ranking import CHANNELS, ReciprocalRanks, Signals, Weighted
from foreart.search.ranking.fusion import parts, ranks

FOUND = Signals(
    np.arange(5),
    {
        "words": np.array([0.5, 0.25, 0.0, 0.5, 0.9]),
        "words, relative": np.array([1.0, 0.5, 0.0, 1.0, 1.8]),
        "topics": np.array([0.0, 0.0, 0.0, 0.3, 0.3]),
        "cited by near, share": np.array([0.1, 0.9, 0.2, 0.0, 0.0]),
        "cited by near, sum": np.array([0.9, 0.1, 0.2, 0.0, 0.0]),
    },
    {
        "words": "words",
        "words, relative": "words",
        "topics": "topics",
        "cited by near, share": "cited by near",
        "cited by near, sum": "cited by near",
    },
)
# All but the last are known.
KNOWN = Signals(np.arange(4), {name: values[:4] for name, values in FOUND.columns.items()}, FOUND.channels)


def test_places_are_those_among_the_known_and_ties_share_one() -> None:
    assert ranks(FOUND.columns["words"], KNOWN.columns["words"]).tolist() == [1, 3, 0, 1, 1]
    assert ranks(*(each.columns["cited by near, share"] for each in (FOUND, KNOWN))).tolist() == [3, 1, 2, 0, 0]
    assert ranks(FOUND.columns["topics"], np.empty(0)).tolist() == [0, 0, 0, 1, 1]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=12))
def test_the_place_told_of_one_is_that_of_all(drawn: list[float]) -> None:
    values = np.array(drawn)
    found = Signals(np.arange(len(drawn)), {"words": values}, {"words": "words"})
    told = [parts(Weighted({"words": 1.0}), found, found, row)[0].rank for row in range(len(drawn))]
    assert told == ranks(values, values).tolist()


def test_reciprocal_ranks_by_hand() -> None:
    fusion = ReciprocalRanks(("words, relative", "topics", "cited by near, sum", "claims"), citations=2.0)
    expected = [1 / 61 + 2 / 61, 1 / 63 + 2 / 63, 2 / 62, 1 / 61 + 1 / 61, 1 / 61 + 1 / 61]
    assert fusion.scores(FOUND, KNOWN) == pytest.approx(expected)
    assert fusion.contributions(FOUND, KNOWN, 1) == pytest.approx(
        {"words": 1 / 63, "topics": 0.0, "cited by near": 2 / 63}
    )


def test_the_rank_told_is_the_rank_that_was_added() -> None:
    fusion = ReciprocalRanks(("words, relative", "cited by near, sum"), citations=2.0)
    told = {part.channel: part for part in parts(fusion, FOUND, KNOWN, 0)}
    assert told["cited by near"].rank == 1, "by the sum; by the share it is the third"
    assert told["cited by near"].contribution == pytest.approx(2 / 61)
    assert told["words"].value == 0.5


def test_weighted_by_hand() -> None:
    fusion = Weighted({"words": 2.0, "words, relative": -1.0, "cited by near, sum": 0.5, "gone": 9.0})
    assert fusion.scores(FOUND, KNOWN) == pytest.approx([0.45, 0.05, 0.1, 0.0, 0.0])
    made = parts(fusion, FOUND, KNOWN, 0)
    assert [(part.channel, part.rank, part.value) for part in made] == [
        ("cited by near", 3, 0.1),
        ("topics", 0, 0.0),
        ("words", 1, 0.5),
    ]
    assert [part.contribution for part in made] == pytest.approx([0.45, 0.0, 0.0])


@st.composite
def drawn_signals(draw: st.DrawFn) -> tuple[Signals, dict[str, float]]:
    names = [(channel, f"{channel}{suffix}") for channel in list(CHANNELS)[:12] for suffix in ("", ", relative")]
    numbers = st.floats(-5, 5)
    columns = {name: np.array(draw(st.lists(numbers, min_size=4, max_size=4))) for _, name in names}
    weights = {name: draw(st.floats(-10, 10)) for _, name in names if draw(st.booleans())}
    return Signals(np.arange(4), columns, {name: channel for channel, name in names}), weights


@given(drawn_signals())
def test_contributions_sum_to_the_score_of_every_row(drawn: tuple[Signals, dict[str, float]]) -> None:
    found, weights = drawn
    for fusion in (Weighted(weights), ReciprocalRanks(tuple(found.columns)[::2], citations=2.0)):
        scores = fusion.scores(found, found)
        for row in range(4):
            assert fsum(fusion.contributions(found, found, row).values()) == pytest.approx(scores[row], abs=1e-9)
            assert fsum(part.contribution for part in parts(fusion, found, found, row)) == pytest.approx(
                scores[row], abs=1e-9
            )
