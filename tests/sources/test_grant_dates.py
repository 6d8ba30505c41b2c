"""Numbers tell dates: checked against patents whose dates are known."""

from __future__ import annotations

import datetime
import gzip
import json

import pytest

from expectation import SHARED
from foreart.sources.formats.grant_dates import grant_date


@pytest.mark.parametrize(
    ("number", "granted"),
    [
        ("US6836899B1", "2005-01-04"),
        ("US6981431B2", "2006-01-03"),
        ("US7296300B2", "2007-11-20"),
        ("US8418361B2", "2013-04-16"),
        ("US9204581B2", "2015-12-01"),
        ("US11556547B2", "2023-01-17"),
    ],
)
def test_known_grants_are_within_three_weeks(number: str, granted: str):
    estimated = datetime.date.fromisoformat(grant_date(number))
    assert abs((estimated - datetime.date.fromisoformat(granted)).days) <= 21
    assert estimated.weekday() == 1


@pytest.mark.parametrize("number", ["US3932709A", "USD555863S1", "EP1000000B1", "US20130014308A1", "US99999999B2", "x"])
def test_other_numbers_tell_nothing(number: str):
    assert grant_date(number) == ""


def test_the_real_grants_agree():
    source = SHARED / "background.jsonl.gz"
    if not source.is_file():
        pytest.skip(f"{source} is not beside the project")
    off = looked = 0
    with gzip.open(source) as file:
        for line, _ in zip(file, range(2500), strict=False):
            record = json.loads(line)
            date, known = grant_date(record["id"]), record["publication_date"]
            if date and known and len(known) == 10 and not record["publication_date_estimated"]:
                looked += 1
                off += abs((datetime.date.fromisoformat(date) - datetime.date.fromisoformat(known)).days) > 28
    assert looked > 1000
    assert off == 0
