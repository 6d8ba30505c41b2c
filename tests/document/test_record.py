"""The JSON form of a patent: nothing is lost on the way there and back, and loose records are understood."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expectation import SHARED, needs_raw
from foreart.document.patent import Citation, Claim, Literature, Paragraph, Patent, Symbol
from foreart.document.record import from_json, to_json, to_record
from foreart.document.reject import Reject
from foreart.errors import BadNumber, BadRecord
from foreart.sources import scan
from foreart.sources.formats.own_jsonl import READER
from strategies import patents


def parse(record: object) -> Patent:
    (patent,) = READER.parse(json.dumps(record).encode())
    return patent


# The machine may be busy: no deadline for one example.
few = settings(max_examples=40, deadline=None)


@given(patents())
@settings(deadline=None)
def test_to_json_and_back_by_the_reader_is_the_same_patent(patent: Patent):
    assert list(READER.parse(to_json(patent).encode())) == [patent]


@given(patents())
@few
def test_to_json_and_back_by_the_record_is_the_same_patent(patent: Patent):
    assert from_json(to_json(patent)) == patent


@given(patents(identity=st.sampled_from(["MED-10", "doc 17", "4983", "数"])))
@few
def test_free_ids_survive_too(patent: Patent):
    assert list(READER.parse(to_json(patent).encode())) == [patent]
    assert patent.country == ""


@given(patents())
@few
def test_the_record_is_one_line_and_flat(patent: Patent):
    line = to_json(patent)
    assert "\n" not in line
    record = json.loads(line)
    assert record["description"] == (patent.description_text or None)
    assert [text.split(". ", 1)[0] for text in record["claims"]] == [str(claim.number) for claim in patent.claims]


def test_the_record_by_value():
    patent = Patent(
        id="US7585299B2",
        title="Screw",
        claims=(Claim(1, "A screw."), Claim(2, "The screw of claim 1.", (1,))),
        description=(Paragraph("FIELD", heading="FIELD", is_heading=True), Paragraph("Screws.", "0001", "FIELD")),
        cpc=(Symbol("A61B 17/70", "first", "inventive"), Symbol("A61B 17/56")),
        citations=(Citation("US1A", "examiner", "X", "search"),),
    )
    record = to_record(patent)
    assert record["claims"] == ["1. A screw.", "2. The screw of claim 1."]
    assert record["claim_depends_on"] == [[], [1]]
    assert record["description"] == "FIELD\nScrews."
    assert record["paragraphs"] == [{"start": 0, "end": 5, "heading": True}, {"start": 6, "end": 13, "number": "0001"}]
    assert record["cpc"] == ["A61B 17/70", "A61B 17/56"]
    assert record["cpc_positions"] == ["first", None]
    assert record["citations"] == [{"id": "US1A", "category": "examiner", "letters": "X", "phase": "search"}]
    assert (record["country"], record["kind"]) == ("US", "B2")
    assert "ipc_positions" not in record


LOOSE = {
    "id": "us 7,585,299 b2",
    "title": "Screw",
    "abstract": None,
    "claims": ["1. A screw.", "", "2 . The screw of claim 1 , wherein", "A nail."],
    "description": "BACKGROUND\n[0001] Screws are old.\n\nThey rust.",
    "publication_date": "20090908",
    "filing_date": "1907-10",
    "priority_date": None,
    "cpc": ["A61B17/70", "", "nonsense"],
    "ipc": "A61B 17/70; A61B 17/56",
    "inventors": [""],
    "applicants": "Acme, Inc.",
    "citations": [{"id": "US 2011/0087291 A1", "category": "examiner", "key": "x"}, "EP 1 000 000 A1", {"id": ""}],
    "family_refs": ["US6656498"],
    "family": ["EP0049154B1", "US7585299B2", "CA 1172780 A1"],
    "cited_by": ["US9999999B2"],
    "language": "EN",
    "country": "US",
}


def test_the_loose_form_is_understood():
    patent = parse(LOOSE)
    assert patent.id == "US7585299B2"
    assert patent.claims == (
        Claim(1, "A screw."),
        Claim(2, "The screw of claim 1 , wherein", (1,)),
        Claim(3, "A nail."),
    )
    assert patent.description == (
        Paragraph("BACKGROUND", heading="BACKGROUND", is_heading=True),
        Paragraph("Screws are old.", "0001", "BACKGROUND"),
        Paragraph("They rust.", "", "BACKGROUND"),
    )
    assert (patent.published, patent.filed, patent.priority) == ("2009-09-08", "1907-10", "")
    assert [symbol.symbol for symbol in patent.cpc] == ["A61B 17/70", "nonsense"]
    assert [symbol.symbol for symbol in patent.ipc] == ["A61B 17/70", "A61B 17/56"]
    assert (patent.inventors, patent.applicants) == ((), ("Acme, Inc.",))
    assert patent.citations == (Citation("US20110087291A1", "examiner"), Citation("EP1000000A1"))
    assert patent.family_refs == ("US6656498", "EP0049154B1", "CA1172780A1")
    assert patent.language == "en"


def test_claims_as_one_running_text_are_split():
    text = "What is claimed is: 1. A screw comprising a head. 2. The screw of claim 1, made of steel."
    expected = (Claim(1, "A screw comprising a head."), Claim(2, "The screw of claim 1, made of steel.", (1,)))
    assert parse({"id": "US1A", "claims": text}).claims == expected
    assert parse({"id": "US1A", "claims": [text]}).claims == expected


def test_an_enumeration_in_the_only_claim_is_not_split():
    text = "1. A method comprising: 1. starting; 2. reach the maximum number of rounds."
    assert [claim.number for claim in parse({"id": "US1A", "claims": [text]}).claims] == [1]


def test_objects_and_bare_values_where_lists_of_texts_should_be():
    patent = parse(
        {
            "id": "US1A",
            "claims": [{"text": "1. A screw."}, {"text": "2. A nail."}],
            "description": [{"text": "One."}, "Two."],
            "cpc": [{"code": "A61B17/70"}],
            "citations": "US2A; US3A",
            "non_patent_citations": ["Smith, Screws; a history"],
            "publication_date": 20090908,
        }
    )
    assert [claim.text for claim in patent.claims] == ["A screw.", "A nail."]
    assert patent.description_text == "One.\nTwo."
    assert patent.cpc == (Symbol("A61B 17/70"),)
    assert patent.citations == (Citation("US2A"), Citation("US3A"))
    assert patent.literature == (Literature("Smith, Screws; a history"),)
    assert patent.published == "2009-09-08"


def test_a_bare_number_takes_the_country_of_its_record():
    assert parse({"id": "7585299", "country": "US"}).id == "US7585299"


def test_a_free_id_only_where_no_country_is_named():
    assert parse({"id": "doc-17", "title": "x"}).id == "doc-17"
    with pytest.raises(BadNumber, match="'doc-17' is not a publication number"):
        parse({"id": "doc-17", "country": "US"})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"title": "x"}', "no id"),
        (b'{"id": null}', "no id"),
        (b'{"id": "US1A", ', "not valid JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"id": ' + b"[" * 200_000, "nested too deep|not valid JSON"),
        (b'{"id": "US1A", "claims": ["1. x"], "claim_numbers": [1, 2], "claim_depends_on": [[]]}', "not of one length"),
    ],
)
def test_what_cannot_be_read_is_refused(data: bytes, reason: str):
    with pytest.raises(BadRecord, match=reason):
        list(READER.parse(data))


def test_half_characters_and_wrong_encodings_do_not_get_in():
    (patent,) = READER.parse(b'{"id": "US1A", "title": "a\\ud800b \\ud83d\\ude00"}')
    assert patent.title == "a\ufffdb \U0001f600"
    assert next(iter(READER.parse('{"id": "US1A", "title": "Küvette"}'.encode("cp1252")))).title == "Küvette"


def records(tmp_path, text: str) -> list[Patent | Reject]:
    file = tmp_path / "patents.jsonl"
    file.write_bytes(text.encode())
    return list(scan(file))


def test_a_broken_line_costs_only_itself(tmp_path):
    found = records(tmp_path, '{"id":"US1A","title":"a"}\n{"id":"US2A","title":"b\n\n{"id":"US3A","title":"c"}\n')
    assert [item.id if isinstance(item, Patent) else item.position for item in found] == [
        "US1A",
        "document 2, byte 26",
        "US3A",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "US1A", "title": "a"},\n {"id": "US2A", "title": "b"}]',
        '{\n  "id": "US1A",\n  "title": "a"\n}\n{\n  "id": "US2A",\n  "title": "b"\n}',
        '\ufeff{"id": "US1A", "title": "a"}\r\n{"id": "US2A", "title": "b"}\r\n',
    ],
)
def test_arrays_and_printed_objects_are_read_too(tmp_path, text: str):
    assert [item.id for item in records(tmp_path, text) if isinstance(item, Patent)] == ["US1A", "US2A"]


def test_origins_of_a_record_are_kept_and_others_get_theirs(tmp_path):
    found = records(
        tmp_path,
        '{"id":"US1A","title":"a","origins":[{"file":"ipg.xml","position":"document 4","format":"uspto-xml-v4"}]}\n'
        '{"id":"US2A","title":"b"}\n',
    )
    assert [item.origins[0].position for item in found if isinstance(item, Patent)] == ["document 4", "document 2"]
    assert [item.origins[0].format for item in found if isinstance(item, Patent)] == ["uspto-xml-v4", "foreart-jsonl"]


@pytest.mark.parametrize(
    "head",
    [
        b'{"_id": "1", "title": "a", "text": "b"}',
        b'{"publicationNumber": "US1A", "title": "a"}',
        b'{"lens_id": "1", "id": "x", "title": "a"}',
        b'{"id": "US1", "authors": [], "title": "a", "sections": []}',
        b'{"a": {"id": 1, "title": 2}}',
        b"id,title\nUS1A,a\n",
        b"",
    ],
)
def test_other_formats_are_not_claimed(head: bytes):
    assert not READER.sniff(head, "x.jsonl")


@needs_raw
@pytest.mark.parametrize("name", ["ultrasound.jsonl.gz", "background.jsonl.gz", "patsnap/patsnap_abstracts.jsonl.gz"])
def test_real_records_are_read_without_a_reject(name: str):
    found = list(itertools.islice(scan(SHARED / name), 300))
    assert [item for item in found if isinstance(item, Reject)] == []
    assert len(found) == 300


@needs_raw
def test_a_real_record_by_value():
    patent = first(item for item in scan(SHARED / "background.jsonl.gz") if isinstance(item, Patent))
    assert (patent.id, patent.title) == ("US7296300B2", "Finger guard")
    assert (patent.published, patent.filed) == ("2007-11-20", "2004-01-12")
    assert patent.ipc == (Symbol("A41D 13/08"),)
    assert patent.citations[0] == Citation("US869190A", "examiner")
    assert patent.description[0] == Paragraph(
        "BACKGROUND OF THE INVENTION", heading="BACKGROUND OF THE INVENTION", is_heading=True
    )
    assert patent.claims[1].depends_on == (1,)
    assert patent.collection == "uspto-2007-11-20"


def first(items: Iterator[Patent]) -> Patent:
    return next(items)
