"""Which publications are one invention: by what sources say, and by what can be inferred, each with its reason."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

import numpy as np

from foreart.corpus.signature import PERMUTATIONS, candidates, likeness

# Continuations repeat the specification; two texts that share this much of their shingles are taken for one.
NEAR_IDENTICAL = 0.8

Link = tuple[int, int, str]


class Connected(Protocol):
    """A corpus, as far as this module needs it."""

    @property
    def connection(self) -> sqlite3.Connection:
        """Its database."""


@dataclass(frozen=True, slots=True)
class Member:
    """One publication of a family and why it is taken for one."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Family:
    """Publications of one invention, named after the earliest."""

    name: str
    members: tuple[Member, ...]


def families(corpus: Connected) -> Iterator[Family]:
    """All families of more than one publication, members in order of publication."""
    rows = corpus.connection.execute(
        "SELECT family, id, reason FROM family JOIN patent USING (serial) ORDER BY family, published, id"
    )
    for name, members in groupby(rows, key=lambda row: str(row[0])):
        yield Family(name, tuple(Member(row[1], row[2]) for row in members))


def refresh_families(connection: sqlite3.Connection) -> None:
    """Computes all families anew if patents came or went since the last time."""
    stale = connection.execute("SELECT 1 FROM meta WHERE key = 'families' AND value = 'stale'").fetchone()
    if not stale:
        return
    connection.execute("BEGIN IMMEDIATE")
    rows = list(_families(connection))
    connection.execute("DELETE FROM family")
    connection.executemany("INSERT INTO family VALUES (?, ?, ?)", rows)
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('families', 'fresh')")
    connection.execute("COMMIT")


def _families(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Serial, name of the family, reason; only of patents that share a family with another."""
    roots: dict[int, int] = {}
    reasons: dict[int, str] = {}

    def root(serial: int) -> int:
        while roots.setdefault(serial, serial) != serial:
            roots[serial] = roots[roots[serial]]
            serial = roots[serial]
        return serial

    for one, other, reason in _links(connection):
        reasons.setdefault(one, reason)
        reasons.setdefault(other, reason)
        first, second = sorted((root(one), root(other)))
        roots[second] = first
    members: dict[int, list[int]] = defaultdict(list)
    for serial in sorted(roots):
        members[root(serial)].append(serial)
    for serials in members.values():
        name = _name(connection, serials)
        for serial in serials:
            yield serial, name, reasons[serial]


def _name(connection: sqlite3.Connection, serials: list[int]) -> str:
    marks = ", ".join("?" * len(serials[:500]))
    row = connection.execute(
        f"SELECT id FROM patent WHERE serial IN ({marks}) "  # noqa: S608
        "ORDER BY CASE WHEN published = '' THEN '~' ELSE published END, id LIMIT 1",
        serials[:500],
    ).fetchone()
    return str(row[0])


def _links(connection: sqlite3.Connection) -> Iterator[Link]:
    """Pairs of serials of one family, the surest reasons first."""
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
    for one, other, number in connection.execute(
        "SELECT tie.serial, patent.serial, tie.number FROM tie "
        "JOIN patent ON patent.key = tie.number OR patent.application_number = tie.number "
        "WHERE tie.sort = 'relative' AND tie.serial != patent.serial ORDER BY 1, 2"
    ):
        yield one, other, f"continuation reference {number}"
    yield from _same(
        connection, "SELECT number, serial FROM tie WHERE sort = 'relative' ORDER BY 1, 2", "common relative {}"
    )
    yield from _near_identical(connection)


def _same(connection: sqlite3.Connection, query: str, reason: str) -> Iterator[Link]:
    previous: tuple[str, int] | None = None
    for value, serial in connection.execute(query):
        if previous is not None and previous[0] == value:
            yield previous[1], serial, reason.format(value)
        previous = (value, serial)


def _near_identical(connection: sqlite3.Connection) -> Iterable[Link]:
    """Texts that are nearly the same, among patents whose source gives no family id."""
    rows = connection.execute("SELECT serial, minhash FROM signature ORDER BY serial").fetchall()
    if len(rows) < 2:
        return
    matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype="<u4").reshape(len(rows), PERMUTATIONS)
    for one, other in candidates(matrix):
        alike = likeness(matrix[one], matrix[other])
        if alike >= NEAR_IDENTICAL:
            yield rows[one][0], rows[other][0], f"near-identical text ({alike:.2f})"
