"""Which family each patent belongs to, for those that share one with another, and which patents a number leads to."""

from __future__ import annotations

from collections.abc import Iterable

from foreart.corpus.corpus import Corpus
from foreart.identifiers.numbers import number_key


def family_of(corpus: Corpus) -> dict[str, str]:
    """The name of the family by id; patents that are alone are left out."""
    rows = corpus.connection.execute("SELECT id, family FROM family JOIN patent USING (serial) ORDER BY serial")
    return dict(rows.fetchall())


def reason_of(corpus: Corpus, number: str) -> str:
    """Why a patent is taken for a member of its family; `""` if it is alone."""
    row = corpus.connection.execute(
        "SELECT reason FROM family JOIN patent USING (serial) WHERE id = ?", (number,)
    ).fetchone()
    return str(row[0]) if row else ""


def led_to(corpus: Corpus, numbers: Iterable[str]) -> dict[str, str]:
    """The ids of patents that a number names, by publication, application, priority or relative; with that number."""
    found: dict[str, str] = {}
    for number in numbers:
        key = number_key(number)
        rows = corpus.connection.execute(
            "SELECT id FROM patent WHERE key = ? OR serial IN (SELECT serial FROM tie WHERE number IN (?, ?)) UNION "
            "SELECT id FROM patent WHERE application_number = ? ORDER BY 1",
            (key, number, key, number),
        )
        for (led,) in rows:
            found.setdefault(led, number)
    return found
