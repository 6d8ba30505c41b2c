"""What may count against a draft, by dates."""

from __future__ import annotations

import pytest

from foreart.draft import Draft
from foreart.errors import ForeartError
from foreart.search import cutoff_of, status

CUTOFF = "2014-03-10"


@pytest.mark.parametrize(
    ("published", "effective", "expected"),
    [
        ("2014-03-09", "2012-01-01", "prior art"),
        ("2014-03-09", "", "prior art"),
        ("2014-03-10", "2014-03-09", "novelty only"),
        ("2016-01-01", "2013-03-11", "novelty only"),
        ("2016-01-01", "2014-03-10", "after the date"),
        ("2016-01-01", "2014-05-09", "after the date"),
        ("", "2014-05-09", "after the date"),
        ("", "2012-05-09", "date unknown"),
        ("", "", "date unknown"),
        ("2016-01-01", "", "date unknown"),
        ("2013", "", "prior art"),
        ("2014", "2012-01-01", "date unknown"),
        ("2014-02", "", "prior art"),
        ("2014-03", "", "date unknown"),
        ("2014-04", "2014-02", "novelty only"),
        ("2015", "2014", "date unknown"),
    ],
)
def test_status_by_dates(published: str, effective: str, expected: str) -> None:
    assert status(published, effective, CUTOFF) == expected


def test_the_cutoff_is_given_else_priority_else_filing_else_today() -> None:
    draft = Draft(priority="2014-03-10", filed="2015-03-09")
    assert cutoff_of(draft, "2013-01-02").date == "2013-01-02"
    assert cutoff_of(draft).date == "2014-03-10"
    assert cutoff_of(Draft(filed="2015-03-09")).date == "2015-03-09"
    assert cutoff_of(Draft(), today="2020-02-02").date == "2020-02-02"
    assert cutoff_of(Draft(), today="2020-02-02").source == "today, as the draft names no date"


@pytest.mark.parametrize("given", ["2014-13-10", "2014-02-30", "2014", "soon"])
def test_a_cutoff_that_is_no_day_is_refused(given: str) -> None:
    with pytest.raises(ForeartError, match="write the cut-off as 2014-03-10"):
        cutoff_of(Draft(), given)
