"""Golden cases of what counts as prior art: each was decided by reading the law, not by running the code."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from foreart.identifiers.numbers import loose_number
from foreart.identifiers.parties import Agreement
from foreart.regimes import REGIMES
from foreart.search import STATUSES, Cutoff, Dated, rule_of, status_of
from foreart.search.law.date_arrays import ORDER, DateArrays, statuses
from foreart.search.law.priority import is_design, regime_of
from hand_views import dated_view

TABLE = Path(__file__).with_name("golden_dates.tsv")
CASES = list(csv.DictReader(TABLE.read_text("utf-8").splitlines(), delimiter="\t"))


def document(case: dict[str, str]) -> Dated:
    number = loose_number(case["number"])
    dates = case["published"], case["filed"], case["priority"]
    return Dated(*dates, number.country, number.kind, bool(case["estimated"]), is_design(number.kind, ""))


def cutoff(case: dict[str, str]) -> Cutoff:
    return Cutoff(case["cutoff"], "given", case["draft_filed"])


def people(case: dict[str, str]) -> Agreement:
    return next((agreement for agreement in get_args(Agreement) if agreement == case["people"]), "unknown")


def name(case: dict[str, str]) -> str:
    return f"{case['number']} {case['published']} {case['regime']}: {case['why']}"


def test_the_table_is_large_and_has_everything() -> None:
    assert len(CASES) >= 130
    assert len({tuple(case[key] for key in list(case)[:9]) for case in CASES}) == len(CASES), (
        "a case stands there twice"
    )
    assert {case["regime"] for case in CASES} == set(REGIMES)
    assert {case["status"] for case in CASES} == set(STATUSES) - {"own family"}
    assert all(case["why"] and case["rule"] for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_status_and_rule(case: dict[str, str]) -> None:
    regime = regime_of(case["regime"])
    status = status_of(document(case), cutoff(case), regime)
    assert status == case["status"]
    assert case["rule"] in rule_of(document(case), status, cutoff(case), regime, people=people(case))


def test_kind_codes_of_first_publications_say_nothing_of_an_earlier_one() -> None:
    for case in CASES:
        if "is a first publication" in case["why"] or "without" in case["why"]:
            told = rule_of(document(case), status_of(document(case), cutoff(case)), cutoff(case))
            assert "look for it" not in told, case


def test_many_rows_at_once() -> None:
    for limit in {cutoff(case) for case in CASES}:
        for regime in REGIMES:
            chosen = [case for case in CASES if cutoff(case) == limit and case["regime"] == regime]
            found = statuses(DateArrays.of(dated_view(map(document, chosen))), limit, regime)
            assert [ORDER[code] for code in found] == [case["status"] for case in chosen]
            assert found.dtype == np.uint8
