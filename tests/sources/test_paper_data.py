"""The published data of Helmers et al. 2019, by small files of the same form."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foreart.document.patent import Citation, Claim, Paragraph, Patent, Symbol
from foreart.document.reject import Reject
from foreart.sources import scan
from foreart.sources.formats.paper_data import CSV_READER, SQLITE_READER

SCHEMA = """
CREATE TABLE patent (id VARCHAR PRIMARY KEY, category VARCHAR, pub_number VARCHAR, app_number VARCHAR,
                     pub_date DATETIME, title VARCHAR, abstract VARCHAR, description VARCHAR, claims VARCHAR);
CREATE TABLE citation (id INTEGER PRIMARY KEY, citing_pat VARCHAR, cited_pat VARCHAR);
"""
ROW = (
    "US20150001234",
    "A61B 17/70",
    "US20150001234 A1",
    "US 13/931,234",
    "2015-01-01 00:00:00.000000",
    "Bone  screw",
    "A screw.",
    "BACKGROUND\nScrews are old.",
    "1. A screw. 2. The screw of claim 1.",
)
EXPECTED = Patent(
    id="US20150001234A1",
    title="Bone screw",
    abstract="A screw.",
    claims=(Claim(1, "A screw."), Claim(2, "The screw of claim 1.", (1,))),
    description=(
        Paragraph("BACKGROUND", heading="BACKGROUND", is_heading=True),
        Paragraph("Screws are old.", heading="BACKGROUND"),
    ),
    published="2015-01-01",
    cpc=(Symbol("A61B 17/70"),),
    citations=(Citation("US7585299"), Citation("US20110087291")),
    application_number="US13/931234",
)


def database(path: Path, schema: str = SCHEMA, rows: tuple[tuple[object, ...], ...] = (ROW,)) -> Path:
    with closing(sqlite3.connect(path)) as made, made:
        made.executescript(schema)
        for row in rows:
            made.execute(f"INSERT INTO patent VALUES ({', '.join('?' * len(row))})", row)
    return path


def bare(patent: object) -> Patent:
    assert isinstance(patent, Patent), patent
    return Patent(**{**{name: getattr(patent, name) for name in patent.__dataclass_fields__}, "origins": ()})


def test_the_sqlite_file(tmp_path: Path):
    file = database(tmp_path / "patent.db", rows=(ROW, ("US1", None, None, None, None, None, None, None, None)))
    with closing(sqlite3.connect(file)) as made, made:
        made.executemany(
            "INSERT INTO citation (citing_pat, cited_pat) VALUES (?, ?)",
            [("US20150001234", "US7585299"), ("US1", "US9"), ("US20150001234", "US20110087291"), ("US1", "")],
        )
    first, second = scan(file)
    assert bare(first) == EXPECTED
    assert bare(second) == Patent("US1", citations=(Citation("US9"),))
    assert first.origins[0].format == "paper-sqlite"


@pytest.mark.parametrize("columns", ["citing, cited", "patent_id, cited_id", "source, target", "Citing_Pat, Cited_Pat"])
def test_other_names_of_the_citing_columns(tmp_path: Path, columns: str):
    schema = SCHEMA.split("CREATE TABLE citation")[0] + f"CREATE TABLE citation ({columns});"
    file = database(tmp_path / "patent.db", schema)
    with closing(sqlite3.connect(file)) as made, made:
        made.execute("INSERT INTO citation VALUES ('US20150001234', 'US7585299')")
    (patent,) = scan(file)
    assert patent.citations == (Citation("US7585299"),)


def test_without_citations_and_with_a_column_of_them(tmp_path: Path):
    schema = 'CREATE TABLE patent (pub_number, claims, cited_patents, "odd""name")'
    (patent,) = scan(database(tmp_path / "a.db", schema, (("EP1000000A1", "A screw.", "US1;US2", 3),)))
    assert (patent.id, patent.citations) == ("EP1000000A1", (Citation("US1"), Citation("US2")))


def test_other_sqlite_files_are_refused_by_name(tmp_path: Path):
    (reject,) = scan(database(tmp_path / "other.db", "CREATE TABLE place (name)", ()))
    assert isinstance(reject, Reject)
    assert reject.reason == "a SQLite file without the tables `patent` and `citation` of Helmers et al. 2019"
    schema = "CREATE TABLE patent (serial, id, title, claims); CREATE TABLE record (serial, json);"
    (reject,) = scan(database(tmp_path / "corpus.db", schema, ()))
    assert reject.reason == "a foreart corpus; write its patents with `foreart export` and read that file"


def test_a_damaged_file_is_refused(tmp_path: Path):
    file = tmp_path / "patent.db"
    file.write_bytes(database(tmp_path / "whole.db").read_bytes()[:3000])
    (reject,) = scan(file)
    assert isinstance(reject, Reject)
    assert reject.reason.startswith("damaged SQLite file: ")


def test_a_file_on_a_disc_that_cannot_be_written(tmp_path: Path):
    file = database(tmp_path / "patent.db")
    file.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        assert [patent.id for patent in scan(file)] == ["US20150001234A1"]
        assert [item.name for item in tmp_path.iterdir()] == ["patent.db"]
    finally:
        tmp_path.chmod(0o755)


HEADER = "id,title,category,pub_number,app_number,pub_date,abstract,description,claims,cited_patents"
CELLS = (
    "US20150001234",
    "Bone screw",
    "A61B 17/70",
    "US20150001234 A1",
    "US 13/931,234",
    "1. Jan. 2015",
    "A screw.",
    "BACKGROUND\nScrews are old.",
    "1. A screw. 2. The screw of claim 1.",
)


def quoted(cells: tuple[str, ...], delimiter: str) -> str:
    return delimiter.join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n"


@pytest.mark.parametrize(
    "cited",
    [
        "US7585299, US20110087291",
        "US7585299;US20110087291",
        "US7585299|US20110087291",
        "['US7585299', 'US20110087291']",
        "[u'US7585299', u'US20110087291']",
        '["US7585299", "US20110087291"]',
        "US 7,585,299; US20110087291".replace(",", ""),
    ],
)
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_the_csv_file(tmp_path: Path, cited: str, delimiter: str):
    file = tmp_path / "patents.csv"
    file.write_text(HEADER.replace(",", delimiter) + "\n" + quoted((*CELLS, cited), delimiter))
    (patent,) = scan(file)
    assert bare(patent) == EXPECTED
    assert patent.origins[0].format == "paper-csv"


def test_the_crawler_s_rows_without_a_header(tmp_path: Path):
    file = tmp_path / "patent_US20150001234.csv"
    file.write_text(quoted((*CELLS, "[u'US7585299', u'US20110087291']", "['2009', '2011']"), "\t") + "US1\tx\n")
    patent, reject = scan(file)
    assert bare(patent) == EXPECTED
    assert isinstance(reject, Reject)
    assert reject.reason == "a row of 2 cells instead of 11"


def test_rows_without_a_number_and_ragged_rows_are_refused(tmp_path: Path):
    file = tmp_path / "patents.csv"
    file.write_text(f"{HEADER}\n,x,,,,,,,,\nUS1,x\nUS2,x,,,,,,,,[]\n")
    found = list(scan(file))
    assert [item.id if isinstance(item, Patent) else item.reason for item in found] == [
        "no publication number",
        "a row of 2 cells, but the header has 10",
        "US2",
    ]


def test_parse_is_pure():
    row = json.dumps({"id": "US1", "cited_patents": ["US2", "US2", None, "none"]}).encode()
    assert list(SQLITE_READER.parse(row)) == [Patent("US1", citations=(Citation("US2"),))]


@pytest.mark.parametrize("head", [b"id,title\n1,2\n", b"", b"\0\0", b'{"id": 1}', b"patent_id\tpatent_title\n"])
def test_other_tables_are_not_claimed(head: bytes):
    assert not CSV_READER.sniff(head, "x.csv")
    assert not SQLITE_READER.sniff(head, "x.db")
