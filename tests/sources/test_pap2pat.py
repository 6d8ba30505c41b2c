"""Pap2Pat's JSON of applications as trees of sections."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expectation import RAW, Expected, check, check_file, files, needs_raw, only
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.errors import BadNumber
from foreart.sources.formats.pap2pat import READER


def parse(record: object) -> Patent:
    (patent,) = READER.parse(json.dumps(record).encode())
    return patent


INVENTED = {
    "W990031-US20130990031.json": Expected(
        id="US20130990031",
        title="Kit for Counting Sheep",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2013",
        filed="2012-04-03",
        inventors=("Ada Papier", "Bo Patent"),
        abstract=("A kit counts sheep.\nIt stops", "one sleeps."),
        description=("DESCRIPTION\nFIELD OF THE INVENTION\nSheep", "Nights are long."),
        claim_text=("A kit with a fence.", "with a gate."),
        paragraphs=6,
        more={"published_estimated": True},
    ),
    "W990032-US20170990032.json": Expected(
        id="US20170990032",
        title="TAGGING OF BUTTONS",
        claims=3,
        depends_on={1: (), 3: (), 4: (3,)},
        published="2017",
        filed="2015-08-04",
        description=("DESCRIPTION\nBACKGROUND\nButtons", "Example 1. Sewing\nTen buttons held."),
        claim_text=("1.-2. (canceled)", "of horn."),
        paragraphs=9,
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("pap2pat_json", invented=INVENTED))
def test_files(path: Path, facts: Expected):
    check_file(path, facts)


@needs_raw
def test_a_flat_application():
    patent = only(RAW / "pap2pat_json" / "W100168059-US20130210636.json")
    check(
        patent,
        Expected(
            id="US20130210636",
            title="Method and Kit for Performing Profiling of Endarterectomy Patients",
            claims=13,
            depends_on={1: (), 5: (4,), 6: (3,), 9: (8,), 13: (1,)},
            published="2013",
            filed="2012-02-14",
            inventors=(
                "Lasse Folkersen",
                "Anders Gabrielsen",
                "Ulf Hedin",
                "Gabrielle Paulsson-Berne",
                "Jonas Lars Persson",
            ),
            abstract=("A method of", "endarterectomy treatment."),
            description=("DESCRIPTION\nFIELD OF THE INVENTION", "procedure. Pg. 21-24"),
            claim_text=("A method of profiling", "in claim 1."),
            paragraphs=68,
        ),
    )
    assert patent.description[2].heading == "FIELD OF THE INVENTION"
    assert [len(line) > 0 for line in patent.abstract.split("\n")] == [True] * 6


@needs_raw
def test_a_nested_application_with_cancelled_claims():
    patent = only(RAW / "pap2pat_json" / "W1489349053-US20170335369.json")
    check(
        patent,
        Expected(
            id="US20170335369",
            title="TAGGING NUCLEIC ACIDS FOR SEQUENCE ASSEMBLY",
            claims=27,
            depends_on={1: (), 39: (), 40: (39,), 45: (44,), 61: (60,), 64: (39,)},
            published="2017",
            filed="2015-07-31",
            abstract=("Various approaches", "are presented."),
            description=("DESCRIPTION\nBACKGROUND", "be covered thereby."),
            claim_text=("1.-38. (canceled)", "of a cell."),
            paragraphs=470,
        ),
    )
    headings = [paragraph.text for paragraph in patent.description if paragraph.is_heading]
    assert len(headings) == 23
    assert headings[3:6] == [
        "DETAILED DESCRIPTION",
        "Using Sequence Reads to Order and Orient Contigs",
        "Phase Data and Uses",
    ]


def test_sections_in_reading_order():
    patent = parse(
        {
            "id": "US20130210636",
            "authors": [],
            "claims": "1. A kit. 2. The kit of claim 1.",
            "sections": [
                {"title": "A", "paragraphs": ["one"], "subsections": [{"title": "B", "paragraphs": ["[0002] two"]}]},
                {"title": "", "paragraphs": ["three"], "subsections": None},
            ],
        }
    )
    assert patent.description == (
        Paragraph("A", heading="A", is_heading=True),
        Paragraph("one", heading="A"),
        Paragraph("B", heading="B", is_heading=True),
        Paragraph("two", "0002", "B"),
        Paragraph("three", heading="B"),
    )
    assert patent.claims == (Claim(1, "A kit."), Claim(2, "The kit of claim 1.", (1,)))


def test_missing_fields_are_empty():
    assert parse({"id": "US1A1"}) == Patent("US1A1", language="en", document_type="utility")


def test_a_paper_is_refused():
    with pytest.raises(BadNumber, match="'W100168059' is not a publication number"):
        parse({"id": "W100168059", "authors": [], "sections": []})


def test_nesting_has_no_end_but_json_s():
    deep: dict[str, object] = {"title": "x", "paragraphs": ["end"]}
    for _ in range(200):
        deep = {"title": "x", "subsections": [deep]}
    assert parse({"id": "US1A1", "sections": [deep]}).description[-1].text == "end"
