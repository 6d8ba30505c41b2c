"""The Harvard USPTO Patent Dataset, by records written after its published description."""

from __future__ import annotations

import json

import pytest

from foreart.document.patent import Claim, Paragraph, Patent, Symbol
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.hupd import READER

RECORD = {
    "application_number": "13817165",
    "publication_number": "US20130296823A1-20131107",
    "title": "Screw  with a head",
    "decision": "ACCEPTED",
    "date_produced": "20131024",
    "date_published": "20131107",
    "main_cpc_label": "G06F1730",
    "cpc_labels": ["G06F1730", "A61M5172", "Y02E1070"],
    "main_ipcr_label": "A61B1770",
    "ipcr_labels": ["A61B1770", "A61B1756"],
    "patent_number": "9950112",
    "filing_date": "20130219",
    "patent_issue_date": "20180424",
    "abandon_date": None,
    "uspc_class": "604",
    "uspc_subclass": "503000",
    "examiner_id": "74715.0",
    "inventor_list": [
        {"inventor_name_last": "Lovelace", "inventor_name_first": "Ada", "inventor_city": "London"},
        {"inventor_name_last": "Babbage", "inventor_name_first": "Charles"},
        {},
    ],
    "abstract": "A screw.",
    "claims": "1. A screw comprising a head. 2. The screw of claim 1, wherein the head is flat.",
    "background": "Old screws.",
    "summary": "New screws.",
    "full_description": "BACKGROUND\nOld screws.\nSUMMARY\nNew screws.",
}


def parse(**changed: object) -> Patent:
    (patent,) = READER.parse(json.dumps({**RECORD, **changed}).encode())
    return patent


def test_by_value():
    assert parse() == Patent(
        id="US20130296823A1",
        title="Screw with a head",
        abstract="A screw.",
        claims=(
            Claim(1, "A screw comprising a head."),
            Claim(2, "The screw of claim 1, wherein the head is flat.", (1,)),
        ),
        description=(
            Paragraph("BACKGROUND", heading="BACKGROUND", is_heading=True),
            Paragraph("Old screws.", heading="BACKGROUND"),
            Paragraph("SUMMARY", heading="SUMMARY", is_heading=True),
            Paragraph("New screws.", heading="SUMMARY"),
        ),
        published="2013-11-07",
        filed="2013-02-19",
        cpc=(Symbol("G06F 17/30", "first"), Symbol("A61M 51/72"), Symbol("Y02E 10/70")),
        ipc=(Symbol("A61B 17/70", "first"), Symbol("A61B 17/56")),
        uspc=("604/503",),
        inventors=("Ada Lovelace", "Charles Babbage"),
        application_number="US13/817165",
        family_refs=("US9950112",),
        language="en",
        document_type="utility",
    )


def test_never_published_but_granted():
    patent = parse(publication_number="", date_published=None)
    assert (patent.id, patent.published, patent.family_refs) == ("US9950112", "2018-04-24", ())


def test_neither_published_nor_granted_is_refused():
    with pytest.raises(BadRecord, match="no publication number"):
        parse(publication_number=None, patent_number="None")


@pytest.mark.parametrize("number", ["None", "NaN", "0", 0, None, ""])
def test_what_tables_write_for_no_patent(number: object):
    assert parse(patent_number=number).family_refs == ()


def test_parts_stand_in_for_a_missing_description():
    assert parse(full_description=None).description_text == "Old screws.\nNew screws."


def test_odd_values():
    patent = parse(application_number="8914308", date_published="", uspc_subclass="021500", main_cpc_label=None)
    assert patent.application_number == "US08/914308"
    assert patent.published == "2013-11-07"
    assert patent.uspc == ("604/21.5",)
    assert [symbol.position for symbol in patent.cpc] == [None, None, None]
    assert parse(uspc_class="None").uspc == ()


def test_missing_fields_are_empty():
    (patent,) = READER.parse(b'{"publication_number": "US20130296823A1"}')
    assert patent == Patent("US20130296823A1", language="en", document_type="utility")


def test_a_file_is_recognised_however_it_is_laid_out(tmp_path):
    for indent in (None, 4):
        file = tmp_path / f"{indent}.json"
        file.write_text(json.dumps(RECORD, indent=indent))
        (patent,) = scan(file)
        assert (patent.id, patent.origins[0].format) == ("US20130296823A1", "hupd-json")
