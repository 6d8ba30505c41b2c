"""One writer at a time, by a lock that ends with the process, however that ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def lock(file: Path) -> sqlite3.Connection | None:
    """An exclusive transaction on a file made for it; None if somebody else has it. Closing it lets go."""
    held = sqlite3.connect(file, isolation_level=None, timeout=0.0)
    try:
        held.execute("PRAGMA journal_mode = MEMORY")
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        held.close()
        return None
    return held
