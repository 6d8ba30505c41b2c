"""What the published indexes of a library are made of, so that two builds can be compared byte for byte."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from foreart.index.published_state import PublishedState, published_state

# Names that are drawn, and what depends on the moment of a build.
_DRAWN = {"checksum"}


def library_files(folder: Path) -> dict[str, str]:
    """A hash of every file of the published state, by a name without the drawn names of generations and views.

    Postings: segments, frequencies, masks, lengths, manifest. Rows: arrays, ids, features, description. And the view.
    """
    state = published_state(folder)
    found: dict[str, str] = {}
    for postings, snapshot in state.postings.items():
        found |= _hashes(folder / postings / "snapshots" / snapshot, f"{postings}/snapshot")
        manifest = json.loads((folder / postings / "snapshots" / snapshot / "manifest.json").read_text())
        for number, segment in enumerate(manifest["segments"]):
            found |= _hashes(folder / postings / "segments" / segment["name"], f"{postings}/segment-{number}")
    for name, entry in state.indexes.items():
        if entry.postings:
            found[name] = json.dumps([entry.postings, entry.features, dict(entry.parameters)], sort_keys=True)
        else:
            found |= _hashes(folder / "indexes" / name / entry.generation, name)
    return found | _hashes(_view_folder(state), "view")


def documents(folder: Path) -> dict[str, int]:
    """The number of documents of each published index."""
    state = published_state(folder)
    return {name: len(state.index(name)) for name in state.indexes}


def _view_folder(state: PublishedState) -> Path:
    return state.view_folder


def _hashes(folder: Path, name: str) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    assert files, folder
    return {f"{name}/{path.relative_to(folder)}": _hash(path) for path in files}


def _hash(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def rows_of(folder: Path, name: str) -> np.ndarray:
    """The rows of an index of dense rows."""
    table: Any = published_state(folder).index(name).row_table
    return np.asarray(table)
