"""Deletes a matter with all that was kept of it, and says what that cannot promise."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from foreart.corpus.library_folder import is_own_file
from foreart.errors import MatterError
from foreart.review.matters.event_log import EventLog, is_sealed_file
from foreart.review.matters.matter_events import DraftKept, Event, ExportMade, Logged

# Where the server keeps uploaded drafts, and what belongs to them by the name of the draft.
_DESK = "desk"
_BY_NAME = ("drafts", "grades", "workspaces")
_SEARCHES = "searches"
_BLOCK = 1 << 20
UNPROMISED = (
    "Deleting is no erasure on SSDs and flash memory, in snapshots and on file systems that copy on write: old blocks "
    "may remain.",
    "Backups, copies, and exports outside of the library are not touched.",
)
UNREAD = (
    "The matter could not be read (sealed and no passphrase given, or damaged): drafts and exports that it names are "
    "not known and were not deleted."
)
KEY_DESTROYED = "The key of the sealed matter is destroyed: remaining copies of its blocks are unreadable without it."


@dataclass(frozen=True, slots=True)
class PurgedFile:
    """A file that was deleted, with its size before."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge deleted, and sentences on what it cannot promise."""

    name: str
    files: tuple[PurgedFile, ...]
    notes: tuple[str, ...]


def purge_matter(library: Path, path: Path, log: EventLog | None) -> Purged:
    """Deletes the file of a matter, drafts of the desk that it used, and exports made into the library.

    `log` is the opened file; if it cannot be opened, only the matter's own files are known and deleted.
    """
    sealed = log.is_sealed if log is not None else _is_sealed(path)
    events = log.events if log is not None else ()
    named = [*_exports(library, events), *_desk_files(library, events)]
    own = [path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")]
    # Before the log is emptied: truncated files would be counted as nothing.
    sizes = {file: file.stat().st_size for file in (*own, *named) if file.is_file()}
    if log is not None:
        log.empty()
        log.close()
    for file in sizes:
        _erase(file)
    notes = (*UNPROMISED, *((KEY_DESTROYED,) if sealed else ()), *((UNREAD,) if log is None else ()))
    return Purged(path.stem, tuple(PurgedFile(_shown(library, file), size) for file, size in sizes.items()), notes)


def draft_ids(events: Iterable[Logged[Event]]) -> list[str]:
    """The ids of the drafts of the desk that a matter used."""
    drafts = (logged.event.desk for logged in events if isinstance(logged.event, DraftKept))
    return list(dict.fromkeys(name for name in drafts if name))


def _is_sealed(path: Path) -> bool:
    with suppress(MatterError):
        return is_sealed_file(path)
    return False


def _exports(library: Path, events: Iterable[Logged[Event]]) -> Iterator[Path]:
    """Exports in the library; a log from elsewhere cannot name a file outside, nor one of the library itself."""
    root = library.resolve()
    for logged in events:
        if isinstance(logged.event, ExportMade) and logged.event.inside:
            file = (root / logged.event.file).resolve()
            if file.is_relative_to(root) and not is_own_file(root, file) and file.is_file():
                yield library / file.relative_to(root)


def _desk_files(library: Path, events: Iterable[Logged[Event]]) -> Iterator[Path]:
    ids = draft_ids(events)
    desk = library / _DESK
    for kind in _BY_NAME:
        for file in sorted((desk / kind).glob("*.*")):
            if file.stem in ids:
                yield file
    for file in sorted((desk / _SEARCHES).glob("*.json")) if ids else ():
        with suppress(OSError, ValueError, KeyError, TypeError):
            if json.loads(file.read_bytes())["asked"]["draft"] in ids:
                yield file


def _erase(file: Path) -> None:
    """Overwrites a file with zeros and deletes it."""
    with suppress(FileNotFoundError), file.open("r+b") as stream:
        left = file.stat().st_size
        while left > 0:
            left -= stream.write(bytes(min(left, _BLOCK)))
        stream.flush()
        os.fsync(stream.fileno())
    file.unlink(missing_ok=True)


def _shown(library: Path, file: Path) -> str:
    return file.relative_to(library).as_posix() if file.is_relative_to(library) else str(file)
