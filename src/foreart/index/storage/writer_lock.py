"""One writer at a time in the folder of an index."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foreart.corpus.locking import lock
from foreart.errors import IndexingError

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder; a full disk is reported as such."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = _held(folder)
        try:
            yield
        finally:
            held.close()
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise IndexingError(
            f"the disk is full: {folder} stays as it was, and what was finished is kept; "
            "make room and run `foreart build` again, it goes on there"
        ) from error


def _held(folder: Path) -> sqlite3.Connection:
    held = lock(folder / "writer")
    if held is None:
        raise IndexingError(
            f"{folder} is being written by another foreart process: wait until it has finished, then run this again"
        )
    return held
