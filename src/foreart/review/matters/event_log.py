"""The file of a matter, an append-only log of events: the only module of `review` that speaks SQL."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock

from foreart.durable import publish_new
from foreart.errors import DamagedMatter, MatterError, UnknownMatter, WrongVersion
from foreart.review.matters.matter_events import Event, Logged
from foreart.review.matters.matter_faults import damaged, fault_of, opened_lines
from foreart.review.matters.payloads import UnreadablePayload, from_payload, to_payload
from foreart.review.matters.sealing import Lines, Tampered, new_slot

# "fmat" in the header of the file, and the version of its schema.
APPLICATION, VERSION = 0x666D6174, 1
_SCHEMA = (
    # Time and rater are empty in a sealed matter: they are in the payload.
    "CREATE TABLE events (n INTEGER PRIMARY KEY, time TEXT NOT NULL, rater TEXT NOT NULL, payload BLOB NOT NULL, "
    "chain BLOB NOT NULL)",
    "CREATE TABLE matter (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)
# Casts, because a damaged type in the file must not make SQLite decode bytes as text.
_LINES = (
    "SELECT n, CAST(time AS BLOB), CAST(rater AS BLOB), CAST(payload AS BLOB), CAST(chain AS BLOB) "
    "FROM events WHERE n > ? ORDER BY n"
)
_WAIT = 20.0
_Row = tuple[int, str, str, bytes, bytes]


class EventLog:
    """The events of one file, verified as they are read. Any number of processes may append; each sees all lines."""

    def __init__(self, path: Path, passphrase: str = "") -> None:
        self.path = path
        self._events: list[Logged[Event]] = []
        self._mutex = RLock()
        with self._translated():
            self._connection = _connected(path)
        try:
            with self._translated():
                _refuse_other_files(self._connection, path)
                self._id = _kept(self._connection, "id")
                self._slot = _kept(self._connection, "slot")
            self._lines = opened_lines(path, str(self._id, "ascii", "replace"), self._slot, passphrase)
            self._chain = self._lines.first
            self.refresh()
        except BaseException:
            self._connection.close()
            raise

    @property
    def is_sealed(self) -> bool:
        """Whether payloads are encrypted."""
        return bool(self._slot)

    @property
    def digest(self) -> str:
        """A short check value of all lines: equal only if no line was changed or removed."""
        return self._chain.hex()[:16]

    @property
    def events(self) -> Sequence[Logged[Event]]:
        """All events that were read or appended here."""
        return tuple(self._events)

    def refresh(self) -> bool:
        """Reads what others have appended; whether there was anything."""
        with self._mutex, self._translated(), self._transaction("BEGIN"):
            return self._catch_up()

    def append(self, event: Event, *, time: str, rater: str) -> Logged[Event]:
        """Adds an event after all others; it is on the disk when this returns."""
        payload = to_payload(event, time=time, rater=rater)
        with self._mutex, self._translated():
            with self._transaction("BEGIN IMMEDIATE"):
                self._catch_up()
                n = len(self._events) + 1
                row = _row(self._lines, n, self._chain, payload, time, rater)
                self._insert(self._lines, [row])
            logged = Logged(n, time, rater, event)
            self._events.append(logged)
            self._chain = row[-1]
            return logged

    def seal(self, passphrase: str) -> None:
        """Encrypts all lines with a new key, and overwrites them in the file."""
        with self._mutex, self._translated():
            slot, sealed = new_slot(self._lines.matter, passphrase)
            with self._transaction("BEGIN EXCLUSIVE"):
                self._catch_up()
                if self._slot:
                    raise MatterError(f"the matter {self.path.stem} is sealed already")
                chain = self._rewrite(slot, sealed)
            self._adopt(slot, sealed, chain)

    def change_passphrase(self, passphrase: str, new: str) -> None:
        """Encrypts all lines with a new key for another passphrase: a copy of the old key does not open them.

        One transaction: after a kill at any moment the file has one passphrase, the old or the new one.
        """
        with self._mutex, self._translated():
            if not self._slot:
                raise MatterError(f"the matter {self.path.stem} is not sealed: seal it with a passphrase")
            opened_lines(self.path, self._lines.matter, self._slot, passphrase)
            slot, sealed = new_slot(self._lines.matter, new)
            with self._transaction("BEGIN EXCLUSIVE"):
                self._catch_up()
                chain = self._rewrite(slot, sealed)
            self._adopt(slot, sealed, chain)

    def empty(self) -> None:
        """Deletes all lines and the key: other processes can append no more."""
        with self._mutex, self._translated():
            with self._transaction("BEGIN EXCLUSIVE"):
                self._connection.execute("DELETE FROM events")
                self._connection.execute("DELETE FROM matter")
            self._truncate()

    def close(self) -> None:
        """Closes the file."""
        with self._mutex:
            self._connection.close()

    def _catch_up(self) -> bool:
        """Reads and verifies the lines after the last known one, and that the log ends where its head says."""
        if (_kept(self._connection, "id"), _kept(self._connection, "slot")) != (self._id, self._slot):
            told = f"the matter {self.path.stem} was sealed, given another passphrase or purged by another process"
            raise MatterError(f"{told}: open it again")
        chain = self._chain
        found: list[Logged[Event]] = []
        for n, *values in self._connection.execute(_LINES, (len(self._events),)):
            stored, kept = (value or b"" for value in values[2:])
            time, rater = (str(value or b"", "utf-8", "replace") for value in values[:2])
            expected = len(self._events) + len(found) + 1
            if n != expected:
                raise damaged(self.path, f"event {expected} is missing: it was removed")
            found.append(self._read(n, chain, time, rater, stored))
            chain = self._lines.chain(n, chain, time, rater, stored)
            if chain != kept:
                raise damaged(self.path, f"event {n} is damaged, or was changed or moved")
        self._verify_end(len(self._events) + len(found), chain)
        self._events += found
        self._chain = chain
        return bool(found)

    def _read(self, n: int, before: bytes, time: str, rater: str, stored: bytes) -> Logged[Event]:
        try:
            logged = from_payload(n, self._lines.unpacked(n, before, stored))
        except Tampered:
            raise damaged(self.path, f"event {n} is damaged, or was changed or moved") from None
        except UnreadablePayload as error:
            raise damaged(self.path, f"event {n} cannot be read, {error}") from None
        if not self._slot and (logged.time, logged.rater) != (time, rater):
            raise damaged(self.path, f"event {n} is damaged, or was changed or moved")
        return logged

    def _verify_end(self, last: int, chain: bytes) -> None:
        head = _kept(self._connection, "head")
        (stored,) = self._connection.execute("SELECT coalesce(max(n), 0) FROM events").fetchone()
        if stored < last:
            raise damaged(self.path, f"its end was removed: there were {last} events, and there are {stored}")
        if not self._lines.is_head(head, last, chain):
            ends = int.from_bytes(head[:8], "big")
            if ends > last:
                raise damaged(self.path, f"its end was removed: the last event was {ends}, and there are {last}")
            raise damaged(self.path, f"its end was changed after event {min(ends, last)}")

    def _insert(self, lines: Lines, rows: Sequence[_Row]) -> None:
        self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
        n, *_, chain = rows[-1]
        self._connection.execute("INSERT OR REPLACE INTO matter VALUES ('head', ?)", (lines.head(n, chain),))

    def _rewrite(self, slot: bytes, lines: Lines) -> bytes:
        """Protects every line again, within a transaction; the chain after the last one."""
        rows: list[_Row] = []
        before, chain = self._lines.first, lines.first
        stored = self._connection.execute("SELECT n, payload, chain FROM events ORDER BY n").fetchall()
        for n, payload, kept in stored:
            rows.append(_row(lines, n, chain, self._lines.unpacked(n, before, payload), "", ""))
            before, chain = kept, rows[-1][-1]
        self._connection.execute("DELETE FROM events")
        self._connection.execute("INSERT OR REPLACE INTO matter VALUES ('slot', ?)", (slot,))
        self._insert(lines, rows)
        return chain

    def _adopt(self, slot: bytes, lines: Lines, chain: bytes) -> None:
        """Goes on with what was rewritten. secure_delete has zeroed freed pages; a rebuilt file has none."""
        self._slot, self._lines, self._chain = slot, lines, chain
        self._truncate()
        self._connection.execute("VACUUM")
        self._truncate()

    def _truncate(self) -> None:
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._connection.execute(begin)
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Errors of SQLite as sentences."""
        try:
            yield
        except sqlite3.Error as error:
            raise fault_of(self.path, error) from None


def create_log(path: Path, first: Event, *, time: str, rater: str, passphrase: str = "") -> None:
    """Creates a file with its first event; it exists completely or not at all."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.new")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        matter = secrets.token_hex(16)
        slot, lines = new_slot(matter, passphrase) if passphrase else (b"", Lines(matter))
        with closing(_connected(temporary)) as connection:
            for statement in ("BEGIN", *_SCHEMA):
                connection.execute(statement)
            row = _row(lines, 1, lines.first, to_payload(first, time=time, rater=rater), time, rater)
            kept = {"id": matter.encode(), "slot": slot, "head": lines.head(1, row[-1])}
            connection.executemany("INSERT INTO matter VALUES (?, ?)", [item for item in kept.items() if item[1]])
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("COMMIT")
        publish_new(temporary, path)
    except FileExistsError:
        raise MatterError(f"there is a matter {path.stem} already: choose another name") from None
    finally:
        temporary.unlink(missing_ok=True)


def is_sealed_file(path: Path) -> bool:
    """Whether a file is a sealed matter, without opening it."""
    try:
        with closing(_connected(path)) as connection:
            _refuse_other_files(connection, path)
            return bool(_kept(connection, "slot"))
    except sqlite3.Error as error:
        raise fault_of(path, error) from None


def _row(lines: Lines, n: int, before: bytes, payload: bytes, time: str, rater: str) -> _Row:
    stored = lines.packed(n, before, payload)
    shown = ("", "") if lines.is_sealed else (time, rater)
    return n, *shown, stored, lines.chain(n, before, *shown, stored)


def _connected(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise UnknownMatter(f"there is no matter {path.stem}")
    address = f"{path.resolve().as_uri()}?mode=rw"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=_WAIT, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma).fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_other_files(connection: sqlite3.Connection, path: Path) -> None:
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    if application != APPLICATION:
        raise DamagedMatter(f"{path} is not a matter, or its header is damaged")
    if version > VERSION:
        raise WrongVersion(f"the matter {path.stem} was made by a newer version of foreart: use that one")


def _kept(connection: sqlite3.Connection, key: str) -> bytes:
    row = connection.execute("SELECT CAST(value AS BLOB) FROM matter WHERE key = ?", (key,)).fetchone()
    return row[0] or b"" if row else b""
