"""Lens.org: records of the API after its documentation, and the columns of its CSV export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expectation import patents
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats import lens_csv
from foreart.sources.formats.lens import READER


def document(jurisdiction: str, number: str, kind: str, date: str = "") -> dict[str, str]:
    return {"jurisdiction": jurisdiction, "doc_number": number, "kind": kind, "date": date}


RECORD: dict[str, Any] = {
    "lens_id": "031-156-664-516-153",
    "jurisdiction": "EP",
    "doc_number": "2471949",
    "kind": "A1",
    "date_published": "2012-07-04",
    "doc_key": "EP_2471949_A1_20120704",
    "lang": "en",
    "biblio": {
        "publication_reference": document("EP", "2471949", "A1", "2012-07-04"),
        "application_reference": document("EP", "10197481", "A", "2010-12-31"),
        "priority_claims": {
            "earliest_claim": {"date": "2009-06-17"},
            "claims": [
                {**document("EP", "10197481", "A", "2010-12-31"), "sequence": 1},
                {**document("US", "201061300001", "P", "2009-06-17"), "sequence": 2},
            ],
        },
        "invention_title": [{"text": "Schraube", "lang": "de"}, {"text": "Screw", "lang": "en"}],
        "parties": {
            "applicants": [{"residence": "ES", "extracted_name": {"value": "ACME SA"}}],
            "inventors": [
                {"sequence": 1, "extracted_name": {"value": "SMITH, JO"}},
                {"sequence": 2, "name": {"name": "JONES AL"}},
            ],
            "owners_all": [{"recorded_date": "2013-12-11", "extracted_name": {"value": "LATER LTD"}}],
        },
        "classifications_cpc": {"classifications": [{"symbol": "F16B23/0007"}, {"symbol": "F16B23/0007"}]},
        "classifications_ipcr": {"classifications": [{"symbol": "F16B35/00"}]},
        "classifications_national": {"classifications": [{"symbol": "411/403"}]},
        "references_cited": {
            "citations": [
                {
                    "sequence": 1,
                    "patcit": {"document_id": document("WO", "2006075254", "A2"), "lens_id": "185-701-234-511-622"},
                    "category": ["X", "Y"],
                    "cited_phase": "SEA",
                },
                {"sequence": 2, "patcit": {"document_id": document("US", "20020000003", "A1")}, "cited_phase": "APP"},
                {"sequence": 3, "patcit": {"document_id": document("WO", "2006075254", "A2")}, "cited_phase": "APP"},
                {"sequence": 4, "patcit": {"document_id": document("DE", "10049363", "A1")}, "cited_phase": "TPO"},
                {"sequence": 5, "patcit": {"document_id": [document("GB", "2000001", "A")]}},
                {"sequence": 6, "nplcit": {"text": "Smith, On screws.", "external_ids": []}, "cited_phase": "ISR"},
            ],
            "patent_count": 5,
        },
        "cited_by": {"patents": [{"document_id": document("US", "9999999", "B2")}]},
    },
    "families": {
        "simple_family": {
            "size": 2,
            "members": [
                {"document_id": document("EP", "2471949", "A1"), "lens_id": "1"},
                {"document_id": document("US", "8000001", "B2"), "lens_id": "2"},
            ],
        },
        "extended_family": {"size": 3, "members": [{"document_id": document("US", "20140007501", "A1")}]},
    },
    "legal_status": {"granted": True, "grant_date": "2013-12-25", "patent_status": "ACTIVE"},
    "abstract": [{"text": "A screw.", "lang": "en"}],
    "claims": [
        {
            "claims": [
                {"claim_text": ["What is claimed is: 1. A screw, comprising:\n a head; \n a slot."]},
                {"claim_text": ["The screw of claim 1,", "of steel."]},
            ],
            "lang": "en",
        },
        {"claims": [{"claim_text": ["Schraube."]}, {"claim_text": ["Schraube nach Anspruch 1."]}], "lang": "de"},
    ],
    "description": {"text": "BACKGROUND\n[0001] Screws are old.", "lang": "en"},
    "publication_type": "PATENT_APPLICATION",
}


def read(record: dict[str, Any]) -> Patent:
    data = json.dumps(record).encode()
    assert READER.sniff(data[: 1 << 16], "x.jsonl")
    (patent,) = READER.parse(data)
    return patent


def test_a_whole_record():
    patent = read(RECORD)
    assert (patent.id, patent.title, patent.abstract, patent.language) == ("EP2471949A1", "Screw", "A screw.", "en")
    assert [(claim.number, claim.text, claim.depends_on) for claim in patent.claims] == [
        (1, "A screw, comprising:\na head;\na slot.", ()),
        (2, "The screw of claim 1,\nof steel.", (1,)),
    ]
    assert [(item.number, item.text) for item in patent.description] == [
        ("", "BACKGROUND"),
        ("0001", "Screws are old."),
    ]
    assert (patent.published, patent.filed, patent.priority) == ("2012-07-04", "2010-12-31", "2009-06-17")
    assert (patent.cpc, patent.ipc) == ((Symbol("F16B 23/0007"),), (Symbol("F16B 35/00"),))
    assert patent.uspc == ("411/403",)
    assert (patent.inventors, patent.applicants) == (("JO SMITH", "JONES AL"), ("ACME SA",))
    assert (patent.application_number, patent.priority_numbers) == ("EP10197481", ("US61/300001",))
    assert patent.family_refs == ("US8000001B2", "US20140007501A1")
    (german,) = patent.translations
    assert (german.language, german.title, [claim.depends_on for claim in german.claims]) == (
        "de",
        "Schraube",
        [(), (1,)],
    )


def test_citations_each_once():
    patent = read(RECORD)
    assert patent.citations == (
        Citation("WO2006075254A2", "examiner", "XY", "search"),
        Citation("US20020000003A1", "applicant", "", "application"),
        Citation("DE10049363A1", "other", "", "third party observation"),
        Citation("GB2000001A", "unknown"),
    )
    assert patent.literature == (Literature("Smith, On screws.", "examiner", "", "international search"),)


def test_hardly_anything():
    patent = read({"lens_id": "000-000-000-000-001", "jurisdiction": "US", "doc_number": "D512345", "kind": "S1"})
    assert (patent.id, patent.title, patent.document_type) == ("USD512345S1", "", "design")
    assert patent.claims == patent.citations == patent.translations == ()
    claims = [{"claims": [{"claim_text": ["1. A screw. 2. The screw of claim 1."]}], "lang": "EN"}]
    assert len(read({**RECORD, "claims": claims}).claims) == 2


def test_no_number_is_refused():
    with pytest.raises(BadRecord, match="no publication number"):
        read({"lens_id": "000-000-000-000-001", "jurisdiction": "US", "biblio": {}})


@pytest.mark.parametrize("indent", [None, 2])
def test_a_response_of_the_api(tmp_path: Path, indent: int | None):
    bad = {"lens_id": "000-000-000-000-002", "jurisdiction": "US"}
    third = {**RECORD, "doc_number": "2471950"}
    text = json.dumps({"total": 3, "max_score": 1.5, "data": [RECORD, bad, third], "results": 3}, indent=indent)
    file = tmp_path / "response.json"
    file.write_text(text)
    found = list(scan(file))
    assert [item.id for item in found if isinstance(item, Patent)] == ["EP2471949A1", "EP2471950A1"]
    (reject,) = (item for item in found if isinstance(item, Reject))
    offset = int(reject.position.rpartition(" ")[2])
    assert text.encode()[offset:].startswith(b"{")
    assert b"000-000-000-000-002" in text.encode()[offset : offset + 60]


def test_lines(tmp_path: Path):
    file = tmp_path / "export.jsonl"
    file.write_text(json.dumps(RECORD) + "\n" + json.dumps({**RECORD, "kind": "B1"}) + "\n")
    assert [patent.id for patent in patents(file)] == ["EP2471949A1", "EP2471949B1"]


def test_scholarly_works_are_not_claimed():
    assert not READER.sniff(b'{"lens_id": "000-000-000-000-001", "title": "x", "authors": []}', "x.jsonl")
    assert not READER.sniff(b'{"data": [{"id": 1, "jurisdiction": "US"}]}', "x.json")


CSV = """\ufeff"#",Jurisdiction,Kind,Display Key,Lens ID,Publication Date,Publication Year,Application Number,\
Application Date,Priority Numbers,Earliest Priority Date,Title,Abstract,Applicants,Inventors,Owners,URL,Document Type,\
Simple Family Members,Extended Family Members,CPC Classifications,IPCR Classifications,US Classifications,\
NPL Citations,Legal Status
1,US,B2,US 8528252 B2,083-1,2013-09-10,2013,US 54115809 A,2009-08-13,US 54115809 A;;US 201161565678 P,2009-08-13,\
Self watering plant system,"The planter has a wick, and the wick is in it.",ACME INC;;BOLT LTD,\
"GRIEBEL ARTHUR;;SMITH, JO",,https://lens.org/083-1,Granted Patent,US 2011/0036006 A1;;US 8528252 B2,\
US 2014/0007501 A1,A01G27/06;;A01G27/04,A01G27/06,47/81,"Smith; On wicks;;Jones, Pots",Active
2,US,A1,,083-2,,,,,,,No number,,,,,,,,,,,,,
"""


def test_csv(tmp_path: Path):
    file = tmp_path / "lens.csv"
    file.write_text(CSV, encoding="utf-8")
    patent, reject = scan(file)
    assert isinstance(patent, Patent)
    assert (patent.id, patent.title, patent.language) == ("US8528252B2", "Self watering plant system", "en")
    assert (patent.published, patent.filed, patent.priority) == ("2013-09-10", "2009-08-13", "2009-08-13")
    assert (patent.applicants, patent.inventors) == (("ACME INC", "BOLT LTD"), ("GRIEBEL ARTHUR", "JO SMITH"))
    assert patent.cpc == (Symbol("A01G 27/06"), Symbol("A01G 27/04"))
    assert patent.uspc == ("47/81",)
    assert (patent.application_number, patent.priority_numbers) == ("US54115809", ("US61/565678",))
    assert patent.family_refs == ("US20110036006A1", "US20140007501A1")
    assert patent.literature == (Literature("Smith; On wicks"), Literature("Jones, Pots"))
    assert patent.document_type == "utility"
    assert isinstance(reject, Reject)
    assert reject.reason == "no publication number"


def test_other_csv_is_not_claimed():
    assert not lens_csv.READER.sniff(b"id,title\nUS1A,x\n", "x.csv")
    assert lens_csv.READER.sniff(b"number,display_key,lens_id,title\n", "x.csv")
