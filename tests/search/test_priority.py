"""What may count against a draft, by dates."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import ForeartError
from foreart.identifiers.date_spans import EARLIEST, LATEST, MARGIN, day, iso, span, year_before
from foreart.search import REGIMES, Cutoff, Dated, Status, cutoff_of, dated_of, rule_of, status, status_of
from foreart.search.law.date_arrays import ORDER, UNTOLD, DateArrays, earlier, statuses
from foreart.search.law.priority import Regime, regime_of

CUTOFF = "2014-03-10"
DAYS = st.dates(datetime.date(2012, 1, 1), datetime.date(2016, 12, 31)).map(datetime.date.isoformat)
DATES = st.one_of(st.just(""), DAYS, DAYS.map(lambda date: date[:7]), DAYS.map(lambda date: date[:4]))
DOCUMENTS = st.builds(
    Dated,
    published=DATES,
    filed=DATES,
    priority=DATES,
    country=st.sampled_from(["", "EP", "WO", "US", "DE", "JP"]),
    kind=st.sampled_from(["", "A1", "B2", "S1"]),
    estimated=st.booleans(),
    design=st.booleans(),
)
LAWS = st.sampled_from(list(REGIMES))


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


def test_the_filing_is_kept_where_it_is_later_than_the_cutoff() -> None:
    draft = Draft(priority="2014-03-10", filed="2015-03-09")
    assert cutoff_of(draft).filed == "2015-03-09"
    assert cutoff_of(draft, "2016-01-01").filed == ""
    between = Dated("2014-12-01", priority="2014-11-01", country="US", kind="A1")
    told = rule_of(between, "after the date", cutoff_of(draft), "epc")
    assert told.endswith("prior art if the draft's priority is not valid, as published before its filing 2015-03-09")


@pytest.mark.parametrize("name", ["", "EPO", "uspto"])
def test_a_law_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ForeartError, match="there are any, epc, us, pct"):
        regime_of(name)


def test_days_of_dates() -> None:
    assert span("") == span("soon") == (EARLIEST, LATEST)
    assert span("2012-02") == (day("2012-02-01"), day("2012-02-29"))
    assert span("2012") == (day("2012-01-01"), day("2012-12-31"))
    assert iso(year_before(day("2013-02-28"))) == "2012-02-28"
    assert iso(year_before(day("2012-02-29"))) == "2011-02-28"


def test_a_patent_says_what_decides() -> None:
    patent = Patent("USD1S1", published="2013-01-01", published_estimated=True, filed="2012", priority="2011-05")
    assert dated_of(patent) == Dated("2013-01-01", "2012", "2011-05", "US", "S1", estimated=True, design=True)


@given(st.lists(DOCUMENTS, max_size=30), DAYS, LAWS)
@settings(max_examples=200, deadline=None)
def test_the_arrays_say_what_is_said_of_one(documents: list[Dated], cutoff: str, regime: Regime) -> None:
    found = statuses(DateArrays.of(documents), day(cutoff), regime)
    assert [ORDER[code] for code in found] == [status_of(document, cutoff, regime) for document in documents]


@given(DOCUMENTS, DAYS, DAYS, LAWS)
@settings(max_examples=300, deadline=None)
def test_a_later_cutoff_takes_nothing_back(document: Dated, one: str, other: str, regime: Regime) -> None:
    early, late = sorted((one, other))
    before, after = status_of(document, early, regime), status_of(document, late, regime)
    if before == "prior art":
        assert after == "prior art"
    if after == "after the date":
        assert before == "after the date"


@given(DOCUMENTS, DAYS)
@settings(max_examples=300, deadline=None)
def test_any_is_the_union_of_the_three_laws(document: Dated, cutoff: str) -> None:
    rank: dict[Status, int] = {"prior art": 3, "novelty only": 2, "date unknown": 1, "after the date": 0}
    told = [status_of(document, cutoff, law) for law in REGIMES if law != "any"]
    assert status_of(document, cutoff, "any") == max(told, key=rank.__getitem__)


@given(DOCUMENTS, DAYS, LAWS)
@settings(max_examples=300, deadline=None)
def test_less_known_never_decides_otherwise(document: Dated, cutoff: str, regime: Regime) -> None:
    """Without its day or with an estimate, a document whose dates agree keeps its status or becomes unknown."""
    published = span(document.published)[0]
    assume(published != EARLIEST and day(document.effective) <= published and day(document.filed) <= published)
    exact = status_of(replace(document, estimated=False), cutoff, regime)
    for vague in (
        replace(document, estimated=True),
        replace(document, published="", filed="", estimated=False),
        replace(document, published=document.published[:7], estimated=False),
        replace(document, published=document.published[:4], estimated=False),
    ):
        assert status_of(vague, cutoff, regime) in (exact, "date unknown")


@given(DOCUMENTS, DAYS, LAWS)
@settings(max_examples=300, deadline=None)
def test_every_status_has_a_rule_with_the_cutoff_in_it(document: Dated, cutoff: str, regime: Regime) -> None:
    found = status_of(document, cutoff, regime)
    for own in (None, True, False):
        told = rule_of(document, found, Cutoff(cutoff, "given"), regime, own=own)
        assert cutoff in told
        assert ("EPC" in told or "USC" in told or "PCT" in told) == (found != "date unknown") or "look for it" in told
        assert "  " not in told and not told.endswith((";", ":", " "))
        if found == "prior art" and document.published:
            assert document.published in told


@given(st.lists(DOCUMENTS, min_size=1, max_size=20), DAYS, LAWS)
@settings(max_examples=100, deadline=None)
def test_whatever_may_be_a_hit_is_known_to_the_ranker(documents: list[Dated], cutoff: str, regime: Regime) -> None:
    dates = DateArrays.of(documents)
    kept = statuses(dates, day(cutoff), regime) != ORDER.index("after the date")
    assert not (kept & ~earlier(dates, day(cutoff))).any()


@given(st.lists(DOCUMENTS, min_size=1, max_size=20), DAYS)
@settings(max_examples=100, deadline=None)
def test_estimates_are_looked_up_only_where_they_matter(documents: list[Dated], cutoff: str) -> None:
    untold = DateArrays.of(documents, told=False)
    assert (untold.estimated == UNTOLD).all()
    rows = untold.untold(day(cutoff))
    told = untold.told(rows, [documents[row].estimated for row in rows])
    expected = statuses(DateArrays.of(documents), day(cutoff))
    assert statuses(told, day(cutoff)).tolist() == expected.tolist()
    assert not len(told.untold(day(cutoff)))
    assert (untold.estimated == UNTOLD).all(), "the arrays themselves are not changed"


def test_the_margin_of_an_estimate() -> None:
    for distance, expected in ((MARGIN, "date unknown"), (MARGIN + 1, "prior art")):
        published = iso(day(CUTOFF) - distance)
        assert status_of(Dated(published, estimated=True), CUTOFF) == expected
        assert status_of(Dated(published), CUTOFF) == "prior art"


def test_grace_and_common_ownership_are_flagged_in_the_us_only() -> None:
    own = Dated("2013-09-01", country="US", kind="A1")
    cutoff = Cutoff(CUTOFF, "given")
    assert "102(b)(1)" in rule_of(own, "prior art", cutoff, "us", own=True)
    assert "102(b)(1)" in rule_of(own, "prior art", cutoff, "any")
    assert "102(b)(1)" not in rule_of(own, "prior art", cutoff, "us", own=False)
    assert "102(b)(1)" not in rule_of(own, "prior art", cutoff, "epc", own=True)
    assert "102(b)(1)" not in rule_of(replace(own, published="2013-03-09"), "prior art", cutoff, "us", own=True)
    assert "102(b)(1)" in rule_of(replace(own, published="2013-03-10"), "prior art", cutoff, "us", own=True)
    late = Dated("2014-09-01", priority="2013-09-01", country="US", kind="A1")
    assert "102(b)(2)" in rule_of(late, "novelty only", cutoff, "us", own=True)
    assert "102(b)(2)" not in rule_of(late, "novelty only", cutoff, "us")


def test_own_family_published_before_counts_all_the_same() -> None:
    cutoff = Cutoff(CUTOFF, "given")
    told = rule_of(Dated("2009-01-01", country="US"), "own family", cutoff, alike="the draft claims US12/345678")
    assert told.startswith("own family: the draft claims US12/345678; published 2009-01-01, before the cut-off")
    assert (
        rule_of(Dated("2015-01-01"), "own family", cutoff, alike="the draft itself") == "own family: the draft itself"
    )
