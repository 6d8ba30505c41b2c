"""An index as a folder: arrays and JSON in a generation of their own, published by one rename.

    log-tfidf/
    ├── current      the name of the generation that holds
    └── 5f0c…/       arrays, features/, ids.json and, written last, index.json

A new generation is written beside the old one; then `current` is replaced, which happens whole or not at all, and only
then the old one goes. Killed at any moment, the folder has an index that opens.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart import features as kinds
from foreart.errors import IndexError_
from foreart.features import Features
from foreart.index.index import Description, Index
from foreart.index.rows import Rows

FORM = 1
_CURRENT = "current"


def write(
    folder: str | Path, rows: csr_array, ids: Sequence[str], features: Features, *, sections: str, corpus: str
) -> Index:
    """Writes an index into a folder; one that stood there before holds until the new one is whole."""
    place = Path(folder)
    made = place / secrets.token_hex(8)
    made.mkdir(parents=True)
    try:
        _write_parts(made, rows, ids, features, sections=sections, corpus=corpus)
        _publish(made, place)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return load(place)


def load(folder: str | Path) -> Index:
    """The index of a folder; its arrays stay in their files and are read when they are needed."""
    place = _generation(Path(folder))
    description = _description(place)
    try:
        ids = json.loads((place / "ids.json").read_text("utf-8"))
        data, columns, ends = (np.load(place / f"{name}.npy", mmap_mode="r") for name in ("data", "columns", "ends"))
    except (OSError, ValueError, EOFError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None
    sizes = (len(ids), len(ends) - 1, len(data), len(columns))
    if sizes != (description.documents, description.documents, description.postings, description.postings):
        raise _damaged(place, "its files are not of the sizes it describes")
    rows = Rows(ids, data, columns, ends, width=description.terms)
    return Index(rows, kinds.load(place / "features"), description)


def _write_parts(
    made: Path, rows: csr_array, ids: Sequence[str], features: Features, *, sections: str, corpus: str
) -> None:
    features.save(made / "features")
    (made / "ids.json").write_text(json.dumps(list(ids), ensure_ascii=False), "utf-8")
    np.save(made / "data.npy", rows.data.astype(np.float32))
    np.save(made / "columns.npy", rows.indices.astype(np.int32))
    np.save(made / "ends.npy", rows.indptr.astype(np.int64))
    description = Description(
        sections=sections,
        features=features.name,
        parameters=features.parameters,
        corpus=corpus,
        documents=len(ids),
        terms=rows.shape[1],
        postings=rows.nnz,
        foreart=version("foreart"),
        form=FORM,
    )
    (made / "index.json").write_text(json.dumps(description.to_record(), indent=1), "utf-8")


def _publish(made: Path, place: Path) -> None:
    """Lets the new generation hold and removes all others. Readers of an older one keep the files they have open."""
    for file in made.rglob("*.*"):
        _to_disk(file)
    name = place / f"{_CURRENT}.{made.name}"
    name.write_text(made.name, "utf-8")
    _to_disk(name)
    name.replace(place / _CURRENT)
    for other in place.iterdir():
        if other.is_dir() and other != made:
            shutil.rmtree(other, ignore_errors=True)


def _generation(place: Path) -> Path:
    try:
        return place / (place / _CURRENT).read_text("utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise IndexError_(f"there is no index at {place}: make one with `foreart build`") from None
    except (OSError, ValueError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None


def _to_disk(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _description(place: Path) -> Description:
    try:
        record: dict[str, Any] = json.loads((place / "index.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None
    if record.get("form") != FORM:
        raise IndexError_(
            f"{place} was made by foreart {record.get('foreart', '(unknown)')} in a form this one cannot read: "
            "make it anew with `foreart build`"
        )
    try:
        return Description(**record)
    except TypeError as error:
        raise _damaged(place, str(error)) from None


def _damaged(place: Path, reason: str) -> IndexError_:
    return IndexError_(f"{place}: the index is damaged ({reason}); make it anew with `foreart build`")
