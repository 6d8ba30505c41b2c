"""Golden cases of what counts as prior art: each was decided by reading the law, not by running the code."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from foreart.identifiers.date_spans import day
from foreart.identifiers.numbers import loose_number
from foreart.search import STATUSES, Cutoff, Dated, rule_of, status_of
from foreart.search.law.date_arrays import ORDER, DateArrays, statuses
from foreart.search.law.priority import REGIMES, is_design, regime_of

TABLE = Path(__file__).with_name("golden_dates.tsv")
CASES = list(csv.DictReader(TABLE.read_text("utf-8").splitlines(), delimiter="\t"))


def document(case: dict[str, str]) -> Dated:
    number = loose_number(case["number"])
    dates = case["published"], case["filed"], case["priority"]
    return Dated(*dates, number.country, number.kind, bool(case["estimated"]), is_design(number.kind, ""))


def name(case: dict[str, str]) -> str:
    return f"{case['number']} {case['published']} {case['regime']}: {case['why']}"


def test_the_table_is_large_and_has_everything() -> None:
    assert len(CASES) >= 60
    assert len({tuple(case[key] for key in list(case)[:7]) for case in CASES}) == len(CASES), (
        "a case stands there twice"
    )
    assert {case["regime"] for case in CASES} == set(REGIMES)
    assert {case["status"] for case in CASES} == set(STATUSES) - {"own family"}
    assert all(case["why"] and case["rule"] for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_status_and_rule(case: dict[str, str]) -> None:
    regime = regime_of(case["regime"])
    status = status_of(document(case), case["cutoff"], regime)
    assert status == case["status"]
    assert case["rule"] in rule_of(document(case), status, Cutoff(case["cutoff"], "given"), regime)


def test_the_arrays_say_the_same() -> None:
    for cutoff in {case["cutoff"] for case in CASES}:
        for regime in REGIMES:
            chosen = [case for case in CASES if case["cutoff"] == cutoff and case["regime"] == regime]
            found = statuses(DateArrays.of(map(document, chosen)), day(cutoff), regime)
            assert [ORDER[code] for code in found] == [case["status"] for case in chosen]
            assert found.dtype == np.uint8
