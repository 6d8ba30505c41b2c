"""The writer of a corpus: atomic batches, and loads that resume after an interruption."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import zstandard

from foreart.corpus.packing import COLUMNS, Packed, pack, unpack
from foreart.corpus.relations.affected_families import record_added, record_change
from foreart.corpus.relations.families import mark_families, refresh_families
from foreart.document.patent import merge
from foreart.document.reject import Reject
from foreart.errors import CorpusBusy, ForeartError
from foreart.identifiers.numbers import loose_number

BATCH_BYTES = 8 << 20
_BATCH_SECONDS = 2.0
_INSERT = f"INSERT INTO patent ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_UPDATE = f"UPDATE patent SET {', '.join(f'{column} = ?' for column in COLUMNS)} WHERE serial = ?"  # noqa: S608
_DETAILS = ("record", "class", "applicant", "citation", "tie", "signature")


@dataclass(slots=True)
class Summary:
    """Counts of records: `read` is the sum of added, replaced, unchanged and rejected ones."""

    read: int = 0
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    rejected: int = 0
    resumed_after: int = 0


class Writer:
    """Writes to a corpus inside `with`; the last batch is committed at the end, or rolled back after an error."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, batch_bytes: int = BATCH_BYTES) -> None:
        self.summary = Summary()
        self._connection = connection
        self._path = path
        self._lock: sqlite3.Connection | None = None
        self._batch_bytes = batch_bytes
        self._pending = 0
        self._began = 0.0
        self._changed = False

    def __enter__(self) -> Writer:
        self._lock = lock(self._path.with_name(f"{self._path.name}.writer"), self._path, CorpusBusy)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                # Progress is only needed to resume an interrupted load, which this is not.
                self._begin()
                self._connection.execute("DELETE FROM load WHERE finished")
                self.commit()
                refresh_families(self._connection)
            elif self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        finally:
            if self._lock is not None:
                self._lock.close()

    def begin_file(self, file: str, size: int, modified: int) -> int | None:
        """Starts or resumes a file; returns how many of its records are stored already, None if all of them."""
        file = _storable(file)
        row = self._connection.execute(
            "SELECT done, finished FROM load WHERE file = ? AND size = ? AND modified = ?", (file, size, modified)
        ).fetchone()
        if row and row[0]:
            self.summary.resumed_after += row[0]
            return None if row[1] else int(row[0])
        self._begin()
        self._connection.execute("INSERT OR REPLACE INTO load VALUES (?, ?, ?, 0, 0)", (file, size, modified))
        # Rejects of an earlier load of this file are read again.
        self._connection.execute(
            "DELETE FROM reject WHERE file = ? OR substr(file, 1, ?) = ?", (file, len(file) + 1, file + "!")
        )
        return 0

    def progress(self, file: str, done: int, *, finished: bool = False) -> None:
        """Stores the progress of a file, in the same transaction as its records; commits a full batch."""
        self._begin()
        self._connection.execute(
            "UPDATE load SET done = ?, finished = ? WHERE file = ?", (done, finished, _storable(file))
        )
        if finished or self._pending >= self._batch_bytes or time.monotonic() - self._began >= _BATCH_SECONDS:
            self.commit()

    def add(self, item: Packed | Reject) -> None:
        """Adds one packed patent or one reject."""
        self._begin()
        self.summary.read += 1
        if isinstance(item, Reject):
            self._reject(item)
            return
        row = self._connection.execute("SELECT serial, content FROM patent WHERE id = ?", (item.id,)).fetchone()
        if row is None:
            serial = int(self._connection.execute(_INSERT, item.columns).lastrowid or 0)
            self._details(serial, item)
            record_added(self._connection, serial)
            self.summary.added += 1
        elif row[1] == item.content:
            self.summary.unchanged += 1
            return
        else:
            self._replace(int(row[0]), row[1], item)
        self._pending += len(item.json)

    def remove(self, ids: Iterable[str]) -> int:
        """Removes patents by id; returns how many were stored."""
        self._begin()
        count = 0
        for number in ids:
            row = self._connection.execute(
                "SELECT serial FROM patent WHERE id = ?", (str(loose_number(number)),)
            ).fetchone()
            if row is not None:
                self._supersede(row[0])
                self._connection.execute("DELETE FROM patent WHERE serial = ?", row)
                count += 1
        self._connection.execute("DELETE FROM load")
        self._touch(changed=count > 0)
        return count

    def commit(self) -> None:
        """Commits the batch."""
        if self._connection.in_transaction:
            self._touch(changed=self._changed)
            self._connection.execute("COMMIT")
        self._pending = 0

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
            self._began = time.monotonic()
            self._changed = False

    def _touch(self, *, changed: bool) -> None:
        if changed:
            mark_families(self._connection)

    def _replace(self, serial: int, content: bytes, item: Packed) -> None:
        """Stores the new record, with missing fields taken from the old one (see `merge`)."""
        stored = self._connection.execute("SELECT json FROM record WHERE serial = ?", (serial,)).fetchone()
        merged = pack(merge(unpack(stored[0]), unpack(item.json)))
        if merged.content == content:
            self.summary.unchanged += 1
            return
        self._supersede(serial)
        self._connection.execute(_UPDATE, (*merged.columns, serial))
        for table in _DETAILS:
            self._connection.execute(f"DELETE FROM {table} WHERE serial = ?", (serial,))  # noqa: S608
        self._details(serial, merged)
        self.summary.replaced += 1

    def _supersede(self, serial: int) -> None:
        """Keeps a record that is replaced or removed, if a published state of indexes may have it."""
        record_change(self._connection, serial)
        self._connection.execute(
            "INSERT OR REPLACE INTO superseded SELECT id, content, json, value FROM patent "
            "JOIN record USING (serial) JOIN meta ON meta.key = 'published' WHERE serial = ?",
            (serial,),
        )

    def _details(self, serial: int, item: Packed) -> None:
        run = self._connection
        run.execute("INSERT INTO record VALUES (?, ?)", (serial, item.json))
        run.executemany("INSERT INTO class VALUES (?, ?, ?, ?)", [(serial, *row) for row in item.classes])
        run.executemany(
            "INSERT INTO applicant VALUES (?, ?)", [(serial, name) for name in dict.fromkeys(item.applicants)]
        )
        run.executemany("INSERT INTO citation VALUES (?, ?, ?, ?)", [(serial, *row) for row in item.citations])
        run.executemany("INSERT INTO tie VALUES (?, ?, ?)", [(serial, *row) for row in item.ties])
        if item.signature:
            run.execute("INSERT INTO signature VALUES (?, ?)", (serial, item.signature))
        self._changed = True

    def _reject(self, item: Reject) -> None:
        self.summary.rejected += 1
        raw = zstandard.ZstdCompressor().compress(item.raw)
        self._connection.execute(
            "INSERT INTO reject (file, position, format, reason, raw) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET format = excluded.format, reason = excluded.reason, raw = excluded.raw",
            (*map(_storable, (item.file, item.position, item.format, item.reason)), raw),
        )
        self._pending += len(raw)


def _storable(text: str) -> str:
    """A text that SQLite accepts: file names may contain bytes that are not text."""
    return text.encode("utf-8", "replace").decode("utf-8")


def lock(file: Path, locked: Path, busy: type[ForeartError]) -> sqlite3.Connection:
    """An exclusive transaction on a lock file, until it is closed; raises `busy` if another process holds it.

    It is released when its process ends, even if it is killed.
    """
    connection = sqlite3.connect(file, isolation_level=None, timeout=0.0)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        connection.close()
        raise busy(
            f"{locked} is being written by another foreart process: wait until it has finished, then run this again"
        ) from None
    return connection
