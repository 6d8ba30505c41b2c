"""Groups publications of one invention into families, as sources state or by inference, each with its reason."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from foreart.corpus.relations.text_families import Components, join_by_text

# Stored when families are computed; increased when the rules change.
_FRESH = "fresh 2"

Link = tuple[int, int, str]


class Connected(Protocol):
    """Anything with a connection to the database of a corpus."""

    @property
    def connection(self) -> sqlite3.Connection:
        """The database connection."""


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """One publication of a family and the reason for its membership."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Family:
    """Publications of one invention, named after the earliest."""

    name: str
    members: tuple[FamilyMember, ...]


def families(corpus: Connected) -> Iterator[Family]:
    """All families of more than one publication, members in order of publication."""
    rows = corpus.connection.execute(
        "SELECT family, id, reason FROM family JOIN patent USING (serial) ORDER BY family, published, id"
    )
    for name, members in groupby(rows, key=lambda row: str(row[0])):
        yield Family(name, tuple(FamilyMember(row[1], row[2]) for row in members))


def family_of(corpus: Connected, number: str) -> tuple[str, ...]:
    """The other publications of a document's family, in order of publication."""
    rows = corpus.connection.execute(
        "SELECT id FROM patent JOIN family USING (serial) WHERE id <> :id AND family = "
        "(SELECT family FROM family JOIN patent USING (serial) WHERE id = :id) ORDER BY published, id",
        {"id": number},
    )
    return tuple(str(row[0]) for row in rows)


def refresh_families(connection: sqlite3.Connection) -> None:
    """Recomputes all families if patents or the rules have changed since the last time."""
    if connection.execute("SELECT 1 FROM meta WHERE key = 'families' AND value = ?", (_FRESH,)).fetchone():
        return
    connection.execute("BEGIN IMMEDIATE")
    rows = list(_families(connection))
    connection.execute("DELETE FROM family")
    connection.executemany("INSERT INTO family VALUES (?, ?, ?)", rows)
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('families', ?)", (_FRESH,))
    connection.execute("COMMIT")


def _families(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Serial, name of the family, reason; only for families of more than one patent."""
    components = Components()
    for link in _links(connection):
        components.join(*link)
    join_by_text(connection, components)
    for serials in components.families():
        name = _name(connection, serials)
        for serial in serials:
            yield serial, name, components.reasons[serial]


def _name(connection: sqlite3.Connection, serials: list[int]) -> str:
    marks = ", ".join("?" * len(serials[:500]))
    row = connection.execute(
        f"SELECT id FROM patent WHERE serial IN ({marks}) "  # noqa: S608
        "ORDER BY CASE WHEN published = '' THEN '~' ELSE published END, id LIMIT 1",
        serials[:500],
    ).fetchone()
    return str(row[0])


def _links(connection: sqlite3.Connection) -> Iterator[Link]:
    """Pairs of serials in the same family, the strongest reasons first."""
    yield from _same(
        connection, "SELECT family_id, serial FROM patent WHERE family_id != '' ORDER BY 1, 2", "family id {}"
    )
    yield from _same(connection, "SELECT key, serial FROM patent ORDER BY 1, 2", "same publication number {}")
    yield from _same(
        connection, "SELECT number, serial FROM tie WHERE sort = 'priority' ORDER BY 1, 2", "shared priority {}"
    )
    yield from _same(
        connection,
        "SELECT application_number, serial FROM patent WHERE application_number != '' ORDER BY 1, 2",
        "same application {}",
    )
    for left, right, number in connection.execute(
        "SELECT tie.serial, patent.serial, tie.number FROM tie "
        "JOIN patent ON patent.key = tie.number OR patent.application_number = tie.number "
        "WHERE tie.sort = 'relative' AND tie.serial != patent.serial ORDER BY 1, 2"
    ):
        yield left, right, f"continuation reference {number}"
    yield from _same(
        connection, "SELECT number, serial FROM tie WHERE sort = 'relative' ORDER BY 1, 2", "common relative {}"
    )


def _same(connection: sqlite3.Connection, query: str, reason: str) -> Iterator[Link]:
    previous: tuple[str, int] | None = None
    for value, serial in connection.execute(query):
        if previous is not None and previous[0] == value:
            yield previous[1], serial, reason.format(value)
        previous = (value, serial)
