"""Normalisation of publication and application numbers."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foreart.errors import BadNumber
from foreart.identifiers.numbers import Number, application_number, loose_number, normalise, number_key, parse_number
from strategies import ids

no_deadline = settings(deadline=None)


@given(ids())
@no_deadline
def test_a_normalised_number_is_unchanged(text: str):
    number = parse_number(text)
    assert str(number) == text
    assert parse_number(str(number)) == number


@given(ids(), st.sampled_from([" ", "  ", "\u00a0", ",", ".", "'", "-", "\u2013", "_", "\n"]))
@no_deadline
def test_separators_between_the_parts_are_ignored(text: str, sign: str):
    number = parse_number(text)
    assert parse_number(f"{number.country}{sign}{number.number}{sign}{number.kind}") == number


@given(ids())
@no_deadline
@example("USD345393S1")
@example("WO2010055701A2")
def test_case_is_ignored(text: str):
    assert parse_number(text.lower()) == parse_number(text)


@given(st.integers(1, 99_999_999), st.integers(0, 4))
@no_deadline
def test_leading_zeros_are_ignored(serial: int, zeros: int):
    assert normalise(f"US{'0' * zeros}{serial}B2") == f"US{serial}B2"
    assert number_key(f"EP{'0' * zeros}{serial}B1") == number_key(f"EP{serial}A2")


@given(st.integers(1000, 9_999_999))
@no_deadline
def test_thousands_separators_and_spaces_are_ignored(serial: int):
    assert normalise(f"US {serial:,} B2") == f"US{serial}B2"
    assert normalise(f"EP {serial:,} A1".replace(",", " ")) == f"EP{serial:07d}A1"


@given(ids(), st.sampled_from(["", "A", "A1", "B2", "C"]))
@no_deadline
def test_matching_ignores_the_kind_code(text: str, kind: str):
    number = parse_number(text)
    assert number_key(f"{number.country}{number.number}{kind}") == number.key


@given(st.integers(1978, 2077), st.integers(1, 99_999))
@no_deadline
def test_short_and_long_wo_numbers_are_the_same(year: int, serial: int):
    long = f"WO{year}{serial:06d}"
    assert normalise(f"WO {year}/{serial:06d}") == long
    assert normalise(f"WO {year % 100:02d}/{serial:05d}") == long
    assert normalise(f"WO{year % 100:02d}{serial:05d}") == long


@given(st.text(max_size=60))
@no_deadline
def test_any_text_is_parsed_or_refused(text: str):
    try:
        number = parse_number(text)
    except BadNumber:
        assert loose_number(text) == Number("", text.strip())
    else:
        assert len(number.country) == 2
        assert any(char.isdigit() for char in number.number)


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("US 7,585,299 B2", "US7585299B2"),
        ("US07585299", "US7585299"),
        ("us7585299b2", "US7585299B2"),
        ("US-7585299-B2", "US7585299B2"),
        ("U.S. Pat. No. 7,585,299", "US7585299"),
        ("US2011/0087291 A1", "US20110087291A1"),
        ("US2011087291A1", "US20110087291A1"),  # DOCDB
        ("EP 1 000 000 A1", "EP1000000A1"),
        ("EP49154B2", "EP0049154B2"),
        ("EP-A2-1186247", "EP1186247A2"),
        ("WO 2010/055701", "WO2010055701"),
        ("WO 96/25012", "WO1996025012"),
        ("WO9625012A1", "WO1996025012A1"),
        ("USD0345393S1", "USD345393S1"),
        ("D 345,393", "USD345393"),
        ("PP 12,345", "USPP12345"),
        ("USPP012345P2", "USPP12345P2"),
        ("RE 38,335", "USRE38335"),
        ("USRE038335E1", "USRE38335E1"),
        ("H 2,001", "USH2001"),
        ("USH0002001H1", "USH2001H1"),
        ("JPH0512345A", "JPH0512345A"),
        ("MXPA03001234A", "MXPA03001234A"),
    ],
)
def test_spellings(text: str, spelling: str):
    assert normalise(text) == spelling


@pytest.mark.parametrize(
    "text", ["", " ", "US", "B2", "7585299", "MED-10", "doc17", "doc12345", "a screw", "US7585299B2X9"]
)
def test_the_error_names_what_is_not_a_number(text: str):
    with pytest.raises(BadNumber, match="is not a publication number"):
        parse_number(text)


def test_a_long_text_is_shortened_in_the_error():
    with pytest.raises(BadNumber) as error:
        parse_number("x" * 10_000)
    assert len(str(error.value)) < 150


def test_the_default_country_is_used_if_the_text_has_none():
    assert normalise("7,585,299", country="us") == "US7585299"
    assert normalise("EP1000000", country="US") == "EP1000000"


def test_free_ids_are_unchanged():
    assert loose_number(" MED-10 ") == Number("", "MED-10")
    assert number_key("doc17") == "doc17"
    assert str(loose_number("us7585299b2")) == "US7585299B2"


@pytest.mark.parametrize(
    ("text", "country", "spelling"),
    [
        ("12189522", "US", "US12/189522"),
        ("10/755,135", "US", "US10/755135"),
        ("US 10/755,135", "US", "US10/755135"),
        ("PCT/US2006/014841", "US", "PCT/US2006/014841"),
        ("04012345", "EP", "EP04012345"),
    ],
)
def test_application_numbers(text: str, country: str, spelling: str):
    assert application_number(text, country=country) == spelling


def test_slashes_in_numbers_of_other_offices_are_dropped():
    assert str(parse_number("WO/96/41640")) == "WO1996041640"
    assert str(parse_number("JP02/043615A2")) == "JP2043615A2"
    assert str(parse_number("US13/962724")) == "US13/962724"
