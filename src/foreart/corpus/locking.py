"""A lock for one writer at a time, released when its process ends, even if it is killed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from foreart.errors import ForeartError


def lock(file: Path, locked: Path, busy: type[ForeartError]) -> sqlite3.Connection:
    """An exclusive transaction on a lock file, until it is closed; raises `busy` if another process holds it."""
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
