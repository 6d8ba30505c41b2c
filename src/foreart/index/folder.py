"""An index as a folder: arrays and JSON in a generation of their own, published by one rename.

    log-tfidf/
    ├── current      the name of the generation that holds
    └── 5f0c…/       arrays, features/, ids.json and, written last, index.json

A new generation is written beside the old one; then `current` is replaced, which happens whole or not at all, and only
then the old one goes. Killed at any moment, the folder has an index that opens.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from foreart import features as kinds
from foreart.errors import IndexError_
from foreart.features import Features, RowArray
from foreart.index.index import Description, Index
from foreart.index.rows import DenseRows, Rows, SparseRows

FORM = 2
_CURRENT = "current"


def write(
    folder: str | Path,
    rows: RowArray,
    ids: Sequence[str],
    features: Features,
    *,
    sections: str,
    corpus: str,
    groups: np.ndarray | None = None,
) -> Index:
    """Writes an index into a folder; one that stood there before holds until the new one is whole.

    `groups` says where the rows of each document begin, and where the last ends, if a document has several.
    """
    place = Path(folder)
    made = place / secrets.token_hex(8)
    made.mkdir(parents=True)
    try:
        features.save(made / "features")
        (made / "ids.json").write_text(json.dumps(list(ids), ensure_ascii=False), "utf-8")
        arrays = _arrays(rows, groups)
        for name, array in arrays.items():
            np.save(made / f"{name}.npy", array)
        description = Description(
            sections=sections,
            features=features.name,
            parameters=features.parameters,
            corpus=corpus,
            documents=len(ids),
            columns=int(rows.shape[1]),
            numbers=int(arrays["data"].size),
            fingerprint=_fingerprint(arrays, ids),
            foreart=version("foreart"),
            form=FORM,
        )
        (made / "index.json").write_text(json.dumps(description.to_record(), indent=1), "utf-8")
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
        arrays = {path.stem: np.load(path, mmap_mode="r") for path in sorted(place.glob("*.npy"))}
    except (OSError, ValueError, EOFError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None
    if not _whole(arrays, len(ids), description):
        raise _damaged(place, "its files are not of the sizes it describes")
    return Index(_rows(ids, arrays, description), kinds.load(place / "features"), description)


def _arrays(rows: RowArray, groups: np.ndarray | None) -> dict[str, np.ndarray]:
    """Single precision is enough: the error of a score is below 1e-6."""
    if isinstance(rows, np.ndarray):
        data = {"data": rows.astype(np.float32, copy=False)}
        return data if groups is None else {**data, "groups": np.asarray(groups, dtype=np.int64)}
    return {
        "data": rows.data.astype(np.float32),
        "columns": rows.indices.astype(np.int32),
        "ends": rows.indptr.astype(np.int64),
    }


def _rows(ids: list[str], arrays: dict[str, np.ndarray], description: Description) -> Rows:
    if "columns" in arrays:
        return SparseRows(ids, arrays["data"], arrays["columns"], arrays["ends"], width=description.columns)
    return DenseRows(ids, arrays["data"], arrays.get("groups"))


def _whole(arrays: dict[str, np.ndarray], ids: int, description: Description) -> bool:
    """Whether the files are of the sizes that are described."""
    data = arrays.get("data")
    if data is None or ids != description.documents or data.size != description.numbers:
        return False
    if data.ndim == 1:
        columns, ends = arrays.get("columns"), arrays.get("ends")
        return columns is not None and ends is not None and len(columns) == len(data) and len(ends) == ids + 1
    documents = len(arrays["groups"]) - 1 if "groups" in arrays else len(data)
    return documents == ids and data.shape[1] == description.columns


def _fingerprint(arrays: dict[str, np.ndarray], ids: Sequence[str]) -> str:
    """Equal for equal rows of equal ids: two builds can be compared without reading them."""
    digest = hashlib.blake2b("\n".join(ids).encode("utf-8", "replace"), digest_size=16)
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()


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
