"""Patent numbers in prose, against values found by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.document.mentions import mentions

FOUND = {
    "US 5,123,456": ["US5123456"],
    "U.S. Pat. Nos. 5,123,456, 5,234,567 and 6,345,678 B1": ["US5123456", "US5234567", "US6345678B1"],
    "U.S.Pat. No. 3,456,789 to Smith": ["US3456789"],
    "United States Patent No. 7,123,456 to Smith": ["US7123456"],
    "US-A-5 123 456": ["US5123456"],
    "US patent 5123456": ["US5123456"],
    "US 2003/0123456 A1": ["US20030123456A1"],
    "US2003123456A1": ["US20030123456A1"],
    "U.S. Patent Application Publication No. 2003/0123456": ["US20030123456"],
    "U.S. Pat. No. Re. 35,123": ["USRE35123"],
    "U.S. Pat. No. D345,678": ["USD345678"],
    "Patent Nos. 5,123,456 and 5,234,567": ["US5123456", "US5234567"],
    "EP 1 234 567 B1": ["EP1234567B1"],
    "EP-A-0 123 456": ["EP0123456"],
    "EP1234567A1": ["EP1234567A1"],
    "EP 324455": ["EP0324455"],
    "European Patent Application No. 1234567": ["EP1234567"],
    "EP 0 123 456 A1, EP 0 234 567 B1": ["EP0123456A1", "EP0234567B1"],
    "europäische Patentanmeldung mit der Veröffentlichungsnummer 0 006 197": ["EP0006197"],
    "DE 10 2004 012 345 A1": ["DE102004012345A1"],
    "DE-OS 32 14 740": ["DE3214740"],
    "DE 199 12 345 C2": ["DE19912345C2"],
    "deutsche Offenlegungsschrift 2654280": ["DE2654280"],
    "DE 38 12 345 A1, DE 39 23 456 A1 und DE 40 34 567 C1": ["DE3812345A1", "DE3923456A1", "DE4034567C1"],
    "WO 2004/012345": ["WO2004012345"],
    "WO 96/25012 A1": ["WO1996025012A1"],
    "International Publication No. WO 2004/012345 A2": ["WO2004012345A2"],
    "JP 2004-123456 A": ["JP2004123456A"],
    "JP-A-5-123456": ["JPH05123456"],
    "Japanese Patent Application Laid-Open No. 2004-12345": ["JP2004012345"],
    "Japanese Patent Laid-Open Publication No. 63-123456": ["JPS63123456"],
    "GB 2 123 456 A": ["GB2123456A"],
    "British Patent No. 1,234,567": ["GB1234567"],
    "FR 2,123,456": ["FR2123456"],
    "CN 101234567 A": ["CN101234567A"],
    "KR 10-2004-0012345": ["KR1020040012345"],
}
NOT = [
    "Tel. +1 (555) 123-4567",
    "12,345,678 cells",
    "10 mm to 1234567 nm",
    "US 555-1234",
    "in the US 2004",
    "CA 94105-1234",
    "Call 1-800-555-1234 in the US at 1234567",
    "the US, 1,234,567 people",
    "DE 1234",
    "EP 12",
    "at 10.1038/1234567",
    "The US population of 310,000,000",
    "between US 1 and US 101",
    "US $1,234,567",
    "SEQ ID NO: 1234567",
    "CH 3 12345678",
    "Proc. Natl. Acad. Sci. USA 88 189 193",
    "Genbank AU 123456",
    "AT 12345",
    "a length of 1,234,567 mm",
]


@pytest.mark.parametrize(("text", "numbers"), FOUND.items(), ids=FOUND)
def test_numbers_by_value(text: str, numbers: list[str]) -> None:
    sentence = f"Such a pump is known from {text}, which is heavy."
    found = mentions(sentence)
    assert [item.number for item in found] == numbers
    assert all(item.kind == "publication" for item in found)
    assert all(sentence[item.start : item.end] == item.printed for item in found)


@pytest.mark.parametrize("text", NOT)
def test_other_numbers_are_skipped(text: str) -> None:
    assert mentions(f"We say {text}.") == ()


def test_semicolon_ends_a_list_unless_the_office_follows() -> None:
    text = "See EP 1 234 567 B1; EP 1 234 568 A2; 1,234,567 cells of 10 mm."
    assert [item.number for item in mentions(text)] == ["EP1234567B1", "EP1234568A2"]


def test_application_numbers_are_distinguished() -> None:
    text = (
        "This claims priority to U.S. Ser. No. 10/123,456 and PCT/US2004/012345 and Japanese Patent Application No. "
        "2003-60876."
    )
    assert [(item.number, item.kind) for item in mentions(text)] == [
        ("US10/123456", "application"),
        ("PCT/US2004/012345", "application"),
        ("JP2003060876", "application"),
    ]


@given(st.text(alphabet="USEPWODJ 0123456789,./-ABn", max_size=60))
@settings(deadline=None)
def test_mentions_are_spans_in_order(text: str) -> None:
    end = 0
    for item in mentions(text):
        assert text[item.start : item.end] == item.printed
        assert item.start >= end
        end = item.end
