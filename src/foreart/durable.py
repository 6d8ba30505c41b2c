"""Files and folders that are on the disk whole or not at all: written aside, flushed, then renamed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

# Names of what is written aside; a process that was killed leaves one behind.
ASIDE = re.compile(r"\.[0-9a-f]{16}\.new")


class Unsealed(Exception):
    """A record is not the one that was written."""


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write that becomes `path` when the block ends; after an error the old file is unchanged.

    `private` makes it readable for its owner only. Links are followed; devices and pipes are written directly.
    """
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    aside = _aside(target)
    try:
        with open(aside, "xb", opener=_owner_only if private else None) as file:
            yield file
            flush(file)
        aside.replace(target)
        flush_folder(target.parent)
    except BaseException as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(aside)):
            error.filename = str(path)  # the name that the caller knows
        raise


def replace_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """Writes a file at one moment: readers find the old or the new content."""
    with replacing(path, private=private) as file:
        file.write(content)


def replace_text(path: Path, text: str, *, private: bool = False) -> None:
    """Writes a file of UTF-8 text at one moment."""
    replace_bytes(path, text.encode(), private=private)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A place to write files of a folder that gets its name when the block ends, and is removed after an error.

    An existing folder of that name is damaged: its files are replaced one by one.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = _aside(folder)
    aside.mkdir()
    try:
        yield aside
        flush_folder(aside)
        if folder.exists():
            for file in sorted(aside.iterdir()):
                file.replace(folder / file.name)
            aside.rmdir()
            flush_folder(folder)
        else:
            aside.rename(folder)
        flush_folder(folder.parent)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def flush(file: BinaryIO) -> None:
    """Waits until the disk has what was written to a file."""
    file.flush()
    os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Waits until the disk has the names of the files in a folder."""
    if os.name == "nt":  # where folders cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_sealed(path: Path, record: Mapping[str, Any]) -> None:
    """Writes a JSON object with a checksum of itself."""
    replace_text(path, json.dumps({**record, "checksum": seal(record)}, indent=1) + "\n")


def read_sealed(path: Path) -> dict[str, Any]:
    """The JSON object that `write_sealed` wrote, or `Unsealed`."""
    try:
        record = json.loads(path.read_bytes())
        checksum = record.pop("checksum")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise Unsealed(f"{path} cannot be read ({type(error).__name__}: {error})") from None
    if checksum != seal(record):
        raise Unsealed(f"{path} is not as it was written")
    return dict(record)


def seal(record: Mapping[str, Any]) -> str:
    """The checksum of a JSON object, whatever the order of its keys."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _aside(path: Path) -> Path:
    return path.with_name(f".{secrets.token_hex(8)}.new")


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
