"""One writer at a time, by a lock that ends with its process, however that ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from foreart.errors import ForeartError


def lock(file: Path, locked: Path, busy: type[ForeartError]) -> sqlite3.Connection:
    """An exclusive transaction on a file made for it, until it is closed; `busy` if another process has it."""
    held = sqlite3.connect(file, isolation_level=None, timeout=0.0)
    try:
        held.execute("PRAGMA journal_mode = MEMORY")
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        held.close()
        raise busy(
            f"{locked} is being written by another foreart process: wait until it has finished, then run this again"
        ) from None
    return held
