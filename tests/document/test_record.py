"""The JSON form of a patent: the round trip is lossless, and loosely written records are read."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

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


# No deadline per example: the machine may be busy.
few = settings(max_examples=40, deadline=None)


@given(patents())
@settings(deadline=None)
def test_round_trip_through_the_reader(patent: Patent):
    assert list(READER.parse(to_json(patent).encode())) == [patent]


@given(patents())
@few
def test_round_trip_through_from_json(patent: Patent):
    assert from_json(to_json(patent)) == patent


@given(patents(identity=st.sampled_from(["MED-10", "doc 17", "4983", "数"])))
@few
def test_round_trip_of_free_ids(patent: Patent):
    assert list(READER.parse(to_json(patent).encode())) == [patent]
    assert patent.country == ""


@given(patents())
@few
def test_record_is_flat_and_on_one_line(patent: Patent):
    line = to_json(patent)
    assert "\n" not in line
    record = json.loads(line)
    assert record["description"] == (patent.description_text or None)
    assert [text.split(". ", 1)[0] for text in record["claims"]] == [str(claim.number) for claim in patent.claims]


def test_record_by_value():
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


def test_loose_record_is_read():
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


def test_claims_in_one_string_are_split():
    text = "What is claimed is: 1. A screw comprising a head. 2. The screw of claim 1, made of steel."
    expected = (Claim(1, "A screw comprising a head."), Claim(2, "The screw of claim 1, made of steel.", (1,)))
    assert parse({"id": "US1A", "claims": text}).claims == expected
    assert parse({"id": "US1A", "claims": [text]}).claims == expected


def test_enumeration_inside_the_only_claim_is_not_split():
    text = "1. A method comprising: 1. starting; 2. reach the maximum number of rounds."
    assert [claim.number for claim in parse({"id": "US1A", "claims": [text]}).claims] == [1]


def test_objects_and_scalars_instead_of_lists_of_strings():
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


def test_bare_number_gets_the_country_of_its_record():
    assert parse({"id": "7585299", "country": "US"}).id == "US7585299"


def test_free_id_is_allowed_only_without_a_country():
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
        (b'{"id": "US1A", "claims": ["1. x"], "claim_numbers": [1, 2], "claim_depends_on": [[]]}', "differ in length"),
    ],
)
def test_unreadable_records_are_refused(data: bytes, reason: str):
    with pytest.raises(BadRecord, match=reason):
        list(READER.parse(data))


def test_lone_surrogates_and_wrong_encodings_are_repaired():
    (patent,) = READER.parse(b'{"id": "US1A", "title": "a\\ud800b \\ud83d\\ude00"}')
    assert patent.title == "a\ufffdb \U0001f600"
    assert next(iter(READER.parse('{"id": "US1A", "title": "Küvette"}'.encode("cp1252")))).title == "Küvette"


def records(tmp_path, text: str) -> list[Patent | Reject]:
    file = tmp_path / "patents.jsonl"
    file.write_bytes(text.encode())
    return list(scan(file))


def test_broken_line_does_not_affect_others(tmp_path):
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
def test_json_arrays_and_indented_objects_are_read(tmp_path, text: str):
    assert [item.id for item in records(tmp_path, text) if isinstance(item, Patent)] == ["US1A", "US2A"]


def test_origins_are_kept_or_added(tmp_path):
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
def test_other_formats_are_not_sniffed_as_ours(head: bytes):
    assert not READER.sniff(head, "x.jsonl")


SAMPLE = Path(str(resources.files("foreart").joinpath("sample/patents.jsonl")))


@pytest.mark.parametrize(
    ("path", "count"),
    [
        (SAMPLE, 50),
        pytest.param(SHARED / "ultrasound.jsonl.gz", 300, marks=needs_raw),
        pytest.param(SHARED / "background.jsonl.gz", 300, marks=needs_raw),
        pytest.param(SHARED / "patsnap" / "patsnap_abstracts.jsonl.gz", 300, marks=needs_raw),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_records_are_read_without_rejects(path: Path, count: int):
    found = list(itertools.islice(scan(path), 300))
    assert [item for item in found if isinstance(item, Reject)] == []
    assert len(found) == count


@needs_raw
def test_real_record_by_value():
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
