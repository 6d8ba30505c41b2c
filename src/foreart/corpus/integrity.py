"""Integrity checks of a corpus file: its pages, its records, unfinished work."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import is_intact
from foreart.corpus.relations import families


def file_problems(corpus: Corpus) -> list[str]:
    """The problems that SQLite finds in the file; empty if it is intact."""
    problems = [row[0] for row in corpus.connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    orphans = corpus.connection.execute("PRAGMA foreign_key_check").fetchall()
    return problems or ([f"{len(orphans)} rows without their patent"] if orphans else [])


def families_are_stale(corpus: Corpus) -> bool:
    """Whether patents have changed since families were computed."""
    return families.families_are_stale(corpus.connection)


def examined_records(corpus: Corpus, step: int) -> Iterator[tuple[str, bool]]:
    """The id of every `step`-th patent, and whether its record matches its hash."""
    query = "SELECT id, content, json FROM patent LEFT JOIN record USING (serial) WHERE serial % ? = 0"
    for number, content, blob in corpus.connection.execute(query, (step,)):
        yield number, blob is not None and is_intact(blob, content)


def unfinished_loads(corpus: Corpus) -> list[tuple[str, int]]:
    """Files whose loading was interrupted, and how many of their records are stored."""
    return corpus.connection.execute("SELECT file, done FROM load WHERE NOT finished").fetchall()


def reject_count(corpus: Corpus) -> int:
    """How many records could not be read."""
    return int(corpus.connection.execute("SELECT count(*) FROM reject").fetchone()[0])
