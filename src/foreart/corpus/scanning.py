"""Scans the ids, hashes and lengths of all patents for indexing, in order of arrival."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foreart.corpus.corpus import Corpus

# Every SQLite accepts at least 999 parameters in a statement.
_MAX_PARAMETERS = 900


def contents(corpus: Corpus) -> Iterator[tuple[int, str, bytes]]:
    """Serial, id and content hash of every patent."""
    yield from corpus.connection.execute("SELECT serial, id, content FROM patent ORDER BY serial")


def lengths(corpus: Corpus) -> Iterator[int]:
    """The approximate number of words of every patent."""
    rows = corpus.connection.execute(
        "SELECT abstract_words + claims_words + description_words FROM patent ORDER BY serial"
    )
    yield from (words for (words,) in rows)


def contents_of(corpus: Corpus, serials: Sequence[int]) -> Iterator[tuple[int, str, bytes]]:
    """Serial, id and content hash for increasing serials, without patents that were removed meanwhile."""
    for start in range(0, len(serials), _MAX_PARAMETERS):
        batch = list(serials[start : start + _MAX_PARAMETERS])
        yield from corpus.connection.execute(
            f"SELECT serial, id, content FROM patent WHERE serial IN ({_placeholders(batch)}) ORDER BY serial",  # noqa: S608
            batch,
        ).fetchall()


def _placeholders(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
