"""What a corpus says of its patents beside their words: dates, families, people, classes, and the numbers they name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import zstandard

from foreart.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Entry:
    """One patent. `key` is its number as citations have it; `date` is priority, else filing, else publication."""

    serial: int
    id: str
    key: str
    content: bytes
    date: str
    family: str
    applicants: tuple[str, ...]
    classes: tuple[str, ...]
    cited: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """What stands only in the stored record of a patent: who invented it, and its description."""

    inventors: tuple[str, ...]
    description: str


def entries(corpus: Corpus) -> Iterator[Entry]:
    """All patents in order of arrival."""
    lists = {
        name: _lists(corpus, query)
        for name, query in (
            ("applicants", "SELECT serial, name FROM applicant ORDER BY serial, name"),
            ("classes", "SELECT serial, symbol FROM class ORDER BY serial, scheme, position"),
            ("cited", "SELECT serial, cited FROM citation ORDER BY serial, position"),
        )
    }
    rows = corpus.connection.execute(
        "SELECT serial, id, key, content, priority, filed, published, coalesce(family, '') "
        "FROM patent LEFT JOIN family USING (serial) ORDER BY serial"
    )
    for serial, number, key, content, priority, filed, published, family in rows.fetchall():
        own = {name: tuple(found.get(serial, ())) for name, found in lists.items()}
        yield Entry(serial, number, key, content, priority or filed or published, family, **own)


def names_of(corpus: Corpus, serials: Sequence[int]) -> Iterator[Names]:
    """What the records of these patents say, one at a time; nothing of one that is gone."""
    for serial in serials:
        row = corpus.connection.execute("SELECT json FROM record WHERE serial = ?", (serial,)).fetchone()
        record = json.loads(zstandard.ZstdDecompressor().decompress(row[0])) if row else {}
        yield Names(tuple(record.get("inventors") or ()), record.get("description") or "")


def _lists(corpus: Corpus, query: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for serial, value in corpus.connection.execute(query):
        found.setdefault(serial, []).append(value)
    return found
