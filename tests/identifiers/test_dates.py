"""Dates as sources write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.identifiers.dates import iso_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20071120", "2007-11-20"),
        (20071120, "2007-11-20"),
        ("19071000", "1907-10"),
        ("19070000", "1907"),
        ("2007-11-20", "2007-11-20"),
        ("2007-11-20 00:00:00.000000", "2007-11-20"),
        ("2007-11-20T10:00:00Z", "2007-11-20"),
        ("2007/11/2", "2007-11-02"),
        ("2007.11.20", "2007-11-20"),
        ("1943-10", "1943-10"),
        ("1907", "1907"),
        ("Nov. 20, 2007", "2007-11-20"),
        ("November 20 2007", "2007-11-20"),
        ("Sept. 2, 2014", "2014-09-02"),
        ("20 November 2007", "2007-11-20"),
        ("1st Dec. 2009", "2009-12-01"),
        ("12. Febr. 2015", "2015-02-12"),
        ("3. März 2011", "2011-03-03"),
        ("4. Mai 2010", "2010-05-04"),
        ("29. Okt. 2015", "2015-10-29"),
        ("31. Dez. 2009", "2009-12-31"),
        ("11/20/2007", "2007-11-20"),
        ("May 1998", "1998-05"),
        ("2007-02-30", "2007-02"),
        ("2007-13-01", "2007"),
        ("", ""),
        (None, ""),
        ("0", ""),
        ("00000000", ""),
        ("unknown", ""),
        ("12345", ""),
    ],
)
def test_iso_date(text: object, expected: str):
    assert iso_date(text) == expected


@given(st.dates(min_value=date(1790, 1, 1), max_value=date(2100, 12, 31)))
@settings(deadline=None)
def test_all_spellings_of_a_day_give_the_same_date(day: date):
    iso = day.isoformat()
    spellings = (iso, day.strftime("%Y%m%d"), day.strftime("%Y/%m/%d"), day.strftime("%m/%d/%Y"))
    assert {iso_date(spelling) for spelling in spellings} == {iso}
    assert iso_date(iso[:7]) == iso[:7]
    assert iso_date(iso_date(iso)) == iso


@given(st.text(max_size=40))
@settings(deadline=None)
def test_any_text_gives_a_date_or_an_empty_string(text: str):
    found = iso_date(text)
    assert found == "" or (len(found) in (4, 7, 10) and iso_date(found) == found)
