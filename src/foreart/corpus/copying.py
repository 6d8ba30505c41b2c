"""Copies patents from one corpus to another as rows, without decompressing the texts."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from foreart.corpus.packing import COLUMNS, Packed
from foreart.identifiers.numbers import loose_number

_BY_ID = "SELECT serial, id, kind, published, country FROM patent WHERE id = ?"
_BY_KEY = "SELECT serial, id, kind, published, country FROM patent WHERE key = ? ORDER BY published, id"
_COLUMNS = f"SELECT {', '.join(COLUMNS)} FROM patent WHERE serial = ?"  # noqa: S608
_CONTENT = COLUMNS.index("content")


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A stored patent without its text; cited patents and relatives are given by key."""

    serial: int
    id: str
    published: str
    country: str
    classes: tuple[tuple[str, int, str], ...]  # scheme, position, symbol
    citations: tuple[tuple[int, str, str], ...]  # position, key, category
    ties: tuple[tuple[str, str], ...]  # kind ("priority" or "relative"), number


def stored_rows(connection: sqlite3.Connection, number: str) -> list[StoredRow]:
    """The patent with this id, else all that match without kind code, by date."""
    wanted = loose_number(number)
    rows = connection.execute(_BY_ID, (str(wanted),)).fetchall()
    if not rows:
        rows = connection.execute(_BY_KEY, (wanted.key,)).fetchall()
        rows = [row for row in rows if not wanted.kind or not row[2] or row[2][:1] == wanted.kind[:1]] or rows
    return [_stored(connection, serial, id_, published, country) for serial, id_, _, published, country in rows]


def _stored(connection: sqlite3.Connection, serial: int, number: str, published: str, country: str) -> StoredRow:
    def rows(query: str) -> tuple[Any, ...]:
        return tuple(connection.execute(query, (serial,)).fetchall())

    return StoredRow(
        serial,
        number,
        published,
        country,
        rows("SELECT scheme, position, symbol FROM class WHERE serial = ?"),
        rows("SELECT position, cited, category FROM citation WHERE serial = ?"),
        rows("SELECT sort, number FROM tie WHERE serial = ?"),
    )


def packed_rows(connection: sqlite3.Connection, stored: StoredRow) -> Packed:
    """All rows of a stored patent, the same as packing it again would give."""

    def blob(query: str) -> bytes:
        row = connection.execute(query, (stored.serial,)).fetchone()
        return row[0] if row else b""

    columns = connection.execute(_COLUMNS, (stored.serial,)).fetchone()
    names = connection.execute("SELECT name FROM applicant WHERE serial = ?", (stored.serial,)).fetchall()
    return Packed(
        id=stored.id,
        content=columns[_CONTENT],
        columns=columns,
        json=blob("SELECT json FROM record WHERE serial = ?"),
        classes=stored.classes,
        applicants=tuple(row[0] for row in names),
        citations=stored.citations,
        ties=stored.ties,
        signature=blob("SELECT minhash FROM signature WHERE serial = ?"),
    )


def index_citing(connection: sqlite3.Connection) -> None:
    """Makes `citing_ids` fast by a temporary index of this connection."""
    connection.execute("CREATE TEMP TABLE citing AS SELECT cited, serial FROM citation")
    connection.execute("CREATE INDEX temp.citing_cited ON citing (cited, serial)")


def citing_ids(connection: sqlite3.Connection, number: str) -> tuple[str, ...]:
    """The patents of the corpus that cite a number, by id; call `index_citing` first."""
    rows = connection.execute(
        "SELECT DISTINCT id FROM temp.citing JOIN patent USING (serial) WHERE cited = ? ORDER BY id",
        (loose_number(number).key,),
    )
    return tuple(row[0] for row in rows)
