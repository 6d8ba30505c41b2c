"""What is on the disk stays there: files and folders that are whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from foreart.corpus.locking import lock
from foreart.errors import IndexError_

_FULL = (errno.ENOSPC, errno.EDQUOT)


class Unsealed(Exception):
    """A record is not the one that was written."""


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Writes JSON with a checksum of itself and waits until the disk has it."""
    sealed = {**record, "checksum": _checksum(record)}
    with path.open("x", encoding="utf-8") as file:
        file.write(json.dumps(sealed, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_record(path: Path) -> dict[str, Any]:
    """JSON as it was written, or `Unsealed`."""
    try:
        record = json.loads(path.read_text("utf-8"))
        checksum = record.pop("checksum")
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Unsealed(f"{path} cannot be read ({type(error).__name__}: {error})") from None
    if checksum != _checksum(record):
        raise Unsealed(f"{path} is not as it was written")
    return dict(record)


def replace_text(path: Path, text: str) -> None:
    """Lets a small file have another text, at one moment: whoever reads it finds the old or the new one."""
    beside = path.with_name(path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Waits until the disk knows which files are in a folder."""
    if os.name == "nt":  # where folders cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def made(folder: Path) -> Iterator[Path]:
    """A place to make a folder in that gets its name when all went well, and goes when it did not.

    Should there be a folder of that name, it is damaged: its files are replaced one by one by what they should be.
    """
    beside = folder.with_name(folder.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        yield beside
        settle(beside)
        if folder.exists():
            for file in sorted(beside.iterdir()):
                file.replace(folder / file.name)
            beside.rmdir()
            settle(folder)
        else:
            beside.rename(folder)
        settle(folder.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """The right to write into a folder; a full disk is told as such."""
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
        raise IndexError_(
            f"the disk is full: {folder} stays as it was, and what was finished is kept; "
            "make room and run `foreart build` again, it goes on there"
        ) from error


def _held(folder: Path) -> sqlite3.Connection:
    held = lock(folder / "writer")
    if held is None:
        raise IndexError_(
            f"{folder} is being written by another foreart process: wait until it has finished, then run this again"
        )
    return held


def _checksum(record: dict[str, Any]) -> str:
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
