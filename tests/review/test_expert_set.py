"""The expert set: who is drawn, which random documents are taken, and that the order tells nothing."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.errors import ForeartError
from foreart.review import STRATA, choose_targets, expert_set
from foreart.review.expert_set import strata

OTHERS = [f"R{number:02d}" for number in range(40)]
CITED = {"T1": ("C1", "C2"), "T2": ("C3",)}


def by_number(target: str, documents: Sequence[str]) -> tuple[list[float], list[float]]:
    """R00 scores .00, R39 scores .39."""
    scores = [int(document[1:]) / 100 for document in documents]
    return scores, [score / 2 for score in scores]


def test_high_middle_and_low_by_rank() -> None:
    taken = strata({f"R{number}": number / 10 for number in range(9)}, each=2)
    assert taken == {"R8": "high", "R7": "high", "R5": "middle", "R4": "middle", "R1": "low", "R0": "low"}


def test_ties_are_ranked_by_id() -> None:
    assert strata(dict.fromkeys("fedcba", 0.0), each=2) == {
        "a": "high", "b": "high", "c": "middle", "d": "middle", "e": "low", "f": "low",
    }  # fmt: skip


@given(st.integers(1, 12), st.integers(0, 30), st.randoms(use_true_random=False))
def test_strata_never_overlap_and_stand_in_order(each: int, more: int, chance: object) -> None:
    number = 3 * each + more
    values = chance.sample(range(number), number)  # type: ignore[attr-defined]
    scores = {f"d{place}": value / number for place, value in enumerate(values)}
    taken = strata(scores, each=each)
    assert Counter(taken.values()) == {"high": each, "middle": each, "low": each}
    high, middle, low = (
        [scores[d] for d, name in taken.items() if name == wanted] for wanted in ("high", "middle", "low")
    )
    assert min(high) > max(middle)
    assert min(middle) > max(low)
    above = sum(score > max(middle) for score in scores.values())
    below = sum(score < min(middle) for score in scores.values())
    assert abs(above - below) <= 1


def test_too_few_random_documents() -> None:
    with pytest.raises(ForeartError, match="29 random documents are too few for 10"):
        strata({f"R{number}": 0.1 for number in range(29)})


def test_targets_are_drawn_from_those_that_cite_enough_and_not_too_much() -> None:
    cited = {f"T{number:02d}": ("x",) * number for number in range(60)}
    drawn = choose_targets(cited, seed=1)
    assert len(set(drawn)) == 10
    assert all(5 <= int(target[1:]) <= 50 for target in drawn)
    assert drawn == choose_targets(dict(reversed(cited.items())), seed=1)
    assert drawn != choose_targets(cited, seed=2)
    with pytest.raises(ForeartError, match="only 46 targets cite 5 to 50 documents"):
        choose_targets(cited, number=47)


def test_all_cited_and_thirty_random_of_each_target() -> None:
    items = expert_set(["T1", "T2"], cited=CITED, others=OTHERS, similarity=by_number)
    assert [item.target for item in items] == ["T1"] * 32 + ["T2"] * 31
    first = items[:32]
    assert Counter(item.stratum for item in first) == {"cited": 2, "high": 10, "middle": 10, "low": 10}
    assert {item.document for item in first if item.cited} == {"C1", "C2"}
    assert {item.document for item in first if item.stratum == "middle"} == {f"R{n}" for n in range(15, 25)}
    assert {item.document for item in first if item.stratum == "low"} == {f"R{n:02d}" for n in range(10)}
    (item,) = [item for item in first if item.document == "R39"]
    assert (item.stratum, item.cosine, item.jaccard) == ("high", 0.39, 0.195)
    assert set(STRATA) == {item.stratum for item in items}


def test_the_order_is_shuffled_by_the_seed_alone() -> None:
    code = (
        "from test_expert_set import CITED, OTHERS, by_number; from foreart.review import expert_set\n"
        "items = expert_set(['T1', 'T2'], cited=CITED, others=OTHERS, similarity=by_number, seed=5)\n"
        "print(' '.join(item.document for item in items))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    here = expert_set(["T1", "T2"], cited=CITED, others=OTHERS, similarity=by_number, seed=5)
    assert told.stdout.split() == [item.document for item in here]
    other = expert_set(["T1", "T2"], cited=CITED, others=OTHERS, similarity=by_number, seed=6)
    assert set(other) == set(here)
    assert other != here
    # Neither target is in the order of the other, nor in that of ids, scores or strata.
    orders = [[item.document for item in here if item.target == target and not item.cited] for target in ("T1", "T2")]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) not in (orders[0], orders[0][::-1])
