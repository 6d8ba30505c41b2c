"""The published data of Helmers et al. 2019: tables of patents with the patents they cite, as SQLite, CSV or TSV."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

from foreart.document.claims import split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Citation, Patent, Symbol
from foreart.errors import BadFile, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number, loose_number, parse_number
from foreart.identifiers.symbols import class_symbol
from foreart.sources.markup.json_object import folded, load, string
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream
from foreart.sources.opening.tabular import cells, header, rows, table
from foreart.sources.reader import Reader

_MAGIC = b"SQLite format 3\0"
# The columns of the crawler's tables, which have no header.
_COLUMNS = (
    "id",
    "title",
    "category",
    "pub_number",
    "app_number",
    "pub_date",
    "abstract",
    "description",
    "claims",
    "cited_patents",
    "pub_dates",
)
_MARKS = {"pub_number", "app_number", "pub_date", "cited_patents"}
_CITING = ("citing_pat", "citing", "citing_id", "citing_patent", "patent_id", "source", "source_id")
_CITED = ("cited_pat", "cited", "cited_id", "cited_patent", "cited_patent_id", "target", "target_id")
_SIGNS = re.compile(r"[\[\](){}'\"\s]+")
_BETWEEN = re.compile(r"[,;|\n\t]+")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one row. `id` is its number without kind code, `pub_number` with it, if present."""
    record = load(data)
    given = string(record.get("pub_number")) or string(record.get("id"))
    if not given:
        raise BadRecord("no publication number")
    number = parse_number(given)
    application = string(record.get("app_number"))
    symbols = dict.fromkeys(
        class_symbol(part) or part.strip() for part in _BETWEEN.split(string(record.get("category")))
    )
    yield Patent(
        id=str(number),
        title=" ".join(string(record.get("title")).split()),
        abstract=folded(string(record.get("abstract"))),
        claims=split_claims(string(record.get("claims"))),
        description=plain_paragraphs(string(record.get("description"))),
        published=iso_date(string(record.get("pub_date"))),
        cpc=tuple(Symbol(symbol) for symbol in symbols if symbol),
        citations=tuple(Citation(cited) for cited in _cited(record.get("cited_patents")) if cited != str(number)),
        application_number=application_number(application, country=application[:2]) if application else "",
    )


def _cited(value: object) -> tuple[str, ...]:
    """Numbers from a list, JSON, a Python literal, or a text with any separator."""
    parts = value if isinstance(value, list) else _python_list(string(value))
    found = (str(loose_number(part)) for part in map(string, parts) if part and part.lower() not in ("none", "nan"))
    return tuple(dict.fromkeys(found))


def _python_list(text: str) -> list[str]:
    # The u of [u'US1', u'US2'] is removed with its quote, before the other quotes.
    plain = _SIGNS.sub(" ", re.sub(r"\bu(?=['\"])", "", text))
    return [part.strip() for part in _BETWEEN.split(plain) if part.strip()]


def _delimiter(head: bytes) -> str:
    """Comma, tab or semicolon: whichever makes the first line a known header or a row of the crawler."""
    for delimiter in ("\t", ",", ";"):
        first = header(head, delimiter)
        names = {name.lower() for name in first}
        if "id" in names and len(names & _MARKS) >= 2:
            return delimiter
        if delimiter == "\t" and _is_row(first):
            return delimiter
    return ""


def _is_row(first: list[str]) -> bool:
    """Whether cells without a header are a patent: its number twice, and its citations as a list."""
    if not 10 <= len(first) <= 12 or not first[9].startswith("["):
        return False
    return bool(re.match(r"[A-Z]{2}\w?\d{4,}", first[0]) and re.match(r"[A-Z]{2} ?\w?\d{4,}", first[3]))


def _sniff_csv(head: bytes, name: str) -> bool:
    return bool(_delimiter(head))


def _split_csv(stream: Stream) -> Iterator[RawRecord]:
    delimiter = _delimiter(stream.head)
    if not _is_row(header(stream.head, delimiter)):
        return rows(stream, delimiter)
    return _headless(stream, delimiter)


def _headless(stream: Stream, delimiter: str) -> Iterator[RawRecord]:
    for index, (offset, row) in enumerate(table(stream, delimiter), start=1):
        fits = isinstance(row, list) and len(row) >= len(_COLUMNS) - 1
        reason = row if isinstance(row, str) else f"a row of {len(row)} cells instead of {len(_COLUMNS)}"
        value: object = dict(zip(_COLUMNS, row, strict=False)) if fits else [reason]
        yield RawRecord(index, offset, json.dumps(value, ensure_ascii=False).encode())


def _parse_csv(data: bytes) -> Iterator[Patent]:
    row = {column.lower(): cell for column, cell in cells(data).items()}
    return parse(json.dumps(row).encode())


def _sniff_sqlite(head: bytes, name: str) -> bool:
    return head.startswith(_MAGIC)


def _split_sqlite(stream: Stream) -> Iterator[RawRecord]:
    """The rows of the table `patent` with their rows of `citation`, one at a time."""
    # Immutable: neither a lock nor a journal is created, because the disk may be read-only.
    uri = f"file:{quote(str(stream.path().resolve()))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as database:
            database.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield from _joined(database)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise BadFile(f"damaged SQLite file: {error}") from error


def _joined(database: sqlite3.Connection) -> Iterator[RawRecord]:
    patent, citation = _columns(database, "patent"), _columns(database, "citation")
    if _columns(database, "record") and "serial" in patent:
        raise BadFile("a foreart corpus; write its patents with `foreart export` and read that file")
    key = patent.get("id") or patent.get("pub_number")
    if not key or not {"abstract", "description", "claims"} & patent.keys():
        raise BadFile("a SQLite file without the tables `patent` and `citation` of Helmers et al. 2019")
    citing = next((citation[name] for name in _CITING if name in citation), "")
    cited = next((citation[name] for name in _CITED if name in citation), "")
    database.execute("CREATE TEMP TABLE link (citing TEXT, cited TEXT)")
    if citing and cited:  # the published file has no index on them: without one, each patent would scan the full table
        database.execute(f"INSERT INTO link SELECT {citing}, {cited} FROM citation ORDER BY rowid")  # noqa: S608
        database.execute("CREATE INDEX link_citing ON link (citing)")
    names = [name for name in patent if name in _COLUMNS]
    query = f"SELECT {key}, {', '.join(patent[name] for name in names)} FROM patent"  # noqa: S608 quoted names
    for index, (own, *values) in enumerate(database.execute(query), start=1):
        row: dict[str, Any] = dict(zip(names, values, strict=True))
        links = database.execute("SELECT cited FROM link WHERE citing = ? ORDER BY rowid", (own,)).fetchall()
        row["cited_patents"] = [link for (link,) in links] or row.get("cited_patents")
        yield RawRecord(index, 0, json.dumps(row, ensure_ascii=False, default=str).encode())


def _columns(database: sqlite3.Connection, table: str) -> dict[str, str]:
    """The columns of a table: lower-case names and names quoted for SQL; empty if there is no such table."""
    named = (row[1] for row in database.execute(f"PRAGMA table_info({table})"))
    return {name.lower(): '"' + name.replace('"', '""') + '"' for name in named}


CSV_READER = Reader(
    name="paper-csv",
    title="Helmers et al. 2019, tables of patents as CSV or TSV",
    sniff=_sniff_csv,
    split=_split_csv,
    parse=_parse_csv,
    seen=False,
)
SQLITE_READER = Reader(
    name="paper-sqlite",
    title="Helmers et al. 2019, the published SQLite file (tables `patent` and `citation`)",
    sniff=_sniff_sqlite,
    split=_split_sqlite,
    parse=parse,
    seen=False,
)
