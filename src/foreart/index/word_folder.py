"""The folder of an index that searches shared postings: which postings, under which weighting.

indexes/tfidf/words.json
postings/full/              see `storage.store`
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from foreart import durable
from foreart.durable import ASIDE, Unsealed
from foreart.errors import IndexingError
from foreart.index.index_kinds import Kind

WORDS = "words.json"
CURRENT = "current"
# Generations of rows, whole or half-written.
_GENERATION = re.compile(rf"[0-9a-f]{{16}}|{ASIDE.pattern}")
_LEFT = re.compile(rf"current\.[0-9a-f]{{16}}|{ASIDE.pattern}")


def is_named(folder: Path) -> bool:
    """Whether the index of a folder searches shared postings."""
    return (folder / WORDS).exists()


def write_words(folder: Path, kind: Kind, postings: Path) -> None:
    """Makes a folder the index of a kind over postings; generations of rows in it are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "features": kind.name,
        "parameters": kind.parameters,
        "postings": os.path.relpath(postings, folder),
    }
    durable.write_sealed(folder / WORDS, record)
    (folder / CURRENT).unlink(missing_ok=True)
    remove_generations(folder)


def remove_generations(folder: Path, *, but: str = "") -> None:
    """Removes all generations of rows in a folder but one, and what killed writers left; only files that we wrote."""
    for path in folder.iterdir():
        if path.name != but and _is_generation(path):
            shutil.rmtree(path, ignore_errors=True)
        elif _LEFT.fullmatch(path.name) and path.is_file():
            path.unlink(missing_ok=True)


def _is_generation(path: Path) -> bool:
    if not _GENERATION.fullmatch(path.name) or path.is_symlink() or not path.is_dir():
        return False
    return all(child.name == "features" or child.suffix in (".npy", ".json") for child in path.iterdir())


def read_record(folder: Path) -> tuple[str, Mapping[str, Any], Path]:
    """The name and parameters of the kind that a folder names, and the folder of the postings."""
    try:
        record = _unsealed(folder / WORDS)
        return record["features"], dict(record["parameters"]), Path(os.path.normpath(folder / record["postings"]))
    except (OSError, Unsealed, ValueError, KeyError, TypeError, RecursionError) as error:
        raise IndexingError(
            f"{folder / WORDS} cannot be read ({type(error).__name__}: {error}): make it anew with `foreart build`"
        ) from None


def sharing(indexes: Path, postings: Path) -> Iterator[Path]:
    """The folders of all indexes that search these postings."""
    for path in sorted(indexes.glob(f"*/{WORDS}")):
        try:
            _, _, place = read_record(path.parent)
        except IndexingError:  # reported when that index is opened
            continue
        if place == Path(os.path.normpath(postings)):
            yield path.parent


def _unsealed(path: Path) -> dict[str, Any]:
    """The record of a file; foreart 0.1.0 wrote it without a checksum."""
    record = json.loads(path.read_bytes())
    return durable.read_sealed(path) if "checksum" in record else dict(record)
