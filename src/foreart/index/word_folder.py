"""The folder of an index of words: which postings, under which weighting; the postings themselves are shared.

indexes/tfidf/words.json
postings/full/              see `postings.store`
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from foreart.durable import ASIDE, replace_text
from foreart.errors import ForeartError, IndexingError
from foreart.features import Features
from foreart.index.index_kinds import Kind, make_kind

WORDS = "words.json"
CURRENT = "current"
_GENERATION = re.compile("[0-9a-f]{16}")
_LEFT = re.compile(rf"current\.[0-9a-f]{{16}}|{ASIDE.pattern}")


def write_words(folder: Path, features: Kind, postings: Path) -> None:
    """Makes a folder an index of words; one of rows that was there before is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "features": features.name,
        "parameters": features.parameters,
        "postings": os.path.relpath(postings, folder),
    }
    replace_text(folder / WORDS, json.dumps(record, indent=1))
    (folder / CURRENT).unlink(missing_ok=True)
    remove_generations(folder)


def remove_generations(folder: Path, *, but: str = "") -> None:
    """Removes the generations of rows in a folder but one, and what killed writers left; nothing that is not ours."""
    for path in folder.iterdir():
        if path.name != but and _is_generation(path):
            shutil.rmtree(path, ignore_errors=True)
        elif _LEFT.fullmatch(path.name) and path.is_file():
            path.unlink(missing_ok=True)


def _is_generation(path: Path) -> bool:
    if not _GENERATION.fullmatch(path.name) or path.is_symlink() or not path.is_dir():
        return False
    return all(child.name == "features" or child.suffix in (".npy", ".json") for child in path.iterdir())


def read_words(folder: Path) -> tuple[Kind, Path]:
    """The features or passages that a folder names, and the folder of the postings."""
    try:
        record = json.loads((folder / WORDS).read_text("utf-8"))
        features = make_kind(record["features"], record["parameters"])
        return features, Path(os.path.normpath(folder / record["postings"]))
    except (OSError, ValueError, KeyError, TypeError, ForeartError) as error:
        raise IndexingError(
            f"{folder / WORDS} cannot be read ({type(error).__name__}): make it anew with `foreart build`"
        ) from None


def beside(folder: Path, postings: Path) -> Iterator[Features]:
    """The features of all indexes beside a folder that share its postings."""
    for path in sorted(folder.parent.glob(f"*/{WORDS}")):
        try:
            features, place = read_words(path.parent)
        except IndexingError:  # whoever asks for that one is told
            continue
        if isinstance(features, Features) and place == Path(os.path.normpath(postings)):
            yield features
