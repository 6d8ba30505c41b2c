"""Groups publications of one invention into families, as sources state or by inference, each with its reason."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from foreart.corpus.relations.affected_families import AFFECTED, find_affected
from foreart.corpus.relations.text_families import Components, join_by_text

# Stored when families are computed; increased when the rules change.
_FRESH = "fresh 2"
# Stored when patents changed since; which ones stands in `family_change`.
_CHANGED = "changed"
_STALE = "stale"

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


def mark_families(connection: sqlite3.Connection) -> None:
    """Notes that patents in `family_change` have changed."""
    connection.execute(
        "INSERT INTO meta VALUES ('families', ?) ON CONFLICT (key) DO UPDATE SET value = "
        "CASE WHEN value IN (?, ?) THEN ? ELSE ? END",
        (_STALE, _FRESH, _CHANGED, _CHANGED, _STALE),
    )


def families_are_stale(connection: sqlite3.Connection) -> bool:
    """Whether patents have changed since families were computed."""
    query = "SELECT 1 FROM meta WHERE key = 'families' AND value IN (?, ?)"
    return connection.execute(query, (_STALE, _CHANGED)).fetchone() is not None


def refresh_families(connection: sqlite3.Connection) -> None:
    """Computes the families of patents that changed, or of all if the rules changed, as computing all would."""
    state = connection.execute("SELECT value FROM meta WHERE key = 'families'").fetchone()
    if state is not None and state[0] == _FRESH:
        return
    connection.execute("BEGIN IMMEDIATE")
    some = state is not None and state[0] == _CHANGED and find_affected(connection)
    only = f"WHERE serial IN ({AFFECTED})" if some else ""
    rows = list(_families(connection, only))
    connection.execute(f"DELETE FROM family {only}")  # noqa: S608
    connection.execute("DELETE FROM family_change")
    connection.executemany("INSERT INTO family VALUES (?, ?, ?)", rows)
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('families', ?)", (_FRESH,))
    connection.execute("COMMIT")


def _families(connection: sqlite3.Connection, only: str) -> Iterator[tuple[int, str, str]]:
    """Serial, name of the family, reason; only for families of more than one patent.

    `only` is the condition for some patents, to which no other one is connected.
    """
    components = Components()
    for link in _links(connection, only):
        components.join(*link)
    join_by_text(connection, components, only)
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


def _links(connection: sqlite3.Connection, only: str) -> Iterator[Link]:
    """Pairs of serials in the same family, the strongest reasons first."""
    patents, ties = f"(SELECT * FROM patent {only})", f"(SELECT * FROM tie {only})"  # noqa: S608
    shared = (
        (f"SELECT family_id, serial FROM {patents} WHERE family_id != ''", "family id {}"),  # noqa: S608
        (f"SELECT key, serial FROM {patents}", "same publication number {}"),  # noqa: S608
        (f"SELECT number, serial FROM {ties} WHERE sort = 'priority'", "shared priority {}"),  # noqa: S608
        (
            f"SELECT application_number, serial FROM {patents} WHERE application_number != ''",  # noqa: S608
            "same application {}",
        ),
    )
    for query, reason in shared:
        yield from _same(connection, f"{query} ORDER BY 1, 2", reason)
    relatives = (  # one lookup for each, because SQLite has none for both
        f"SELECT tie.serial, patent.serial, tie.number FROM {ties} AS tie JOIN patent ON {same} "  # noqa: S608
        "WHERE tie.sort = 'relative' AND tie.serial != patent.serial"
        for same in (
            "patent.key = tie.number",
            "patent.application_number = tie.number AND patent.application_number != ''",
        )
    )
    for left, right, number in connection.execute(f"{' UNION '.join(relatives)} ORDER BY 1, 2"):
        yield left, right, f"continuation reference {number}"
    common = f"SELECT number, serial FROM {ties} WHERE sort = 'relative' ORDER BY 1, 2"  # noqa: S608
    yield from _same(connection, common, "common relative {}")


def _same(connection: sqlite3.Connection, query: str, reason: str) -> Iterator[Link]:
    previous: tuple[str, int] | None = None
    for value, serial in connection.execute(query):
        if previous is not None and previous[0] == value:
            yield previous[1], serial, reason.format(value)
        previous = (value, serial)
