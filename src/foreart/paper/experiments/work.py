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

from foreart.durable import TEMPORARY, new_folder, replace_text, replacing

# Increase it when a step computes something else under the same name and parameters.
FORM = 3
_ABANDONED = 3600.0  # seconds


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a step: JSON values, arrays, and the seconds it took."""

    numbers: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    seconds: float = 0.0


class Work:
    """A folder of finished steps, keyed by the name of a step and everything its result depends on."""

    def __init__(self, folder: str | Path, *, basis: Mapping[str, Any]) -> None:
        self.folder = Path(folder)
        self.basis = dict(basis)

    def folder_of(self, name: str, settings: Mapping[str, Any]) -> Path:
        """The folder of a step, whether it exists or not."""
        inputs = {"form": FORM, "step": name, "settings": dict(settings), **self.basis}
        text = json.dumps(inputs, sort_keys=True, ensure_ascii=False)
        key = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return self.folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}.{key}"

    def load(self, name: str, settings: Mapping[str, Any]) -> Done | None:
        """The result of a step; None if it is not finished. Arrays are memory-mapped."""
        step_folder = self.folder_of(name, settings)
        try:
            record = json.loads((step_folder / "done.json").read_text("utf-8"))
            arrays = {
                array_name: np.load(step_folder / f"{array_name}.npy", mmap_mode="r") for array_name in record["arrays"]
            }
        except (OSError, ValueError, LookupError, EOFError):  # absent or in another format: it is computed again
            return None
        return Done(record["numbers"], arrays, record["seconds"])

    def save(self, name: str, settings: Mapping[str, Any], done: Done) -> None:
        """Writes to a temporary folder and publishes it with one rename."""
        step_folder = self.folder_of(name, settings)
        with new_folder(step_folder) as new:
            for array_name, array in done.arrays.items():
                with replacing(new / f"{array_name}.npy") as file:
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
            shutil.rmtree(step_folder, ignore_errors=True)  # a result that could not be loaded

    def sweep(self) -> None:
        """Removes partial results of killed runs; recent ones may belong to another run."""
        for leftover in self.folder.glob(".*.new"):
            with suppress(FileNotFoundError):  # removed by another run
                if TEMPORARY.fullmatch(leftover.name) and time.time() - leftover.stat().st_mtime > _ABANDONED:
                    shutil.rmtree(leftover, ignore_errors=True)

    def forget(self, name: str, settings: Mapping[str, Any]) -> None:
        """Removes a step."""
        shutil.rmtree(self.folder_of(name, settings), ignore_errors=True)
