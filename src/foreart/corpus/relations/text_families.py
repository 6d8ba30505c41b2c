"""Joins families by near-identical text where sources give no family id, unless the names of people differ."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import numpy as np
import zstandard

from foreart.corpus.relations.affected_families import read_signatures
from foreart.corpus.relations.signature import groups, similarity
from foreart.identifiers.parties import Parties, folded_names

# The minimum similarity of texts in one family: continuations repeat the specification.
NEAR_IDENTICAL = 0.8
BY_TEXT = "near-identical text"
# The maximum number of texts of a band that another text is compared with; a band of boilerplate has thousands.
_MAX_COMPARED = 8
# The maximum number of family members whose names are read.
_MAX_MEMBERS = 50


class Components:
    """Connected components of patents; the order of joins does not change the result."""

    def __init__(self) -> None:
        self._members: dict[int, list[int]] = {}
        self.reasons: dict[int, str] = {}

    def of(self, serial: int) -> list[int]:
        """The members of a patent's family; one list shared by all of them."""
        return self._members.setdefault(serial, [serial])

    def join(self, left: int, right: int, reason: str) -> None:
        """Joins the families of two patents; each patent keeps its first reason."""
        for serial in (left, right):
            self.reasons.setdefault(serial, reason)
        smaller, larger = sorted((self.of(left), self.of(right)), key=len)
        if smaller is not larger:
            larger += smaller
            self._members.update(dict.fromkeys(smaller, larger))

    def families(self) -> Iterator[list[int]]:
        """All families of more than one patent, in order of their first members; members in order of arrival."""
        seen: set[int] = set()
        for serial in sorted(self._members):
            members = self._members[serial]
            if len(members) > 1 and id(members) not in seen:
                seen.add(id(members))
                yield sorted(members)


def join_by_text(connection: sqlite3.Connection, components: Components, only: str = "") -> None:
    """Joins families of near-identical text, unless both name people and share no name; `only` is a condition."""
    numbers, matrix = read_signatures(connection, only)
    if len(numbers) < 2:
        return
    serials = numbers.tolist()
    names = _Names(connection, components)
    for group in groups(matrix):
        seen: list[int] = []
        for position, row in enumerate(group):
            compared = dict.fromkeys([*seen, *group[max(0, position - 1) : position]])
            if not any(_joined(matrix, serials, row, other, names) for other in compared) and len(seen) < _MAX_COMPARED:
                seen.append(row)


def _joined(matrix: np.ndarray, serials: list[int], row: int, other: int, names: _Names) -> bool:
    """Joins two patents if they belong together; whether they are in one family now."""
    left, right = serials[other], serials[row]
    if names.components.of(left) is names.components.of(right):
        return True
    estimate = similarity(matrix[other], matrix[row])
    if estimate < NEAR_IDENTICAL or names.differ(left, right):
        return False
    names.components.join(left, right, f"{BY_TEXT} ({estimate:.2f})")
    return True


class _Names:
    """The people of families; inventors are only in the stored records, which are read if applicants differ."""

    def __init__(self, connection: sqlite3.Connection, components: Components) -> None:
        self._connection, self.components = connection, components
        self._inventors: dict[int, tuple[str, ...]] = {}

    def differ(self, left: int, right: int) -> bool:
        """Whether the families of two patents both name people and share no name."""
        applicants, others = self._applicants(left), self._applicants(right)
        if applicants & others:
            return False
        parties = Parties(applicants, self._inventors_of(left)), Parties(others, self._inventors_of(right))
        return parties[0].agreement(parties[1]) in ("other", "unclear")

    def _applicants(self, serial: int) -> frozenset[str]:
        members = self.components.of(serial)[:_MAX_MEMBERS]
        marks = ", ".join("?" * len(members))
        rows = self._connection.execute(f"SELECT name FROM applicant WHERE serial IN ({marks})", members)  # noqa: S608
        return folded_names(str(name) for (name,) in rows)

    def _inventors_of(self, serial: int) -> frozenset[str]:
        members = self.components.of(serial)[:_MAX_MEMBERS]
        return folded_names(name for member in members for name in self._read(member))

    def _read(self, serial: int) -> tuple[str, ...]:
        if serial not in self._inventors:
            row = self._connection.execute("SELECT json FROM record WHERE serial = ?", (serial,)).fetchone()
            record = json.loads(zstandard.ZstdDecompressor().decompress(row[0])) if row else {}
            self._inventors[serial] = tuple(record.get("inventors") or ())
        return self._inventors[serial]
