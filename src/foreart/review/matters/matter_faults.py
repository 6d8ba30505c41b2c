"""What is wrong with the file of a matter, as sentences: damage, a wrong passphrase, or a machine in the way."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from foreart.errors import DamagedMatter, MatterError, WrongPassphrase
from foreart.review.matters.sealing import Lines, Tampered, WrongKey, opened_slot

# The machine or another process is in the way; any other error of SQLite is damage.
_PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")


def opened_lines(path: Path, matter: str, slot: bytes, passphrase: str) -> Lines:
    """How the lines of a file are protected, by its key slot."""
    if not slot:
        return Lines(matter)
    if not passphrase:
        raise WrongPassphrase(f"the matter {path.stem} is sealed: give its passphrase")
    try:
        return opened_slot(matter, slot, passphrase)
    except WrongKey:
        raise WrongPassphrase(f"the passphrase does not open the matter {path.stem}") from None
    except Tampered:
        raise damaged(path, "its key is damaged") from None


def damaged(path: Path, sentence: str) -> DamagedMatter:
    """The file is not as it was written."""
    return DamagedMatter(f"the matter {path.stem}: {sentence}; use a backup of {path}")


def fault_of(path: Path, error: sqlite3.Error) -> MatterError:
    """An error of SQLite, whose own texts never quote a value."""
    if isinstance(error, sqlite3.ProgrammingError):
        return MatterError(f"the matter {path.stem} was closed: open it again")
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_PASSING):
        return MatterError(f"the matter {path.stem} could not be used ({error}): try again")
    return damaged(path, f"its file is damaged ({error})")
