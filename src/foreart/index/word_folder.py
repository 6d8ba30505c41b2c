"""The folder of an index of shared postings: a reference to the postings, and the weighting.

indexes/tfidf/words.json
postings/full/              see `storage.store`
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from foreart import durable
from foreart.durable import TEMPORARY, ChecksumError
from foreart.errors import IndexingError
from foreart.index.index_kinds import Kind
from foreart.index.storage.current_name import CURRENT, damaged_index

WORDS = "words.json"
# Generations of rows, complete or partial.
_GENERATION = re.compile(rf"[0-9a-f]{{16}}|{TEMPORARY.pattern}")
_LEFTOVER = re.compile(rf"current\.[0-9a-f]{{16}}|{TEMPORARY.pattern}")


def refers_to_postings(folder: Path) -> bool:
    """Whether a folder has an index of shared postings."""
    return (folder / WORDS).exists()


def write_words(folder: Path, kind: Kind, postings: Path, *, keep: Collection[str] = ()) -> None:
    """Writes an index of shared postings to a folder, unless it is there; removes generations of rows in it."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "features": kind.name,
        "parameters": kind.parameters,
        "postings": os.path.relpath(postings, folder),
    }
    if not _is_written(folder / WORDS, record):
        durable.write_checked(folder / WORDS, record)
    (folder / CURRENT).unlink(missing_ok=True)
    remove_generations(folder, keep=keep)


def remove_generations(folder: Path, *, keep: Collection[str] = ()) -> None:
    """Removes all generations but those to keep, and temporary files of killed writers; never files of others."""
    for path in folder.iterdir():
        if path.name not in keep and _is_generation(path):
            shutil.rmtree(path, ignore_errors=True)
        elif _LEFTOVER.fullmatch(path.name) and path.is_file():
            path.unlink(missing_ok=True)


def _is_written(path: Path, record: Mapping[str, Any]) -> bool:
    try:
        return durable.read_checked(path) == record
    except (OSError, ChecksumError):
        return False


def _is_generation(path: Path) -> bool:
    if not _GENERATION.fullmatch(path.name) or path.is_symlink() or not path.is_dir():
        return False
    return all(child.name == "features" or child.suffix in (".npy", ".json") for child in path.iterdir())


def read_record(folder: Path) -> tuple[str, Mapping[str, Any], Path]:
    """The name and parameters of the kind, and the folder of the postings."""
    try:
        record = durable.read_checked(folder / WORDS, unchecked=("features", "parameters", "postings"))
        return record["features"], dict(record["parameters"]), Path(os.path.normpath(folder / record["postings"]))
    except (OSError, ChecksumError, ValueError, KeyError, TypeError) as error:
        raise damaged_index(folder, str(error)) from None


def sharing(indexes: Path, postings: Path) -> Iterator[Path]:
    """The folders of all indexes of these postings."""
    for path in sorted(indexes.glob(f"*/{WORDS}")):
        try:
            _, _, shared = read_record(path.parent)
        except IndexingError:  # reported when that index is opened
            continue
        if shared == Path(os.path.normpath(postings)):
            yield path.parent
