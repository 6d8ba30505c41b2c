"""The fingerprint of a corpus, kept in its file until a patent changes: triggers of the schema remove it."""

from __future__ import annotations

import hashlib
import sqlite3


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
