"""What an index has to know of many patents at once, in order of arrival."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foreart.corpus.corpus import Corpus

# SQLite takes 999 values in one statement at least.
_AT_ONCE = 900


@dataclass(frozen=True, slots=True)
class Fact:
    """What of a patent a selection asks for."""

    published: str
    country: str
    kind: str
    language: str
    depth: str
    classes: tuple[str, ...]
    applicants: tuple[str, ...]


def contents(corpus: Corpus) -> Iterator[tuple[int, str, bytes]]:
    """Serial, id and the hash of the content of every patent."""
    yield from corpus.connection.execute("SELECT serial, id, content FROM patent ORDER BY serial")


def lengths(corpus: Corpus) -> Iterator[int]:
    """About how many words every patent has."""
    rows = corpus.connection.execute(
        "SELECT abstract_words + claims_words + description_words FROM patent ORDER BY serial"
    )
    yield from (number for (number,) in rows)


def contents_of(corpus: Corpus, serials: Sequence[int]) -> Iterator[tuple[int, str, bytes]]:
    """The same of these serials, which increase; those removed meanwhile are left out."""
    for start in range(0, len(serials), _AT_ONCE):
        those = list(serials[start : start + _AT_ONCE])
        yield from corpus.connection.execute(
            f"SELECT serial, id, content FROM patent WHERE serial IN ({_marks(those)}) ORDER BY serial",  # noqa: S608
            those,
        ).fetchall()


def facts(corpus: Corpus, serials: Sequence[int]) -> Iterator[Fact]:
    """The facts of these serials, which increase; those removed meanwhile are left out."""
    for start in range(0, len(serials), _AT_ONCE):
        those = list(serials[start : start + _AT_ONCE])
        marks = _marks(those)
        classes, applicants = (
            _lists(corpus, f"SELECT serial, {column} FROM {table} WHERE serial IN ({marks})", those)  # noqa: S608
            for table, column in (("class", "symbol"), ("applicant", "name"))
        )
        rows = corpus.connection.execute(
            "SELECT serial, published, country, kind, language, depth FROM patent "  # noqa: S608 marks only
            f"WHERE serial IN ({marks}) ORDER BY serial",
            those,
        )
        for serial, published, country, kind, language, depth in rows.fetchall():
            lists = tuple(classes.get(serial, ())), tuple(applicants.get(serial, ()))
            yield Fact(published, country, kind, language, depth, *lists)


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))


def _lists(corpus: Corpus, query: str, serials: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for serial, value in corpus.connection.execute(query, serials):
        found.setdefault(serial, []).append(value)
    return found
