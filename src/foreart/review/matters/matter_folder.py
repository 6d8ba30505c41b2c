"""The matters of a library: one private file each in `LIBRARY/matters/`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from foreart.errors import BadRequest, MatterError, UnknownMatter
from foreart.review.matters.event_log import is_sealed_file

FOLDER, SUFFIX = "matters", ".matter"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
# Names that Windows keeps for devices.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MatterEntry:
    """One matter of a library: its name, whether it is sealed, the size of its file, and when that last changed."""

    name: str
    sealed: bool
    size: int
    changed: float
    problem: str = ""


def matter_path(library: Path, name: str) -> Path:
    """The file of a matter, which may not exist."""
    if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
        raise BadRequest(
            f"{name[:60]!r} cannot be the name of a matter: use up to 60 letters, digits, _ and -, beginning with a "
            "letter or digit"
        )
    return library / FOLDER / f"{name}{SUFFIX}"


def existing_path(library: Path, name: str) -> Path:
    """The file of a matter; UnknownMatter if there is none."""
    path = matter_path(library, name)
    if not path.is_file():
        names = ", ".join(entry.stem for entry in _files(library)[:20])
        raise UnknownMatter(f"there is no matter {name}" + (f"; there are {names}" if names else " in this library"))
    return path


def list_matters(library: Path) -> tuple[MatterEntry, ...]:
    """All matters, the last changed first."""
    found = [_entry(path) for path in _files(library)]
    return tuple(sorted(found, key=lambda entry: (-entry.changed, entry.name)))


def prepare_folder(library: Path) -> None:
    """Creates the folder, for its owner only."""
    library.mkdir(parents=True, exist_ok=True)
    folder = library / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)


def _files(library: Path) -> list[Path]:
    return sorted(path for path in (library / FOLDER).glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem))


def _entry(path: Path) -> MatterEntry:
    # What is not yet in the main file is in the write-ahead log.
    files = [path, path.with_name(f"{path.name}-wal")]
    stats = [file.stat() for file in files if file.exists()]
    size, changed = sum(item.st_size for item in stats), max(item.st_mtime for item in stats)
    try:
        return MatterEntry(path.stem, is_sealed_file(path), size, changed)
    except MatterError as error:
        return MatterEntry(path.stem, False, size, changed, str(error))
