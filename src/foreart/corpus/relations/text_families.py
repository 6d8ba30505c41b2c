"""Families by near-identical text, of patents whose source gives no family id: text proposes them, names can refuse."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import numpy as np
import zstandard

from foreart.corpus.relations.signature import PERMUTATIONS, groups, likeness
from foreart.identifiers.parties import Parties, folded_names

# Continuations repeat the specification; two texts that share this much of their shingles are taken for one.
NEAR_IDENTICAL = 0.8
BY_TEXT = "near-identical text"
# Texts of one band that a further text is compared with; a band of boilerplate has thousands.
_COMPARED = 8
# Members of a family whose names are read.
_MEMBERS = 50


class Components:
    """Patents by the family they belong to so far; serials joined in any order end in the same families."""

    def __init__(self) -> None:
        self._members: dict[int, list[int]] = {}
        self.reasons: dict[int, str] = {}

    def of(self, serial: int) -> list[int]:
        """The members of the family of a patent: one list for all of them."""
        return self._members.setdefault(serial, [serial])

    def join(self, one: int, other: int, reason: str) -> None:
        """Makes the families of two patents one; each keeps the first reason it was joined for."""
        for serial in (one, other):
            self.reasons.setdefault(serial, reason)
        less, more = sorted((self.of(one), self.of(other)), key=len)
        if less is not more:
            more += less
            self._members.update(dict.fromkeys(less, more))

    def families(self) -> Iterator[list[int]]:
        """All families of more than one, in order of their first members; members in order of arrival."""
        given: set[int] = set()
        for serial in sorted(self._members):
            members = self._members[serial]
            if len(members) > 1 and id(members) not in given:
                given.add(id(members))
                yield sorted(members)


def join_by_text(connection: sqlite3.Connection, components: Components) -> None:
    """Joins families of nearly the same text, unless both name people and no name agrees."""
    rows = connection.execute("SELECT serial, minhash FROM signature ORDER BY serial").fetchall()
    if len(rows) < 2:
        return
    serials = [int(row[0]) for row in rows]
    matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype="<u4").reshape(len(rows), PERMUTATIONS)
    names = _Names(connection, components)
    for group in groups(matrix):
        seen: list[int] = []
        for place, row in enumerate(group):
            compared = dict.fromkeys([*seen, *group[max(0, place - 1) : place]])
            if not any(_joined(matrix, serials, row, other, names) for other in compared) and len(seen) < _COMPARED:
                seen.append(row)


def _joined(matrix: np.ndarray, serials: list[int], row: int, other: int, names: _Names) -> bool:
    """Whether two patents are of one family, now or before."""
    one, two = serials[other], serials[row]
    if names.components.of(one) is names.components.of(two):
        return True
    alike = likeness(matrix[other], matrix[row])
    if alike < NEAR_IDENTICAL or names.differ(one, two):
        return False
    names.components.join(one, two, f"{BY_TEXT} ({alike:.2f})")
    return True


class _Names:
    """The people of families; inventors stand in the stored records only, which are read where applicants differ."""

    def __init__(self, connection: sqlite3.Connection, components: Components) -> None:
        self._connection, self.components = connection, components
        self._inventors: dict[int, tuple[str, ...]] = {}

    def differ(self, one: int, other: int) -> bool:
        """Whether the families of two patents both name people, and no name agrees."""
        mine, theirs = self._applicants(one), self._applicants(other)
        if mine & theirs:
            return False
        parties = Parties(mine, self._inventors_of(one)), Parties(theirs, self._inventors_of(other))
        return parties[0].agreement(parties[1]) in ("other", "unclear")

    def _applicants(self, serial: int) -> frozenset[str]:
        members = self.components.of(serial)[:_MEMBERS]
        marks = ", ".join("?" * len(members))
        found = self._connection.execute(f"SELECT name FROM applicant WHERE serial IN ({marks})", members)  # noqa: S608
        return folded_names(str(name) for (name,) in found)

    def _inventors_of(self, serial: int) -> frozenset[str]:
        members = self.components.of(serial)[:_MEMBERS]
        return folded_names(name for member in members for name in self._read(member))

    def _read(self, serial: int) -> tuple[str, ...]:
        if serial not in self._inventors:
            row = self._connection.execute("SELECT json FROM record WHERE serial = ?", (serial,)).fetchone()
            record = json.loads(zstandard.ZstdDecompressor().decompress(row[0])) if row else {}
            self._inventors[serial] = tuple(record.get("inventors") or ())
        return self._inventors[serial]
