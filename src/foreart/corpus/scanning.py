"""What an index has to know of many patents at once, in order of arrival."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foreart.corpus.corpus import Corpus

# SQLite takes 999 values in one statement at least.
_AT_ONCE = 900


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


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
