"""What the library patent_client saves: files, and small records for claims, family and US documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expectation import OWN, RAW, Expected, check, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Patent, Symbol
from foreart.errors import BadRecord
from foreart.sources.formats.patent_client import READER

FOLDER = RAW / "epo_ops"


def read(record: object) -> list[Patent]:
    return list(READER.parse(json.dumps(record).encode()))


INVENTED = {
    "ep1990026_biblio_result.json": Expected(
        id="EP1990026A1",
        title="Mill driven by the moon",
        published="2000-10-11",
        filed="1999-09-10",
        priority="1998-09-14",
        cpc=("B02C 19/0018",),
        ipc=("B02C 19/00", "F03B 13/26"),
        citations={"examiner": 1},
        inventors=("HENDRIK JAN WIEK",),
        applicants=("MAANMOLEN B.V",),
        abstract=("A mill (1) grinds", "the moon pulls. <IMAGE>"),
        language="",
        more={
            "citations": (Citation("DE3990263A1", "examiner", "", "search"),),
            "family_id": "99000026",
            "application_number": "EP99990261",
            "priority_numbers": ("NL1990262",),
        },
    ),
    # The file is JSON, whatever its name says.
    "ep1990026_description_result.xml": Expected(
        id="EP1990026A1", title="", paragraphs=3, description=("The mill stands", "out below."), language=""
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("epo_ops", invented=INVENTED))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


def test_a_list_of_figures_is_one_paragraph() -> None:
    mill = only(OWN / "epo_ops" / "ep1990026_description_result.xml")
    assert [(item.number, item.text) for item in mill.description][1] == (
        "0002",
        "The figures are:\nfig. 1 a mill;\nfig. 2 a moon.",
    )


@needs_raw
def test_real_biblio() -> None:
    patent = only(FOLDER / "ep1000000_biblio_result.json")
    check(
        patent,
        Expected(
            id="EP1000000A1",
            title="Apparatus for manufacturing green bricks for the brick manufacturing industry",
            published="2000-05-17",
            filed="1999-11-08",
            priority="1998-11-12",
            cpc=("B28B 1/29", "B28B 5/022", "B28B 5/025", "B28B 7/0064"),
            ipc=("B28B 1/29", "B28B 5/02", "B28B 7/00", "H02P 6/08"),
            citations={"examiner": 3},
            inventors=("WILHELMUS JACOBUS MARIA KOSMAN",),
            applicants=("BEHEERMAATSCHAPPIJ DE BOER NIJMEGEN B.V",),
            abstract=("The invention relates", "green bricks. <IMAGE>"),
            language="",
        ),
    )
    assert patent.citations[0] == Citation("DE3546191A1", "examiner", "", "search")
    assert patent.ipc[0] == Symbol("B28B 1/29", None, "inventive")
    assert (patent.family_id, patent.application_number) == ("19768124", "EP99203729")
    assert patent.priority_numbers == ("NL1010536",)
    assert [item.language for item in patent.translations] == ["de", "fr"]


@needs_raw
def test_real_description() -> None:
    """The file is JSON, whatever its name says."""
    patent = only(FOLDER / "ep1000000_description_result.xml")
    check(
        patent,
        Expected(
            id="EP1000000A1",
            title="",
            paragraphs=22,
            description=("The invention relates", "the appended claims."),
            language="",
        ),
    )
    assert [item.number for item in patent.description] == [f"{number:04d}" for number in range(1, 23)]
    assert patent.description[10].text.count("\n") == 6  # the list of figures


def test_claims_glued_together() -> None:
    document = {"country": "EP", "doc_number": "1000000", "kind": "A1"}
    text = "1. Apparatus.2. Apparatus as claimed in claim 1.3. Apparatus of 2.5 mm as in claim 1 or 2."
    listed = [{"number": 1, "limitations": ["Apparatus.Apparatus as claimed in claim 1."]}]
    [patent] = read({"document_id": document, "claims": listed, "claim_text": text})
    assert [(claim.number, claim.depends_on) for claim in patent.claims] == [(1, ()), (2, (1,)), (3, (1, 2))]


def test_claims_in_a_list() -> None:
    claims = [{"number": 1, "limitations": ["A screw, with", "a head."]}, {"number": 2, "limitations": ["As claim 1."]}]
    [patent] = read({"document_id": {"country": "US", "doc_number": "7000000", "kind": "B2"}, "claims": claims})
    assert [claim.text for claim in patent.claims] == ["A screw, with\na head.", "As claim 1."]
    assert patent.claims[1].depends_on == (1,)


def test_us_document_without_a_claimed_priority() -> None:
    [patent] = read(
        {
            "documents": [
                {
                    "publication_reference_docdb": {
                        "country": "US",
                        "number": "2012116137",
                        "kind": "A1",
                        "date": "2012-05-10",
                    },
                    "application_reference_docdb": {
                        "id_type": "docdb",
                        "country": "US",
                        "number": "94268010",
                        "kind": "A",
                    },
                    "application_reference_epodoc": {
                        "id_type": "epodoc",
                        "number": "US20100942680",
                        "date": "2010-11-09",
                    },
                    "application_reference_original": {"id_type": "original", "number": "12942680"},
                    "priority_claims": [{"id_type": "epodoc", "number": "US20100942680", "date": "2010-11-09"}],
                    "us_class": ["422/187"],
                    "applicants_original": ["FANG HOWARD L", "PRIMUS GREEN ENERGY INC"],
                    "inventors_original": ["FANG HOWARD L"],
                    "title": "FUEL",
                }
            ]
        }
    )
    assert (patent.id, patent.title) == ("US20120116137A1", "FUEL")
    assert (patent.filed, patent.priority, patent.application_number) == ("2010-11-09", "", "US12/942680")
    assert (patent.uspc, patent.applicants) == (("422/187",), ("PRIMUS GREEN ENERGY INC",))


def test_family() -> None:
    def member(number: str, kind: str) -> dict[str, object]:
        return {
            "family_id": "19768124",
            "publication_reference": [{"id_type": "docdb", "country": "EP", "number": number, "kind": kind}],
            "application_reference": [
                {"id_type": "docdb", "country": "EP", "number": "99203729", "kind": "A", "date": "1999-11-08"}
            ],
            "priority_claims": [
                {
                    "application_reference": {
                        "id_type": "docdb",
                        "country": "NL",
                        "number": "1010536",
                        "date": "1998-11-12",
                    }
                }
            ],
        }

    first, second = read(
        {"publication_number": "EP1000000A1", "family_members": [member("1000000", "A1"), member("1000000", "B1")]}
    )
    assert (first.id, first.family_refs) == ("EP1000000A1", ("EP1000000B1",))
    assert (second.priority, second.priority_numbers, second.family_id) == ("1998-11-12", ("NL1010536",), "19768124")


def test_refused() -> None:
    for record in ({"document_id": {}, "description": "x"}, {"documents": [{"title": "x"}]}, [1]):
        with pytest.raises(BadRecord):
            read(record)


def test_sniff() -> None:
    assert not READER.sniff(b'{"id": "EP1000000A1", "claims": []}', "x.json")
    assert not READER.sniff(b'{"ops:world-patent-data": {}}', "x.json")
    assert READER.sniff(b'{"document_id": {"country": "EP", "doc_number": "1"}, "description": ""}', "x")
