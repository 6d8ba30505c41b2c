"""ThinkStruct's JSON of weekly applications."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expectation import RAW, Expected, check, check_file, files, needs_raw, patents
from foreart.document.patent import Claim, Patent, Symbol
from foreart.errors import BadRecord
from foreart.sources.formats.thinkstruct import READER


def parse(**record: object) -> Patent:
    (patent,) = READER.parse(json.dumps(record).encode())
    return patent


INVENTED = {
    "patents_ipa240905.json": (
        Expected(
            "US20240990034A9",
            "WHEEL OF A TOY CART",
            2,
            {1: (), 2: (1,)},
            published="2024-09-05",
            cpc=("B60B 5/02",),
            claim_text=("A wheel ( 1 ) made", "is red."),
            paragraphs=0,
            more={"publication_status": "corrected", "cpc": (Symbol("B60B 5/02", "first", "inventive"),)},
        ),
        Expected(
            "US20240990035A1",
            "Cart",
            3,
            {1: (), 3: (), 4: (3,)},
            published="2024-09-05",
            cpc=("B62C 1/00",),
            claim_text=("1 .- 2 . (canceled)", "two goats."),
            paragraphs=2,
            more={"publication_status": ""},
        ),
    )
}
REAL = [
    Expected("US20240227432A9", "SPOKE-STAR UNIT MADE OF A FIBRE-REINFORCED PLASTIC", 6, {5: (4,)}, cpc=("B60B 1/04",)),
    Expected(
        "US20240227433A1",
        "ALUMINUM WHEELS AND METHODS FOR CASTING ALUMINUM WHEELS USING HIGH SCRAP ALUMINUM CONTENT",
        19,
        {1: (), 2: (1,), 4: (), 15: (14,)},
        cpc=("B60B 3/06",),
        paragraphs=23,
    ),
    Expected(
        "US20240227434A1",
        "FIBER REINFORCED THERMOPLASTIC SPOKE AND MANUFACTURING METHOD FOR THE SAME",
        9,
        {3: (1,), 4: (2,)},
        cpc=("B60B 5/02",),
        paragraphs=16,
    ),
    Expected(
        "US20240227435A9", "SIDEWALL INSERT FOR A MOTORCYCLE TIRE", 11, {17: (16,), 21: (20,)}, cpc=("B60B 7/01",)
    ),
    Expected("US20240227436A1", "DRIVING MODULE", 17, {16: (15,), 17: (1,)}, cpc=("B60B 19/00",), paragraphs=31),
    Expected("US20240227437A1", "VEHICLE WHEEL", 4, {4: (3,)}, cpc=("B60B 19/10",), paragraphs=1),
    Expected("US20240227438A1", "Firm-Grip Rim", 5, {5: (1,)}, cpc=("B60B 21/02",), paragraphs=10),
    Expected("US20240227439A1", "Multipiece Road Wheel", 22, {8: (), 10: (9,), 21: (19,)}, cpc=("B60B 25/00",)),
    Expected(
        "US20240227440A9",
        "INTERNAL CONNECTION OF A BICYCLE REAR HUB",
        10,
        {7: (6,)},
        cpc=("B60B 27/02",),
        paragraphs=10,
    ),
    Expected("US20240227441A9", "VEHICLE WHEEL MOUNTING APPARATUS", 20, {19: (18,), 20: (15,)}, cpc=("B60B 30/02",)),
]


@pytest.mark.parametrize(("path", "facts"), files("thinkstruct_json", invented=INVENTED))
def test_files(path: Path, facts: tuple[Expected, ...]):
    check_file(path, facts)


@needs_raw
def test_the_real_file():
    found = list(patents(RAW / "thinkstruct_json" / "patents_ipa240711.json"))
    assert len(found) == len(REAL)
    for patent, expected in zip(found, REAL, strict=True):
        assert patent.published == "2024-07-11"
        assert patent.cpc[0].position == "first"
        assert patent.cpc[0].value == "inventive"
        check(patent, Expected(**{**vars(expected), "published": "2024-07-11"}))
        assert len(patent.description) == (expected.paragraphs or 0)
    assert found[0].claims[0].text.startswith("A spoke star ( 1 )")
    assert found[3].claims[0].text == "1 .- 15 . (canceled)"
    assert [claim.number for claim in found[3].claims] == [1, *range(16, 26)]
    assert [patent.publication_status for patent in found[:2]] == ["corrected", ""]


def test_without_a_file_name_the_number_alone_is_the_id():
    assert parse(doc_number="20240227432", title="x") == Patent("US20240227432", title="x", language="en")


def test_a_design_and_an_odd_class():
    patent = parse(filename="USD1034567S1-20240709.XML", claims="The design.", classification="D12-211")
    assert (patent.id, patent.published, patent.document_type) == ("USD1034567S1", "2024-07-09", "design")
    assert patent.claims == (Claim(1, "The design."),)
    assert patent.cpc == (Symbol("D12-211"),)


def test_no_number_is_refused():
    with pytest.raises(BadRecord, match="no publication number"):
        parse(title="x", bibtex="")
    with pytest.raises(BadRecord, match="'x' is not a publication number"):
        parse(doc_number="x")
