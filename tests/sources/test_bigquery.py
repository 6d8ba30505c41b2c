"""Rows of Google's BigQuery table, built after its published schema, in the three forms it exports."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from expectation import patents
from extras import reason
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord, MissingExtra
from foreart.sources import scan
from foreart.sources.formats.bigquery import CSV_READER, JSON_READER, PARQUET_READER
from foreart.sources.opening.stream import Stream

NESTED = {
    "publication_number": "",
    "application_number": "",
    "npl_text": "",
    "type": "",
    "category": "",
    "filing_date": 0,
}


def cited(**values: Any) -> dict[str, Any]:
    return {**NESTED, **values}


ROW: dict[str, Any] = {
    "publication_number": "US-7000001-B2",
    "application_number": "US-75513504-A",
    "country_code": "US",
    "kind_code": "B2",
    "application_kind": "A",
    "application_number_formatted": "US10755135",
    "pct_number": "",
    "family_id": "4711",
    "spif_publication_number": "",
    "spif_application_number": "",
    "title_localized": [
        {"text": "Vis", "language": "fr", "truncated": False},
        {"text": "Screw", "language": "en", "truncated": False},
    ],
    "abstract_localized": [{"text": "A screw\n with a head.", "language": "en", "truncated": False}],
    "claims_localized": [
        {
            "text": "What is claimed is: \n \n  1. A screw comprising:\n    a head; and\n    a slot. \n"
            " \n  2. The screw of claim 1.",
            "language": "en",
            "truncated": False,
        }
    ],
    "claims_localized_html": [],
    "description_localized": [
        {"text": "BACKGROUND\n  [0001] Screws are old.\n\n  They hold.", "language": "en", "truncated": False}
    ],
    "description_localized_html": [],
    "publication_date": 20060214,
    "filing_date": "20040109",
    "grant_date": 20060214,
    "priority_date": 20030121,
    "priority_claim": [
        cited(application_number="US-44163503-P", filing_date=20030121),
        cited(application_number="US-75513504-A", filing_date=20040109),
        cited(application_number="US-2003041234-W", filing_date=20031224),
    ],
    "inventor": ["SMITH, JO", "Al Jones"],
    "inventor_harmonized": [{"name": "SMITH JO", "country_code": "US"}],
    "assignee": ["Acme, Inc., Springfield"],
    "assignee_harmonized": [{"name": "ACME INC", "country_code": "US"}],
    "examiner": [{"name": "Doe John", "department": "3677", "level": "primary"}],
    "uspc": [{"code": "411/403", "inventive": True, "first": True, "tree": []}],
    "ipc": [{"code": "F16B35/00", "inventive": False, "first": False, "tree": []}],
    "cpc": [
        {"code": "F16B2200/00", "inventive": False, "first": False, "tree": []},
        {"code": "F16B23/0007", "inventive": True, "first": True, "tree": []},
    ],
    "fi": [],
    "fterm": [],
    "locarno": [{"code": "08-08", "inventive": True, "first": True, "tree": []}],
    "citation": [
        cited(publication_number="US-1000001-A", category="SEA", type="X"),
        cited(publication_number="US-1000001-A", category="APP", type="Y"),
        cited(publication_number="EP-0000002-A1", category="ISR", type="Y;A"),
        cited(publication_number="US-2002000003-A1", category="APP"),
        cited(publication_number="DE-10000004-A1", category="EXA"),
        cited(publication_number="DE-10000005-A1", category="OPP"),
        cited(publication_number="DE-10000006-A1", category="115"),
        cited(publication_number="DE-10000007-A1", category="PRS"),
        cited(npl_text="Smith, On screws, 1999.", category="SEA", type="A"),
        cited(application_number="US-12345678-A"),
    ],
    "parent": [cited(application_number="US-11122298-A", publication_number="US-6000001-A")],
    "child": [cited(application_number="US-90000007-A", publication_number="")],
    "entity_status": "small",
    "art_unit": "3677",
}


def read(row: dict[str, Any]) -> Patent:
    data = json.dumps(row).encode()
    assert JSON_READER.sniff(data[: 1 << 16], "x.jsonl")
    (patent,) = JSON_READER.parse(data)
    return patent


def test_a_whole_row():
    patent = read(ROW)
    assert patent.id == "US7000001B2"
    assert (patent.title, patent.abstract, patent.language) == ("Screw", "A screw\nwith a head.", "en")
    assert [(claim.number, claim.text, claim.depends_on) for claim in patent.claims] == [
        (1, "A screw comprising:\na head; and\na slot.", ()),
        (2, "The screw of claim 1.", (1,)),
    ]
    assert [(item.number, item.text, item.is_heading) for item in patent.description] == [
        ("", "BACKGROUND", True),
        ("0001", "Screws are old.", False),
        ("", "They hold.", False),
    ]
    assert (patent.published, patent.filed, patent.priority) == ("2006-02-14", "2004-01-09", "2003-01-21")
    assert patent.cpc == (Symbol("F16B 2200/00", "later", "additional"), Symbol("F16B 23/0007", "first", "inventive"))
    assert patent.ipc == (Symbol("F16B 35/00"),)
    assert (patent.uspc, patent.locarno) == (("411/403",), ("08-08",))
    assert (patent.inventors, patent.applicants) == (("JO SMITH", "Al Jones"), ("ACME INC",))
    assert patent.application_number == "US10/755135"
    assert patent.priority_numbers == ("US60/441635", "PCT/US2003/041234")
    assert (patent.family_id, patent.family_refs) == ("4711", ("US6000001A", "US90000007"))
    assert patent.document_type == "utility"
    assert [(item.language, item.title) for item in patent.translations] == [("fr", "Vis")]


def test_citations_by_phase():
    patent = read(ROW)
    assert patent.citations == (
        Citation("US1000001A", "examiner", "XY", "search"),
        Citation("EP0000002A1", "examiner", "YA", "international search"),
        Citation("US20020000003A1", "applicant", "", "application"),
        Citation("DE10000004A1", "examiner", "", "examination"),
        Citation("DE10000005A1", "other", "", "opposition"),
        Citation("DE10000006A1", "other", "", "third party observation"),
        Citation("DE10000007A1", "unknown", "", "pre-grant"),
    )
    assert patent.literature == (Literature("Smith, On screws, 1999.", "examiner", "A", "search"),)


def test_html_texts_are_preferred_where_they_are_exported():
    claims = '<div class="claims"><div num="1" class="claim"><div class="claim-text">1. A nail.</div></div></div>'
    paragraph = '<div num="0001" class="description-paragraph">Nails.</div>'
    description = f'<div class="description"><heading>FIELD</heading>{paragraph}</div>'
    row = {
        **ROW,
        "claims_localized_html": [{"text": claims, "language": "en"}],
        "description_localized_html": [{"text": description, "language": "en"}],
    }
    patent = read(row)
    assert [claim.text for claim in patent.claims] == ["A nail."]
    assert [(item.number, item.heading) for item in patent.description] == [("", "FIELD"), ("0001", "FIELD")]


def test_other_languages_missing_fields_and_zero_dates():
    patent = read(
        {
            "publication_number": "DE-69611147-T2",
            "title_localized": [{"text": "Schloss", "language": "de"}],
            "abstract_localized": [],
            "publication_date": 20010621,
            "filing_date": 0,
            "priority_date": 0,
            "family_id": "-1",
            "citation": None,
        }
    )
    assert (patent.id, patent.title, patent.language) == ("DE69611147T2", "Schloss", "de")
    assert (patent.published, patent.filed, patent.priority, patent.family_id) == ("2001-06-21", "", "", "")
    assert patent.claims == patent.description == patent.citations == patent.translations == ()


def test_designs_and_utility_models():
    assert read({**ROW, "publication_number": "US-D512345-S", "application_kind": "F"}).document_type == "design"
    assert (
        read({**ROW, "publication_number": "DE-202005001234-U1", "application_kind": "U"}).document_type
        == "utility model"
    )


@pytest.mark.parametrize("number", ["", None, "nothing"])
def test_no_number_is_refused(number: str | None):
    with pytest.raises(BadRecord, match="no publication number"):
        read({**ROW, "publication_number": number})


def test_a_broken_line_costs_only_itself(tmp_path: Path):
    file = tmp_path / "rows.jsonl"
    second = json.dumps({**ROW, "publication_number": "US-7000002-B2"})
    file.write_text(json.dumps(ROW) + '\n{"publication_number": "US-70\n' + second + "\n")
    found = list(scan(file))
    assert [item.id for item in found if isinstance(item, Patent)] == ["US7000001B2", "US7000002B2"]
    assert len([item for item in found if isinstance(item, Reject)]) == 1


def test_an_array_as_the_console_saves_it(tmp_path: Path):
    file = tmp_path / "rows.json"
    file.write_text(json.dumps([ROW, {**ROW, "publication_number": "US-7000002-B2"}], indent=1))
    assert [patent.id for patent in patents(file)] == ["US7000001B2", "US7000002B2"]


def as_csv(*rows: dict[str, Any]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def test_csv_with_nested_json(tmp_path: Path):
    file = tmp_path / "rows.csv"
    flat = {key: json.dumps(value) if isinstance(value, list) else value for key, value in ROW.items()}
    file.write_bytes(as_csv(flat, {**flat, "publication_number": ""}))
    good, bad = scan(file)
    assert isinstance(good, Patent)
    assert good.origins[0].format == "bigquery-csv"
    nested = read(ROW)
    assert (good.claims, good.citations, good.cpc, good.translations) == (
        nested.claims,
        nested.citations,
        nested.cpc,
        nested.translations,
    )
    assert (good.published, good.inventors, good.family_refs) == (
        nested.published,
        nested.inventors,
        nested.family_refs,
    )
    assert isinstance(bad, Reject)
    assert bad.reason == "no publication number"


def test_csv_in_the_notation_of_python():
    flat = {
        "publication_number": "US-7000001-B2",
        "title_localized": repr(ROW["title_localized"]),
        "cpc": repr(ROW["cpc"]),
    }
    (patent,) = CSV_READER.parse(json.dumps(flat).encode())
    assert (patent.title, len(patent.cpc), patent.cpc[1].position) == ("Screw", 2, "first")


def test_csv_flattened():
    data = as_csv(
        {
            "publication_number": "US-7000001-B2",
            "title": "Screw [old]",
            "claims": "1. A screw. 2. The screw of claim 1.",
            "abstract_localized.text": "It; holds.",
            "abstract_localized.language": "en",
            "assignee_harmonized.name": "ACME INC; BOLT LTD",
            "cpc.code": "F16B23/00 | F16B35/00",
            "cpc.first": "true | false",
            "citation.publication_number": "US-1000001-A;US-1000002-A",
        }
    )
    assert CSV_READER.sniff(data, "x.csv")
    pieces = list(CSV_READER.split(Stream("x.csv", io.BytesIO(data))))
    (patent,) = CSV_READER.parse(pieces[0].data)
    assert (patent.title, patent.abstract, len(patent.claims)) == ("Screw [old]", "It; holds.", 2)
    assert patent.applicants == ("ACME INC", "BOLT LTD")
    assert patent.cpc == (Symbol("F16B 23/00", "first"), Symbol("F16B 35/00", "later"))
    assert [citation.id for citation in patent.citations] == ["US1000001A", "US1000002A"]


def test_parquet(tmp_path: Path):
    pa = pytest.importorskip("pyarrow", reason=reason("pyarrow"))
    parquet = pytest.importorskip("pyarrow.parquet", reason=reason("pyarrow"))
    file = tmp_path / "rows.parquet"
    rows = [{**ROW, "filing_date": 20040109, "publication_number": f"US-{7000000 + n}-B2"} for n in range(1, 71)]
    parquet.write_table(pa.Table.from_pylist([*rows, {**rows[0], "publication_number": None}]), file)
    found = list(scan(file))
    assert [item.id for item in found[:-1] if isinstance(item, Patent)] == [f"US{7000000 + n}B2" for n in range(1, 71)]
    first = found[0]
    assert isinstance(first, Patent)
    assert first.citations == read(ROW).citations
    assert first.claims == read(ROW).claims
    assert first.origins[0].format == "bigquery-parquet"
    assert isinstance(found[-1], Reject)


def test_a_damaged_parquet_file_is_a_reject(tmp_path: Path):
    pytest.importorskip("pyarrow", reason=reason("pyarrow"))
    file = tmp_path / "rows.parquet"
    file.write_bytes(b"PAR1" + b"\0" * 1000)
    (found,) = scan(file)
    assert isinstance(found, Reject)
    assert "Parquet" in found.reason


def test_parquet_without_the_library_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"foreart\[parquet\]"):
        list(PARQUET_READER.split(Stream("x.parquet", io.BytesIO(b"PAR1"))))


def test_other_json_and_csv_are_not_claimed():
    assert not JSON_READER.sniff(b'{"id": "US1A", "title": "x"}', "x.jsonl")
    assert not JSON_READER.sniff(b'{"publication_number": "US1A", "title": "x", "abstract": "y"}', "x.jsonl")
    assert not CSV_READER.sniff(b"publication_number,title\n1,2\n", "x.csv")
    assert not PARQUET_READER.sniff(b"publication_number", "x.parquet")
