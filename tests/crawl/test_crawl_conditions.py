"""Which patents a crawl keeps, and which links it follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foreart.crawl.candidate import candidate
from foreart.crawl.conditions import REPORTS, CrawlConditions
from foreart.crawl.following import Following, normalised, targets
from foreart.document.patent import Citation, Patent, Symbol

SCREW = Patent(
    "US7000001B2",
    published="2006-02-14",
    cpc=(Symbol("F16B 35/00"), Symbol("A61B 17/86")),
    citations=(
        Citation("US5000000A", "applicant"),
        Citation("US5000001A", "examiner"),
        Citation("EP0000002A1", "examiner", phase="family"),
        Citation("US20050000003A1", "examiner"),
        Citation("US7000001B2", "unknown"),
    ),
    family_refs=("US20050000003A1", "US10/755135"),
)


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        (CrawlConditions(), ""),
        (CrawlConditions(classes=("A61",), published_from="2000"), ""),  # the paper's
        (CrawlConditions(classes=("a61b17/8",)), ""),
        (CrawlConditions(classes=("A61K", "F16B")), ""),
        (CrawlConditions(classes=("G06",)), "other class"),
        (CrawlConditions(published_from="2006-02-14", published_to="2006-02"), ""),
        (CrawlConditions(published_from="2006-02-15"), "published too early"),
        (CrawlConditions(published_from="2007"), "published too early"),
        (CrawlConditions(published_to="2005"), "published too late"),
        (CrawlConditions(published_to="2006"), ""),
        (CrawlConditions(countries=("ep", "us")), ""),
        (CrawlConditions(countries=("EP",)), "other office"),
    ],
)
def test_conditions(conditions: CrawlConditions, reason: str) -> None:
    assert conditions.refuse(candidate(SCREW)) == reason


@pytest.mark.parametrize(
    ("published", "lenient", "reason"),
    [
        ("", False, "no publication date"),
        ("", True, ""),
        ("2000", False, ""),
        ("1999-12", False, "published too early"),
    ],
)
def test_partial_dates(published: str, lenient: bool, reason: str) -> None:
    conditions = CrawlConditions(published_from="2000-06-01", lenient=lenient)
    assert conditions.refuse(candidate(replace(SCREW, published=published))) == reason


def test_the_ipc_is_used_if_there_is_no_cpc_and_no_symbol_is_no_class() -> None:
    medical = CrawlConditions(classes=("A61",))
    ipc = (Symbol("A61B 17/70"),)
    assert medical.refuse(candidate(replace(SCREW, cpc=(), ipc=ipc))) == ""
    assert medical.refuse(candidate(replace(SCREW, cpc=(Symbol("G06F 1/00"),), ipc=ipc))) == "other class"
    assert medical.refuse(candidate(replace(SCREW, cpc=()))) == "no class"
    assert replace(medical, lenient=True).refuse(candidate(replace(SCREW, cpc=()))) == ""


@pytest.mark.parametrize(
    ("category", "phase", "kept"),
    [
        ("examiner", "", {"report", "examiner", "any", "off"}),
        ("unknown", "", {"report", "any", "off"}),
        ("applicant", "", {"any", "off"}),
        ("examiner", "family", {"off"}),  # the search report of a relative does not count
    ],
)
def test_a_search_report_is_recognised_by_citation_categories(category: str, phase: str, kept: set[str]) -> None:
    one = candidate(replace(SCREW, citations=(Citation("US1A", category, phase=phase),)))  # type: ignore[arg-type]
    assert {name for name in REPORTS if not CrawlConditions(report=name).refuse(one)} == kept


def test_followed_links() -> None:
    found = candidate(SCREW, citing=("US8000000B2", "US5000000A"))
    assert list(targets(found, Following())) == ["US5000000A", "US5000001A"]
    assert list(targets(found, Following(citing=True))) == ["US5000000A", "US5000001A", "US8000000B2"]
    assert list(targets(found, Following(family=True)))[2:] == ["US20050000003A1", "US10/755135"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("us 7,000,001 b2", "US7000001B2"), ("WO 96/25012", "WO1996025012"), ("US10/755135", ""), ("Smith 1999", "")],
)
def test_numbers_are_normalised_for_remote_sources(text: str, number: str) -> None:
    assert normalised(text) == number
