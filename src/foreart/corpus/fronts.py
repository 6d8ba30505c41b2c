"""Title and dates of every patent, without opening their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import zstandard

from foreart.corpus.corpus import Corpus

# SQLite takes 999 values in one statement at least.
_AT_ONCE = 900
_FRONT = "title, published, filed, priority, country, kind, document_type"
_ESTIMATED = b'"publication_date_estimated":true'


@dataclass(frozen=True, slots=True)
class Front:
    """What a list of documents shows of one. Dates are ISO texts, `""` if unknown."""

    title: str
    published: str
    filed: str
    priority: str
    country: str = ""
    kind: str = ""
    document_type: str = ""


def fronts(corpus: Corpus) -> dict[str, Front]:
    """The fronts of all patents by id, in order of arrival."""
    rows = corpus.connection.execute(f"SELECT id, {_FRONT} FROM patent ORDER BY serial")  # noqa: S608 names only
    return {number: Front(*columns) for number, *columns in rows}


def fronts_of(corpus: Corpus, ids: Iterable[str]) -> dict[str, Front]:
    """The fronts of some patents by id."""
    asked = list(ids)
    found: dict[str, Front] = {}
    for start in range(0, len(asked), _AT_ONCE):
        those = asked[start : start + _AT_ONCE]
        rows = corpus.connection.execute(
            f"SELECT id, {_FRONT} FROM patent WHERE id IN ({', '.join('?' * len(those))})",  # noqa: S608 marks only
            those,
        )
        found.update((number, Front(*columns)) for number, *columns in rows)
    return found


def dated(corpus: Corpus) -> Iterator[tuple[int, str, str, str, str, str, str, str]]:
    """Serial, id, published, filed, priority, country, kind and type of every patent, in order of arrival."""
    yield from corpus.connection.execute(
        "SELECT serial, id, published, filed, priority, country, kind, document_type FROM patent ORDER BY serial"
    )


def estimated(corpus: Corpus, serials: Sequence[int]) -> list[bool]:
    """Whether the date of publication was estimated, by serial: it stands in the stored record only."""
    opened = zstandard.ZstdDecompressor()
    found = []
    for serial in serials:
        row = corpus.connection.execute("SELECT json FROM record WHERE serial = ?", (serial,)).fetchone()
        found.append(row is not None and _ESTIMATED in opened.decompress(row[0]))
    return found


def state(corpus: Corpus) -> tuple[int, int]:
    """Changes when the file does: two equal states of one open corpus have the same patents."""
    (version,) = corpus.connection.execute("PRAGMA data_version").fetchone()
    return int(version), corpus.connection.total_changes
