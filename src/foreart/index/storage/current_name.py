"""The file `current` of an index: the name of the generation or snapshot in use."""

from __future__ import annotations

import re
from pathlib import Path

from foreart.errors import IndexingError

CURRENT = "current"
_NAME = re.compile(r"[0-9a-f]{8,64}")


def current_name(folder: Path) -> str:
    """The name of the current generation or snapshot; IndexingError if there is none, or it is not a valid name."""
    try:
        name = (folder / CURRENT).read_bytes().decode("ascii", "replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise IndexingError(f"there is no index at {folder}: build one with `foreart build`") from None
    except OSError as error:
        raise damaged_index(folder, str(error)) from None
    if not _NAME.fullmatch(name):
        raise damaged_index(folder, f"{CURRENT} is not the name of a folder")
    return name


def damaged_index(folder: Path, reason: str) -> IndexingError:
    """The error for a folder with damaged files."""
    return IndexingError(f"{folder}: the index is damaged ({reason}); rebuild it with `foreart build`")
