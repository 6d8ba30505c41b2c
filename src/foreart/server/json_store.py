"""Records that people make on the desk, one private JSON file each."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from foreart.durable import replace_text

_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class JsonStore:
    """Records by id, in memory if nothing may be kept, else in a folder that only its owner can read."""

    def __init__(self, folder: Path, *, keep: bool) -> None:
        self._folder = folder
        self._keep = keep
        self._records: dict[str, dict[str, Any]] = {}
        self._turn = Lock()

    def put(self, name: str, record: dict[str, Any]) -> None:
        """Keeps a record; it is on the disk when this returns."""
        if not self._keep:
            self._records[name] = record
            return
        private_folder(self._folder)
        replace_text(self._folder / f"{name}.json", json.dumps(record, ensure_ascii=False), private=True)

    def get(self, name: str) -> dict[str, Any] | None:
        """The record of an id, if there is one."""
        if not self._keep or not _ID.fullmatch(name):
            return self._records.get(name)
        try:
            record = json.loads((self._folder / f"{name}.json").read_bytes())
        except (OSError, ValueError):
            return None
        return record if isinstance(record, dict) else None

    def change(self, name: str, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Keeps what a function makes of a record, `{}` if there is none; two changes at once lose nothing."""
        with self._turn:
            record = changed(self.get(name) or {})
            self.put(name, record)
        return record

    def names(self) -> list[str]:
        """All ids."""
        kept = {path.stem for path in self._folder.glob("*.json")} if self._keep else set(self._records)
        return sorted(name for name in kept if _ID.fullmatch(name))

    def remove(self, name: str) -> list[tuple[str, int]]:
        """Removes a record; returns the file that was deleted, with its size."""
        self._records.pop(name, None)
        path = self._folder / f"{name}.json"
        if not _ID.fullmatch(name) or not path.exists():
            return []
        size = path.stat().st_size
        path.unlink()
        return [(path.name, size)]


def private_folder(folder: Path) -> None:
    """Creates a folder, in one of the same kind, that only its owner can read; one from a backup becomes so."""
    for place in (folder.parent, folder):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name != "nt" and place.stat().st_mode & 0o077:
            place.chmod(0o700)
