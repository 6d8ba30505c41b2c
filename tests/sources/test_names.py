"""Names of people and companies, and who cited what, in the wordings of several registers."""

from __future__ import annotations

import pytest

from foreart.document.patent import Citation
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, docdb_application, epodoc_application
from foreart.sources.formats.citing import letters_of, merged, phase_of
from foreart.sources.formats.names import given_first, owners, people, printed_name


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("PERVAN, Darko", "Darko PERVAN"),
        ("BUNEL, EMILIO, ENRIQUE", "EMILIO ENRIQUE BUNEL"),
        ("Schmidt, Hans, Prof. Dr.", "Prof. Dr. Hans Schmidt"),
        ("King, Martin Luther, Jr.", "Martin Luther King Jr."),
        ("KOSMAN WILHELMUS [NL]", "KOSMAN WILHELMUS"),
        ("FANG, HOWARD L, ", "HOWARD L FANG"),
        ("Drake, Drew", "Drew Drake"),
        ("The designation of the inventor has not yet been filed", ""),
        ("", ""),
    ],
)
def test_given_first(printed: str, said: str) -> None:
    assert given_first(printed) == said


def test_people_and_owners() -> None:
    assert people(["FANG, HOWARD", "Fang, Howard", ""]) == ("HOWARD FANG",)
    assert owners(["Fang, Howard", "PRIMUS, INC. [US]"], ["FANG HOWARD"]) == ("PRIMUS, INC.",)
    assert owners(["Fang, Howard"], ["FANG, HOWARD"]) == ("Howard Fang",)
    assert printed_name("DU PONT &amp; COMPANY ,") == "DU PONT & COMPANY"


def test_phases() -> None:
    assert phase_of("SEA") == ("search", "examiner")
    assert phase_of("international-search-report", "examiner") == ("international search", "examiner")
    assert phase_of("APP") == ("application", "applicant")
    assert phase_of("undefined", "third-party") == ("", "other")
    assert phase_of("something-new") == ("something new", "unknown")
    assert letters_of(["X", "Y,D", "x"]) == "XYD"


def test_merged_keeps_the_weightiest() -> None:
    told = (Citation("EP1A1", "applicant", "", "application"), Citation("EP1A1", "examiner", "X", "search"))
    assert merged(told) == (Citation("EP1A1", "examiner", "X", "search"),)
    assert merged(reversed(told)) == (Citation("EP1A1", "examiner", "X", "search"),)


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("01963450.0", "EP", "EP01963450"),
        ("201810358967.X", "CN", "CN201810358967"),
        ("10 2011 114 434.5", "DE", "DE102011114434"),
        ("201314052000", "US", "US14/052000"),
        ("10/755,135", "US", "US10/755135"),
        ("PCT/US02/36644", "WO", "PCT/US02/36644"),
    ],
)
def test_application_numbers(text: str, country: str, expected: str) -> None:
    assert application_number(text, country=country) == expected


def test_application_numbers_of_docdb_and_epodoc() -> None:
    assert docdb_application("99203729", country="EP", kind="A") == "EP99203729"
    assert docdb_application("9815763", country="US", kind="W") == "PCT/US98/15763"
    assert docdb_application("201261713164", country="US", kind="P") == "US61/713164"
    assert epodoc_application("WO2013US50328") == "PCT/US2013/050328"
    assert epodoc_application("US20090569640") == "US20090569640"  # the series is not told


def test_document_types() -> None:
    assert document_type("USPP12345P2") == "plant"
    assert document_type("USRE36154E") == "reissue"
    assert document_type("CN201000001U") == "utility model"
    assert document_type("EP1000000A1") == ""
