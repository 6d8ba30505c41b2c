"""Cache of finished steps in a folder: each complete or absent, keyed by everything its result depends on."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from foreart.durable import ASIDE, new_folder, replace_text, replacing

# To be raised when a step begins to compute something else under the same name and parameters.
FORM = 1
_LEFT_BEHIND = 3600.0  # seconds


@dataclass(frozen=True, slots=True)
class Done:
    """What a step found: numbers that JSON can hold, arrays, and the seconds it took."""

    numbers: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    seconds: float = 0.0


class Work:
    """A folder of finished steps. A step is known by its name and by all that its result depends on."""

    def __init__(self, folder: str | Path, *, basis: Mapping[str, Any]) -> None:
        self.folder = Path(folder)
        self.basis = dict(basis)

    def place(self, name: str, settings: Mapping[str, Any]) -> Path:
        """The folder of a step, whether it is there or not."""
        asked = {"form": FORM, "step": name, "settings": dict(settings), **self.basis}
        text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
        key = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return self.folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}.{key}"

    def load(self, name: str, settings: Mapping[str, Any]) -> Done | None:
        """What a step found; None if it has not been finished. Arrays stay in their files until they are read."""
        place = self.place(name, settings)
        try:
            record = json.loads((place / "done.json").read_text("utf-8"))
            arrays = {each: np.load(place / f"{each}.npy", mmap_mode="r") for each in record["arrays"]}
        except (OSError, ValueError, LookupError, EOFError):  # absent, or not of this form: it is done again
            return None
        return Done(record["numbers"], arrays, record["seconds"])

    def save(self, name: str, settings: Mapping[str, Any], done: Done) -> None:
        """Writes beside and publishes by one rename."""
        place = self.place(name, settings)
        with new_folder(place) as new:
            for each, array in done.arrays.items():
                with replacing(new / f"{each}.npy") as file:
                    np.save(file, array, allow_pickle=False)
            record = {
                "step": name,
                "settings": dict(settings),
                "basis": self.basis,
                "seconds": done.seconds,
                "numbers": dict(done.numbers),
                "arrays": sorted(done.arrays),
            }
            replace_text(new / "done.json", json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1))
            shutil.rmtree(place, ignore_errors=True)  # one that could not be loaded

    def sweep(self) -> None:
        """Removes partial results of killed runs; recent ones may belong to another run."""
        for left in self.folder.glob(".*.new"):
            with suppress(FileNotFoundError):  # removed by another run
                if ASIDE.fullmatch(left.name) and time.time() - left.stat().st_mtime > _LEFT_BEHIND:
                    shutil.rmtree(left, ignore_errors=True)

    def forget(self, name: str, settings: Mapping[str, Any]) -> None:
        """Removes a step."""
        shutil.rmtree(self.place(name, settings), ignore_errors=True)
