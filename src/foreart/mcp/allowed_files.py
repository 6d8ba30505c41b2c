"""Reads a file of an allowed folder, and never one outside of it, whatever links and names say."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from foreart.errors import BadFile

LARGEST = 64 << 20
_OUTSIDE = "the file is not in a folder that `foreart mcp --allow FOLDER` names: give its text as `text` instead"
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def allowed_bytes(file: str, folders: Sequence[Path]) -> tuple[str, bytes]:
    """The name and the bytes of a file, given by its path in one of the folders, or by an absolute path into one."""
    for folder in folders:
        root = folder.resolve()
        try:
            inside = (root / file).resolve(strict=True).relative_to(root)
        except (ValueError, OSError, RuntimeError):  # outside, not there, or no path at all
            continue
        if inside.parts:
            return inside.name, _read(root, inside)
    raise BadFile(_OUTSIDE)


def _read(root: Path, inside: Path) -> bytes:
    """Opens part by part without following a link: one that was put there meanwhile leads nowhere."""
    try:
        handle = _opened(root, inside.parts)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise BadFile("that is not a file")
        with os.fdopen(handle, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise BadFile(f"the file cannot be read ({error.strerror or 'unknown reason'})") from None
    if len(data) > LARGEST:
        raise BadFile(f"the file has more than {LARGEST >> 20} MB: remove its drawings")
    return data


def _opened(root: Path, parts: Sequence[str]) -> int:
    if os.open not in os.supports_dir_fd:
        return os.open(root.joinpath(*parts), _FLAGS | _NO_LINK)
    handle = os.open(root, _FLAGS)
    for part in parts:
        try:
            further = os.open(part, _FLAGS | _NO_LINK, dir_fd=handle)
        finally:
            os.close(handle)
        handle = further
    return handle
