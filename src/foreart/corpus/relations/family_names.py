"""Looks up the family of a patent, and the patents related to a number."""

from __future__ import annotations

from collections.abc import Iterable

from foreart.corpus.relations.families import Connected
from foreart.identifiers.numbers import number_key


def family_of(corpus: Connected) -> dict[str, str]:
    """The name of the family by id, without families of one patent."""
    rows = corpus.connection.execute("SELECT id, family FROM family JOIN patent USING (serial) ORDER BY serial")
    return dict(rows.fetchall())


def reason_of(corpus: Connected, number: str) -> str:
    """Why a patent is a member of its family; `""` if it has none."""
    row = corpus.connection.execute(
        "SELECT reason FROM family JOIN patent USING (serial) WHERE id = ?", (number,)
    ).fetchone()
    return str(row[0]) if row else ""


def ids_by_number(corpus: Connected, numbers: Iterable[str]) -> dict[str, str]:
    """The ids of patents that share a publication, application, priority or relative number, with that number."""
    ids: dict[str, str] = {}
    for number in numbers:
        key = number_key(number)
        rows = corpus.connection.execute(
            "SELECT id FROM patent WHERE key = ? OR serial IN (SELECT serial FROM tie WHERE number IN (?, ?)) UNION "
            "SELECT id FROM patent WHERE application_number = ? ORDER BY 1",
            (key, number, key, number),
        )
        for (id_,) in rows:
            ids.setdefault(id_, number)
    return ids
