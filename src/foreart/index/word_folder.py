"""The folder of an index of words: which postings, under which weighting; the postings themselves are shared.

indexes/tfidf/words.json
postings/full/              see `postings.store`
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from foreart.errors import ForeartError, IndexError_
from foreart.features import Features
from foreart.index.kinds import Kind, make_kind
from foreart.index.postings.durable import replace_text

WORDS = "words.json"


def write_words(folder: Path, features: Kind, postings: Path) -> None:
    """Lets a folder name postings and a weighting; what else it held goes."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "features": features.name,
        "parameters": features.parameters,
        "postings": os.path.relpath(postings, folder),
    }
    replace_text(folder / WORDS, json.dumps(record, indent=1))
    for other in folder.iterdir():
        if other.is_dir():
            shutil.rmtree(other, ignore_errors=True)
        elif other.name != WORDS:
            other.unlink(missing_ok=True)


def read_words(folder: Path) -> tuple[Kind, Path]:
    """The features or passages that a folder names, and the folder of the postings."""
    try:
        record = json.loads((folder / WORDS).read_text("utf-8"))
        features = make_kind(record["features"], record["parameters"])
        return features, Path(os.path.normpath(folder / record["postings"]))
    except (OSError, ValueError, KeyError, TypeError, ForeartError) as error:
        raise IndexError_(
            f"{folder / WORDS} cannot be read ({type(error).__name__}): make it anew with `foreart build`"
        ) from None


def beside(folder: Path, postings: Path) -> Iterator[Features]:
    """The features of all indexes beside a folder that share its postings."""
    for path in sorted(folder.parent.glob(f"*/{WORDS}")):
        try:
            features, place = read_words(path.parent)
        except IndexError_:  # whoever asks for that one is told
            continue
        if isinstance(features, Features) and place == Path(os.path.normpath(postings)):
            yield features
