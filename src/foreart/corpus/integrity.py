"""Whether a corpus is sound, and its fingerprint, which its file keeps until a patent changes (triggers remove it)."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import is_intact


def file_problems(corpus: Corpus) -> list[str]:
    """The problems that SQLite finds in the file; empty if it is intact."""
    problems = [row[0] for row in corpus.connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    orphans = corpus.connection.execute("PRAGMA foreign_key_check").fetchall()
    return problems or ([f"{len(orphans)} rows without their patent"] if orphans else [])


def families_are_stale(corpus: Corpus) -> bool:
    """Whether patents have changed since families were computed."""
    query = "SELECT 1 FROM meta WHERE key = 'families' AND value = 'stale'"
    return corpus.connection.execute(query).fetchone() is not None


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


def stored_fingerprint(connection: sqlite3.Connection) -> str:
    """The fingerprint in the file; `""` if it has to be computed."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'fingerprint'").fetchone()
    return str(row[0]) if row else ""


def computed_fingerprint(connection: sqlite3.Connection, version: int) -> str:
    """A hash of all ids and contents, which is then kept in the file; `version` is its data version before that."""
    digest = hashlib.blake2b(digest_size=16)
    for number, content in connection.execute("SELECT id, content FROM patent ORDER BY id"):
        digest.update(number.encode() + b"\0" + content)
    fingerprint = digest.hexdigest()
    if not connection.in_transaction:
        _keep(connection, fingerprint, version)
    return fingerprint


def _keep(connection: sqlite3.Connection, fingerprint: str, version: int) -> None:
    """Stores a fingerprint, unless the file is read-only, another process writes to it, or it has changed."""
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA data_version").fetchone()[0] == version:
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('fingerprint', ?)", (fingerprint,))
        connection.execute("COMMIT")
    except sqlite3.OperationalError:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(patience)}")
