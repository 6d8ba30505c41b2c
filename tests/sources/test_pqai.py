"""PQAI's JSON of US patents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expectation import RAW, Expected, check, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.errors import BadNumber, BadRecord
from foreart.sources.formats.pqai import READER


def parse(**record: object) -> Patent:
    (patent,) = READER.parse(json.dumps(record).encode())
    return patent


INVENTED = {
    "US7990033B2.json": Expected(
        id="US7990033B2",
        title="Pump and/or well",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2011-08-02",
        filed="2009-02-09",
        priority="2006-02-13",
        cpc=("E03B 3/08", "F04B 47/00"),
        ipc=("E03B 3/08", "F04B 47/00"),
        citations={"examiner": 1, "other": 2},
        literature=1,
        inventors=("Eva Brunnen", "Ole Eimer"),
        applicants=("Wasserwerk Company",),
        abstract=("A pump digs", "own well."),
        description=("RELATED APPLICATIONS\nThis divides", "by hand."),
        claim_text=("A pump for wells comprising:\na spade; and\na bucket.\nThe pump of claim 1,\nwherein", "of oak."),
        paragraphs=4,
        more={
            "citations": (
                Citation("US2990331A", "other"),
                Citation("US3990332A", "examiner"),
                Citation("GB1099333", "other"),
            ),
            "literature": (Literature("Buckets, third edition, 1978, p. 7.", "other"),),
            "uspc": ("166/52", "166/266", "417/272.1"),
            "application_number": "US12/993301",
            "document_type": "utility",
        },
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("pqai_json", invented=INVENTED))
def test_files(path: Path, facts: Expected):
    check_file(path, facts)


@needs_raw
def test_the_real_file():
    patent = only(RAW / "pqai_json" / "US7654322B2.json")
    check(
        patent,
        Expected(
            id="US7654322B2",
            title="Systems and methods for producing oil and/or gas",
            claims=24,
            depends_on={1: (), 4: (3,), 10: (8,), 11: (), 22: (21,), 24: (11,)},
            published="2010-02-02",
            filed="2008-08-11",
            priority="2005-04-21",
            cpc=("E21B 43/24", "E21B 43/40"),
            ipc=("E21B 43/24", "E21B 43/40"),
            citations={"examiner": 10, "other": 29},
            literature=3,
            applicants=("Shell Oil Company",),
            abstract=("A system including", "into a formation."),
            description=("RELATED APPLICATIONS", "exemplary in nature."),
            claim_text=("A system for", "and/or polymers."),
            paragraphs=129,
        ),
    )
    assert len(patent.inventors) == 11
    assert (patent.inventors[0], patent.inventors[-1]) == ("Dean Chien Wang", "Thomas Mikus")
    assert patent.citations[3] == Citation("US3070162A", "examiner")
    assert patent.citations[-1] == Citation("GB1007674", "other")
    assert patent.literature[0].text.startswith("Kirk-Othermer")
    assert patent.uspc == ("166/266", "166/52", "166/57", "166/263", "166/272.6", "166/303", "166/400")
    assert (patent.application_number, patent.document_type) == ("US12/189522", "utility")
    assert patent.claims[1].text.startswith("The system of claim 1,\nwherein")


def test_missing_fields_are_empty():
    assert parse(publicationNumber="US1B2", title=None, citationsDetails=None) == Patent(
        "US1B2", language="en", document_type=""
    )


def test_plain_lists_stand_in_for_details():
    patent = parse(
        publicationNumber="US 2011/0087291 A1",
        citations=["US 7,585,299 B2", "US7585299B2"],
        citationsDetails={"details": [{"citation": "A book", "npl": True}, {"citation": "EP1A1"}, {"citation": ""}]},
        inventorsDetails={"names": ["Ada Lovelace"]},
        applicants=["Ada Lovelace"],
        classifications={"cpcs": ["A61B17/70"], "ipcr": "G06F17/30"},
        claims="1. A screw. 2. The screw of claim 1.",
    )
    assert patent.id == "US20110087291A1"
    assert patent.citations == (Citation("EP0000001A1"), Citation("US7585299B2"))
    assert patent.literature == (Literature("A book"),)
    assert patent.inventors == patent.applicants == ("Ada Lovelace",)
    assert (patent.cpc, patent.ipc) == ((Symbol("A61B 17/70"),), (Symbol("G06F 17/30"),))
    assert patent.claims[1].depends_on == (1,)


def test_no_number_is_refused():
    with pytest.raises(BadRecord, match="no publication number"):
        parse(title="x")
    with pytest.raises(BadNumber, match="is not a publication number"):
        parse(publicationNumber="none")


def test_sniff():
    assert READER.sniff(b'{"title": "x", "publicationNumber": "US1", "publicationDate": ""}', "a")
    assert READER.sniff(b'[{"publicationNumber": "US1", "claims": []}]', "a")
    assert not READER.sniff(b'{"id": "US1", "claims": []}', "a")
    assert not READER.sniff(b"<publicationNumber>", "a")
