"""What may count against a draft, by dates."""

from __future__ import annotations

import datetime
from dataclasses import replace
from functools import partial
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import ForeartError
from foreart.identifiers.date_spans import EARLIEST, LATEST, MARGIN, day, iso, months_later, span
from foreart.identifiers.parties import Agreement
from foreart.regimes import Regime
from foreart.search import REGIMES, Cutoff, Dated, Status, cutoff_of, dated_of, rule_of, status_of
from foreart.search.law.date_arrays import ORDER, DateArrays, earlier, statuses
from foreart.search.law.priority import regime_of
from hand_views import dated_view

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
CUTOFFS = st.builds(
    lambda date, more: Cutoff(date, "given", "" if more < 0 else iso(day(date) + more)), DAYS, st.integers(-1, 800)
)


def at(date: str, filed: str = "") -> Cutoff:
    return Cutoff(date, "given", filed)


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
    assert status_of(Dated(published, priority=effective, country="EP"), at(CUTOFF), "epc") == expected


def test_the_cutoff_is_given_else_priority_else_filing_else_today() -> None:
    draft = Draft(priority="2014-03-10", filed="2015-03-09")
    assert cutoff_of(draft, "2013-01-02").date == "2013-01-02"
    assert cutoff_of(draft).date == "2014-03-10"
    assert cutoff_of(Draft(filed="2015-03-09")).date == "2015-03-09"
    assert cutoff_of(Draft(), today="2020-02-02").date == "2020-02-02"
    assert cutoff_of(Draft(), today="2020-02-02").source == "today, because the draft names no date"


@pytest.mark.parametrize("given", ["2014-13-10", "2014-02-30", "2014", "soon"])
def test_a_cutoff_that_is_no_day_is_refused(given: str) -> None:
    with pytest.raises(ForeartError, match="write the cut-off as 2014-03-10"):
        cutoff_of(Draft(), given)


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (Draft(priority="2014-02"), Cutoff("2014-02-28", "priority date named in the draft, the last day of 2014-02")),
        (Draft(priority="2014"), Cutoff("2014-12-31", "priority date named in the draft, the last day of 2014")),
        (
            Draft(priority="2014-03-10", filed="2015-03"),
            Cutoff("2014-03-10", "priority date named in the draft", "2015-03-31"),
        ),
        (
            Draft(filed="2015"),
            Cutoff("2015-12-31", "filing date named in the draft, the last day of 2015", "2015-12-31"),
        ),
    ],
)
def test_of_a_month_or_year_in_the_draft_the_last_day_counts(draft: Draft, expected: Cutoff) -> None:
    """The first day would leave out what was published in the rest of it."""
    assert cutoff_of(draft) == expected


def test_the_filing_is_kept_where_it_is_not_earlier_than_the_cutoff() -> None:
    draft = Draft(priority="2014-03-10", filed="2015-03-09")
    assert cutoff_of(draft).filed == "2015-03-09"
    assert cutoff_of(draft, "2016-01-01").filed == ""
    assert cutoff_of(Draft(filed="2015-03-09")).filed == "2015-03-09"
    between = Dated("2014-12-01", priority="2014-11-01", country="US", kind="A1")
    told = rule_of(between, "after the date", cutoff_of(draft), "epc")
    assert told.endswith(
        "prior art if the draft's priority is not valid, because published before its filing 2015-03-09"
    )


def test_rule_33_1_counts_to_the_filing_within_the_priority_period_or_if_asked_for() -> None:
    near, far = at(CUTOFF, "2015-05-10"), at(CUTOFF, "2015-05-11")
    assert [iso(near.search_limit(law)) for law in REGIMES] == ["2015-05-10", CUTOFF, CUTOFF, "2015-05-10"]
    assert [iso(far.search_limit(law)) for law in REGIMES] == [CUTOFF, CUTOFF, CUTOFF, "2015-05-11"]
    assert {at(CUTOFF).search_limit(law) for law in REGIMES} == {day(CUTOFF)}


@pytest.mark.parametrize("name", ["", "EPO", "uspto"])
def test_a_law_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ForeartError, match="there are any, epc, us, pct"):
        regime_of(name)


def test_days_of_dates() -> None:
    assert span("") == span("soon") == (EARLIEST, LATEST)
    assert span("2012-02") == (day("2012-02-01"), day("2012-02-29"))
    assert span("2012") == (day("2012-01-01"), day("2012-12-31"))
    assert iso(months_later(day("2013-02-28"), -12)) == "2012-02-28"
    assert iso(months_later(day("2012-02-29"), -12)) == "2011-02-28"
    assert iso(months_later(day("2014-11-30"), 3)) == "2015-02-28"
    assert iso(months_later(day("9999-12-31"), 14)) == "9999-12-31"
    assert iso(months_later(day("2014-12-31"), 1)) == "2015-01-31"


def test_a_patent_says_what_decides() -> None:
    patent = Patent("USD1S1", published="2013-01-01", published_estimated=True, filed="2012", priority="2011-05")
    assert dated_of(patent) == Dated("2013-01-01", "2012", "2011-05", "US", "S1", estimated=True, design=True)


RANK: dict[Status, int] = {
    "prior art": 4,
    "novelty only": 3,
    "date unknown": 2,
    "mentioned": 1,
    "after the date": 0,
}
SECRET = {"epc": ("EP", "WO"), "us": ("US", "WO")}


def told_otherwise(document: Dated, cutoff: Cutoff, regime: Regime) -> Status:
    """The law once more, one document and one possible pair of days at a time."""
    published, effective = document.published_span, document.effective_span
    if regime == "any":
        near = not cutoff.filed or day(cutoff.filed) <= months_later(day(cutoff.date), 14)
        laws: dict[Regime, Cutoff] = {"epc": cutoff, "us": cutoff, "pct": cutoff if near else at(cutoff.date)}
        return max((told_otherwise(document, limit, law) for law, limit in laws.items()), key=RANK.__getitem__)
    limit = day(cutoff.date)
    if published[1] < limit:
        return "prior art"
    until = max(limit, day(cutoff.filed or cutoff.date)) if regime == "pct" else limit
    if regime == "pct" and limit <= published[0] and published[1] < until:
        return "mentioned"
    if effective[0] >= until:
        return "after the date"
    offices = ("", document.country) if regime == "pct" else SECRET[regime]
    shapes = regime == "us"
    outcomes: set[Status] = set()
    for out in {published[0], max(published[0], min(limit, published[1])), published[1]} | (
        {until} if published[0] <= until <= published[1] else set()
    ):
        for first in effective:
            if out < limit:
                outcomes.add("prior art")
            elif regime == "pct" and out < until:
                outcomes.add("mentioned")
            elif first >= until or (document.design and not shapes):
                outcomes.add("after the date")
            elif document.country in offices and (document.country or regime == "pct"):
                outcomes.add("mentioned" if regime == "pct" else "novelty only")
            else:
                outcomes |= {"after the date"} if document.country else {"after the date", "novelty only"}
    return outcomes.pop() if len(outcomes) == 1 else "date unknown"


@given(st.lists(DOCUMENTS, max_size=30), CUTOFFS, LAWS)
@settings(max_examples=400, deadline=None)
def test_the_arrays_say_what_the_law_says_of_one(documents: list[Dated], cutoff: Cutoff, regime: Regime) -> None:
    found = statuses(DateArrays.of(dated_view(documents)), cutoff, regime)
    assert [ORDER[code] for code in found] == [told_otherwise(document, cutoff, regime) for document in documents]
    assert [status_of(document, cutoff, regime) for document in documents] == [ORDER[code] for code in found]


@given(DOCUMENTS, DAYS, DAYS, LAWS)
@settings(max_examples=300, deadline=None)
def test_a_later_cutoff_takes_nothing_back(document: Dated, one: str, other: str, regime: Regime) -> None:
    early, late = sorted((one, other))
    before, after = status_of(document, at(early), regime), status_of(document, at(late), regime)
    if before == "prior art":
        assert after == "prior art"
    if after == "after the date":
        assert before == "after the date"


@given(DOCUMENTS, DAYS, st.integers(0, 365))
@settings(max_examples=300, deadline=None)
def test_any_is_the_union_of_the_three_laws(document: Dated, date: str, later: int) -> None:
    cutoff = at(date, iso(day(date) + later))
    told = [status_of(document, cutoff, law) for law in REGIMES if law != "any"]
    assert status_of(document, cutoff, "any") == max(told, key=RANK.__getitem__)


@given(DOCUMENTS, CUTOFFS, LAWS)
@settings(max_examples=300, deadline=None)
def test_less_known_never_decides_otherwise(document: Dated, cutoff: Cutoff, regime: Regime) -> None:
    """Without its day or with an estimate, a document whose dates agree keeps its status or becomes unknown."""
    published = span(document.published)[0]
    assume(published != EARLIEST and document.effective_span[0] <= published and day(document.filed) <= published)
    exact = status_of(replace(document, estimated=False), cutoff, regime)
    for vague in (
        replace(document, estimated=True),
        replace(document, published="", estimated=False),
        replace(document, published=document.published[:7], estimated=False),
        replace(document, published=document.published[:4], estimated=False),
    ):
        assert status_of(vague, cutoff, regime) in (exact, "date unknown")


@given(DOCUMENTS, DAYS, st.integers(0, 800), CUTOFFS, LAWS)
@settings(max_examples=300, deadline=None)
def test_a_priority_known_to_the_year_decides_as_its_day_or_not_at_all(
    document: Dated, priority: str, later: int, cutoff: Cutoff, regime: Regime
) -> None:
    filed = iso(day(priority) + later)
    exact = status_of(replace(document, priority=priority, filed=filed), cutoff, regime)
    for vague in (priority[:7], priority[:4]):
        found = status_of(replace(document, priority=vague, filed=filed), cutoff, regime)
        assert found in (exact, "date unknown")


@given(DOCUMENTS, CUTOFFS, LAWS)
@settings(max_examples=300, deadline=None)
def test_every_status_has_a_rule_with_the_cutoff_in_it(document: Dated, cutoff: Cutoff, regime: Regime) -> None:
    found = status_of(document, cutoff, regime)
    agreements: tuple[Agreement, ...] = get_args(Agreement)
    for people in agreements:
        told = rule_of(document, found, cutoff, regime, people=people)
        assert cutoff.date in told
        assert ("EPC" in told or "USC" in told or "PCT" in told) == (found != "date unknown") or "look for it" in told
        assert "  " not in told and not told.endswith((";", ":", " "))
        if found == "prior art" and document.published:
            assert document.published in told
        own = rule_of(document, "own family", cutoff, regime, people=people, relation="the draft itself")
        assert own.startswith("own family: the draft itself; it ")
        assert told in own


@given(st.lists(DOCUMENTS, min_size=1, max_size=20), CUTOFFS, LAWS)
@settings(max_examples=100, deadline=None)
def test_whatever_counts_is_known_to_the_ranker(documents: list[Dated], cutoff: Cutoff, regime: Regime) -> None:
    dates = DateArrays.of(dated_view(documents))
    counts = np.isin(statuses(dates, cutoff, regime), [ORDER.index(name) for name in ("prior art", "novelty only")])
    assert not (counts & ~earlier(dates, cutoff, regime)).any()


def test_a_document_with_only_a_date_of_publication_is_known_from_that_day_on() -> None:
    """Its citations would leak from the future; one without any date may be earlier, and is known."""
    dates = DateArrays.of(dated_view([Dated("2014-03-09"), Dated("2014-03-10"), Dated("2020"), Dated()]))
    assert earlier(dates, Cutoff("2014-03-10", "given")).tolist() == [True, False, False, True]


def test_the_margin_of_an_estimate() -> None:
    for distance, expected in ((MARGIN, "date unknown"), (MARGIN + 1, "prior art")):
        published = iso(day(CUTOFF) - distance)
        assert status_of(Dated(published, estimated=True), at(CUTOFF)) == expected
        assert status_of(Dated(published), at(CUTOFF)) == "prior art"


def test_grace_and_common_ownership_are_told_in_the_us_only() -> None:
    own = Dated("2013-09-01", country="US", kind="A1")
    cutoff = at(CUTOFF)
    assert "102(b)(1)" in rule_of(own, "prior art", cutoff, "us", people="same")
    assert "102(b)(1)" in rule_of(own, "prior art", cutoff, "any")
    assert "only if derived from your inventors" in rule_of(own, "prior art", cutoff, "us", people="other")
    assert "102(b)(1)" not in rule_of(own, "prior art", cutoff, "epc", people="same")
    assert "102(b)(1)" not in rule_of(replace(own, published="2013-03-09"), "prior art", cutoff, "us", people="same")
    assert "102(b)(1)" in rule_of(replace(own, published="2013-03-10"), "prior art", cutoff, "us", people="same")
    late = Dated("2014-09-01", priority="2013-09-01", country="US", kind="A1")
    assert "102(b)(2)" in rule_of(late, "novelty only", cutoff, "us", people="same")
    assert "102(b)(2)" in rule_of(late, "novelty only", cutoff, "us", people="unclear")
    assert "102(b)(2)" not in rule_of(late, "novelty only", cutoff, "us", people="other")
    assert "102(b)(2)" not in rule_of(replace(late, country="EP"), "novelty only", cutoff, "epc", people="same")


def test_a_document_of_the_own_family_counts_by_its_dates_like_any_other() -> None:
    cutoff = at(CUTOFF)
    rule = partial(rule_of, status="own family", cutoff=cutoff, relation="the draft claims US12/345678")
    before = rule(Dated("2009-01-01", country="US"))
    assert before.startswith("own family: the draft claims US12/345678; it still counts: published 2009-01-01,")
    assert "Art. 54(2) EPC" in before
    late = rule(Dated("2014-09-01", "2013-09-02", country="EP", kind="A1"), regime="epc")
    assert "it still counts: filed 2013-09-02, before the cut-off 2014-03-10" in late
    assert late.endswith("; Art. 54(3) EPC makes no exception for the same applicant")
    assert "no exception" not in rule(Dated("2014-09-01", "2013-09-02", country="US", kind="A1"), regime="us")
    assert "it is still mentioned:" in rule(Dated("2014-09-01", "2013-09-02", country="DE", kind="A1"))
    assert "it does not count: filed 2014-03-10" in rule(Dated("2015-09-10", CUTOFF, country="EP", kind="A1"))
    assert "it may still count: published 2015-01-01" in rule(Dated("2015-01-01", country="EP"))
