"""Atomic writes of files and folders: written to a temporary name, flushed, then renamed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

# Temporary names; a process that was killed leaves one behind.
TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.new")


class ChecksumError(Exception):
    """A JSON object cannot be read or does not match its checksum."""


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write that replaces `path` when the block ends; after an error the old file is unchanged.

    `private` makes it readable by its owner only. Links are followed; devices and pipes are written directly.
    """
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    temporary = _temporary(target)
    try:
        with open(temporary, "xb", opener=_owner_only if private else None) as file:
            yield file
            flush(file)
        temporary.replace(target)
        flush_folder(target.parent)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        _name_for_caller(error, temporary, path)
        raise


def replace_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """Writes a file atomically: readers see the old or the new content."""
    with replacing(path, private=private) as file:
        file.write(content)


def replace_text(path: Path, text: str, *, private: bool = False) -> None:
    """Writes UTF-8 text atomically."""
    replace_bytes(path, text.encode(), private=private)


def publish_new(temporary: Path, path: Path) -> None:
    """Gives a complete file its name; FileExistsError if there is a file of that name, which stays."""
    try:
        os.link(temporary, path)  # unlike a rename, it never replaces a file
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(path) from None
        temporary.rename(path)
    flush_folder(path.parent)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder that is renamed to `folder` when the block ends, and removed after an error.

    If `folder` exists, it is a damaged one: its files are replaced one by one.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(folder)
    try:
        temporary.mkdir()
        yield temporary
        flush_folder(temporary)
        if folder.exists():
            for file in sorted(temporary.iterdir()):
                file.replace(folder / file.name)
            temporary.rmdir()
            flush_folder(folder)
        else:
            temporary.rename(folder)
        flush_folder(folder.parent)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        _name_for_caller(error, temporary, folder)
        raise


def flush(file: BinaryIO) -> None:
    """Waits until the content of a file is on disk."""
    file.flush()
    os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Waits until the names of the files in a folder are on disk."""
    if os.name == "nt":  # where folders cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_files(folder: Path) -> None:
    """Waits until all files below a folder are on disk."""
    for path in folder.rglob("*"):
        if path.is_dir():
            flush_folder(path)
        else:
            with path.open("rb") as file:
                flush(file)


def write_checked(path: Path, record: Mapping[str, Any]) -> None:
    """Writes a JSON object with its own checksum."""
    replace_text(path, json.dumps({**record, "checksum": json_checksum(record)}, indent=1) + "\n")


def read_checked(path: Path, *, unchecked: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object that `write_checked` wrote, or `ChecksumError`.

    An object with exactly the keys `unchecked` is accepted without a checksum: foreart 0.1.0 wrote it so.
    """
    try:
        record = json.loads(path.read_bytes())
        if unchecked and record.keys() == set(unchecked):
            return dict(record)
        checksum = record.pop("checksum")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise ChecksumError(f"{path} cannot be read ({type(error).__name__}: {error})") from None
    if checksum != json_checksum(record):
        raise ChecksumError(f"{path} does not match its checksum")
    return dict(record)


def json_checksum(record: Mapping[str, Any]) -> str:
    """The checksum of a JSON object, independent of the order of its keys."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _name_for_caller(error: BaseException, temporary: Path, path: Path) -> None:
    """An error of a temporary file names the path that the caller knows."""
    if isinstance(error, OSError) and error.filename in (None, str(temporary)):
        error.filename = str(path)


def _temporary(path: Path) -> Path:
    return path.with_name(f".{secrets.token_hex(8)}.new")


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
