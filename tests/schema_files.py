"""Sample patents written in formats of which no real file is at hand, after their published schemas."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

from foreart.document.patent import Patent
from foreart.sources import scan

SAMPLE = Path(str(resources.files("foreart").joinpath("sample/patents.jsonl")))


def sample(count: int = 6) -> list[Patent]:
    """Some full-text patents of the sample, as if the US had published them."""
    found = [item for item in scan(SAMPLE) if isinstance(item, Patent) and item.depth == "full" and item.citations]
    return found[:count]


def _us(number: str) -> str:
    return number.replace("XX", "US", 1)


def _lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def bigquery_records() -> list[dict[str, Any]]:
    return [
        {
            "publication_number": f"US-{patent.number.number}-{patent.kind}",
            "country_code": "US",
            "kind_code": patent.kind,
            "title_localized": [{"text": patent.title, "language": "en"}],
            "abstract_localized": [{"text": patent.abstract, "language": "en"}],
            "claims_localized": [{"text": patent.claims_text, "language": "en"}],
            "description_localized": [{"text": patent.description_text, "language": "en"}],
            "publication_date": int(patent.published.replace("-", "") or 0),
            "filing_date": int(patent.filed.replace("-", "") or 0),
            "priority_date": int(patent.priority.replace("-", "") or 0),
            "inventor": list(patent.inventors),
            "assignee_harmonized": [{"name": name, "country_code": "US"} for name in patent.applicants],
            "cpc": [
                {"code": s.symbol.replace(" ", ""), "inventive": True, "first": not n, "tree": []}
                for n, s in enumerate(patent.cpc)
            ],
            "citation": [{"publication_number": _us(c.id), "category": "SEA", "type": "X"} for c in patent.citations],
            "family_id": patent.family_id,
        }
        for patent in sample()
    ]


def bigquery_csv() -> bytes:
    records = bigquery_records()
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]))
    writer.writeheader()
    for record in records:
        writer.writerow({key: json.dumps(value) if isinstance(value, list) else value for key, value in record.items()})
    return out.getvalue().encode()


def lens_records() -> list[dict[str, Any]]:
    return [
        {
            "lens_id": f"000-000-000-000-00{place}",
            "jurisdiction": "US",
            "doc_number": patent.number.number,
            "kind": patent.kind,
            "date_published": patent.published,
            "biblio": {
                "invention_title": [{"text": patent.title, "lang": "en"}],
                "parties": {
                    "applicants": [{"extracted_name": {"value": name}} for name in patent.applicants],
                    "inventors": [{"extracted_name": {"value": name}} for name in patent.inventors],
                },
                "classifications_cpc": {"classifications": [{"symbol": s.symbol} for s in patent.cpc]},
                "references_cited": {
                    "citations": [
                        {"sequence": 1, "patcit": {"document_id": {"jurisdiction": "US", "doc_number": c.id[2:]}}}
                        for c in patent.citations
                    ]
                },
            },
            "abstract": [{"text": patent.abstract, "lang": "en"}],
            "claims": [{"claims": [{"claim_text": [claim.text]} for claim in patent.claims], "lang": "en"}],
            "description": {"text": patent.description_text, "lang": "en"},
        }
        for place, patent in enumerate(sample())
    ]


def hupd_record() -> dict[str, Any]:
    patent = sample()[0]
    return {
        "application_number": "11234567",
        "publication_number": "US20060123456A1-20060601",
        "title": patent.title,
        "decision": "ACCEPTED",
        "date_published": "20060601",
        "filing_date": "20041202",
        "patent_number": "7123456",
        "main_cpc_label": "A61B177062",
        "cpc_labels": ["A61B177062"],
        "main_ipcr_label": "A61B1770",
        "ipcr_labels": ["A61B1770"],
        "inventor_list": [{"inventor_name_last": "Hall", "inventor_name_first": "Ann"}],
        "abstract": patent.abstract,
        "claims": patent.claims_text,
        "background": "",
        "summary": "",
        "full_description": patent.description_text,
    }


def paper_rows() -> list[dict[str, str]]:
    return [
        {
            "id": _us(patent.id),
            "title": patent.title,
            "category": "A61",
            "pub_number": _us(patent.id),
            "app_number": "US11234567",
            "pub_date": patent.published,
            "abstract": patent.abstract,
            "description": patent.description_text,
            "claims": patent.claims_text,
            "cited_patents": ", ".join(_us(citation.id) for citation in patent.citations),
        }
        for patent in sample()
    ]


def paper_csv() -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(paper_rows()[0]))
    writer.writeheader()
    writer.writerows(paper_rows())
    return out.getvalue().encode()


def paper_sqlite() -> bytes:
    rows = paper_rows()
    columns = [key for key in rows[0] if key != "cited_patents"]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE patent ({', '.join(f'{name} TEXT' for name in columns)})")
        database.execute("CREATE TABLE citation (citing_pat TEXT, cited_pat TEXT)")
        for row in rows:
            database.execute(f"INSERT INTO patent VALUES ({', '.join('?' * len(columns))})", [row[c] for c in columns])
            for cited in row["cited_patents"].split(", "):
                database.execute("INSERT INTO citation VALUES (?, ?)", (row["id"], cited))
        database.commit()
        return database.serialize()


def patentsview_tsv() -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", quoting=csv.QUOTE_ALL)
    writer.writerow(["patent_id", "patent_type", "patent_date", "patent_title", "wipo_kind", "num_claims"])
    for patent in sample():
        writer.writerow(
            [patent.number.number, "utility", patent.published, patent.title, patent.kind, len(patent.claims)]
        )
    return out.getvalue().encode()


def schema_files() -> dict[str, bytes]:
    """A file a format, by the name of its reader."""
    beir = [{"_id": _us(patent.id), "title": patent.title, "text": patent.description_text} for patent in sample()]
    return {
        "bigquery-json": _lines(bigquery_records()),
        "bigquery-csv": bigquery_csv(),
        "lens-json": _lines(lens_records()),
        "hupd-json": json.dumps(hupd_record()).encode(),
        "beir-jsonl": _lines(beir),
        "paper-csv": paper_csv(),
        "paper-sqlite": paper_sqlite(),
        "patentsview-tsv": patentsview_tsv(),
    }
