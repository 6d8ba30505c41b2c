"""Opens a corpus file: creates or migrates it, or says why it cannot be used."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from foreart.errors import CorpusError, WrongVersion

APPLICATION = 0x666F7265  # "fore", in the header of the SQLite file
# schema.sql is version 1. MIGRATIONS[n] migrates version n + 1 to n + 2, in one transaction with the new version
# number; a new file runs all of them.
MIGRATIONS: tuple[str, ...] = (
    """
-- Crawls: their specification, and the state of every number that was found.
CREATE TABLE crawl (
    crawl INTEGER PRIMARY KEY,
    asked TEXT NOT NULL UNIQUE                -- JSON: source, conditions, what is followed
);
CREATE TABLE crawl_number (
    serial INTEGER PRIMARY KEY,               -- order of discovery
    crawl  INTEGER NOT NULL REFERENCES crawl (crawl) ON DELETE CASCADE,
    number TEXT NOT NULL,
    depth  INTEGER NOT NULL,                  -- steps from the nearest seed
    state  TEXT NOT NULL,                     -- waiting, kept, rejected, missing, failed, alias
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    UNIQUE (crawl, number)
);
CREATE INDEX crawl_queue ON crawl_number (crawl, state, depth, serial);
-- The links of kept patents, by serials of crawl_number: a smaller depth found later is passed on along them.
CREATE TABLE crawl_step (
    origin INTEGER NOT NULL REFERENCES crawl_number (serial) ON DELETE CASCADE,
    target INTEGER NOT NULL,
    PRIMARY KEY (origin, target)
) WITHOUT ROWID;
""",
    """
-- `meta` has the fingerprint of the corpus until a patent changes, whoever changes it.
CREATE TRIGGER patent_inserted AFTER INSERT ON patent BEGIN DELETE FROM meta WHERE key = 'fingerprint'; END;
CREATE TRIGGER patent_updated AFTER UPDATE ON patent BEGIN DELETE FROM meta WHERE key = 'fingerprint'; END;
CREATE TRIGGER patent_deleted AFTER DELETE ON patent BEGIN DELETE FROM meta WHERE key = 'fingerprint'; END;
""",
    """
-- Records as the published indexes have them, of patents that were replaced or removed since.
CREATE TABLE superseded (
    id      TEXT NOT NULL,
    content BLOB NOT NULL,
    json    BLOB NOT NULL,
    state   INTEGER NOT NULL,                 -- the number of the published state, see `meta`
    PRIMARY KEY (id, content)
);
""",
    """
-- Patents that changed since families were computed, and the signatures that they had then.
CREATE TABLE family_change (
    serial  INTEGER PRIMARY KEY,
    minhash BLOB NOT NULL
);
CREATE INDEX patent_family_id ON patent (family_id) WHERE family_id != '';
CREATE INDEX patent_application ON patent (application_number) WHERE application_number != '';
""",
)
VERSION = len(MIGRATIONS) + 1
# The oldest version that is readable without migration if the file is read-only: later additions are only needed by
# writers.
READABLE = 1


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """A connection to the corpus at `path`, in autocommit mode: transactions are explicit."""
    if not path.exists() and not create:
        raise CorpusError(f"no corpus at {path}: load files with `foreart add FILE...`")
    _refuse_emptied(path, create=create)
    if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return connect_to_read(path)
    if create:
        path.parent.mkdir(parents=True, exist_ok=True)
    return _checked(sqlite3.connect(path, isolation_level=None, timeout=30.0), path)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A read-only connection to a file of any version; it needs no write access to the folder."""
    if not path.is_file():
        raise CorpusError(f"no corpus at {path}")
    uri = f"file:{quote(str(path.resolve()))}?mode=ro"
    if not _has_log(path) and not os.access(path.parent, os.W_OK):
        uri += "&immutable=1"  # else SQLite would create the index of a log that does not exist
    return _checked(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30.0), path)


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _refuse_emptied(path: Path, *, create: bool) -> None:
    """Refuses an empty file that had patents in it: SQLite would treat it as a new database."""
    used = any(path.with_name(name).exists() for name in (path.name + ".writer", "indexes", "postings"))
    if path.is_file() and not path.stat().st_size and not _has_log(path) and (used or not create):
        raise CorpusError(
            f"{path} is empty, its patents are lost: restore a backup, or load its files into a new library"
        )


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        prepare(connection, path)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise CorpusError(f"{path} cannot be opened as a corpus: {error}") from error
    except CorpusError:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection, path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Migrates an open file to the current version, or refuses and leaves it unchanged."""
    target = len(migrations) + 1
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables and not application:
        _create(connection, migrations)
    elif application != APPLICATION:
        raise CorpusError(f"{path} is an SQLite file, but not a foreart corpus")
    elif version > target:
        raise WrongVersion(
            f"{path} was made by a newer foreart (corpus version {version}, this one reads up to {target}): "
            "upgrade foreart; nothing was changed"
        )
    elif version < 1:
        raise WrongVersion(
            f"{path} was made by a foreart older than any release (version {version}): load its files again"
        )
    else:
        _migrate(connection, version, migrations)


def _create(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    script = resources.files("foreart.corpus").joinpath("schema.sql").read_text("utf-8")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have created the tables while this one waited for the lock.
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in _statements("\n".join((script, *migrations))):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {len(migrations) + 1}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        _roll_back(connection)
        raise


def _migrate(connection: sqlite3.Connection, version: int, migrations: Sequence[str]) -> None:
    for number, script in enumerate(migrations[version - 1 :], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated the file while this one waited for the lock.
            if connection.execute("PRAGMA user_version").fetchone()[0] < number:
                for statement in _statements(script):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            _roll_back(connection)
            if version >= READABLE and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY:
                return
            raise


def _roll_back(connection: sqlite3.Connection) -> None:
    """Ends a transaction, unless SQLite has done so, as it does on a full disk."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _statements(script: str) -> list[str]:
    """The single statements of a script, because `executescript` would commit by itself."""
    statements: list[str] = []
    pending = ""
    for line in script.splitlines():
        pending += line + "\n"
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements


def stored_fingerprint(connection: sqlite3.Connection) -> str:
    """The fingerprint of the corpus that triggers of the schema remove when a patent changes; `""` if there is none."""
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
