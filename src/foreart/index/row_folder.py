"""The folder of an index of dense rows: arrays and JSON in a generation, published by one rename.

    lsa/
    ├── current      the name of the generation in use
    └── 5f0c…/       arrays, features/, ids.json and, written last, index.json with the checksum of each file

A new generation is written beside the old one; then `current` is replaced atomically, and only then the old one is
removed. Killed at any moment, the folder has an index that opens.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from foreart import features as kinds
from foreart.durable import flush, flush_folder, new_folder, replace_text
from foreart.errors import IndexingError
from foreart.features import Features
from foreart.index.dense.dense_rows import DenseRows, belong_together, storage_for, stored
from foreart.index.index import Description, Index
from foreart.index.row_index import RowIndex
from foreart.index.word_folder import CURRENT, WORDS, remove_generations

FORM = 3


def write(
    folder: str | Path,
    rows: np.ndarray,
    ids: Sequence[str],
    features: Features,
    *,
    sections: str,
    corpus: str,
    groups: np.ndarray | None = None,
) -> Index:
    """Writes an index into a folder; an older one stays in use until the new one is complete.

    `groups` has the first row of each document and the number of all rows, if a document has several rows.
    """
    place, name = Path(folder), secrets.token_hex(8)
    with new_folder(place / name) as made:
        features.save(made / "features")
        (made / "ids.json").write_text(json.dumps(list(ids), ensure_ascii=False), "utf-8")
        arrays = stored(rows, groups, storage=storage_for(len(rows)))
        for array_name, array in arrays.items():
            np.save(made / f"{array_name}.npy", array)
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
        record = {**description.to_record(), "files": _checksums(made)}
        (made / "index.json").write_text(json.dumps(record, indent=1), "utf-8")
        _flush(made)
    replace_text(place / CURRENT, name)
    (place / WORDS).unlink(missing_ok=True)
    remove_generations(place, but=name)  # readers of an older one keep the files they have open
    return load_rows(place)


def load_rows(folder: Path) -> Index:
    """The index of a folder; its arrays stay in their files and are read when they are needed."""
    place = _generation(folder)
    description = _description(_record(place), place)
    try:
        ids = json.loads((place / "ids.json").read_text("utf-8"))
        arrays = {path.stem: np.load(path, mmap_mode="r") for path in sorted(place.glob("*.npy"))}
    except (OSError, ValueError, EOFError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None
    if not _whole(arrays, len(ids), description):
        raise _damaged(place, "its files are not of the sizes it describes")
    return RowIndex(DenseRows.of(ids, arrays), kinds.load(place / "features"), description)


def verify_rows(folder: Path) -> list[str]:
    """Reads every byte of an index; one sentence for each damaged file."""
    try:
        place = _generation(folder)
        known = _record(place)["files"]
    except IndexingError as error:
        return [str(error)]
    found = _checksums(place)
    return [
        f"{place / name} is not as it was written; make the index anew with `foreart build`"
        for name, checksum in known.items()
        if found.get(name) != checksum
    ]


def _checksums(place: Path) -> dict[str, str]:
    """The checksum of each file of a generation, except the one that holds them."""
    files = sorted(path for path in place.rglob("*") if path.is_file() and path != place / "index.json")
    return {path.relative_to(place).as_posix(): _checksum(path) for path in files}


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _whole(arrays: dict[str, np.ndarray], ids: int, description: Description) -> bool:
    """Whether the files are of the sizes that are described."""
    data = arrays.get("data")
    if data is None or ids != description.documents or data.size != description.numbers:
        return False
    return belong_together(arrays, documents=ids, columns=description.columns)


def _fingerprint(arrays: dict[str, np.ndarray], ids: Sequence[str]) -> str:
    """Equal for equal rows and ids, so that two builds can be compared without reading them."""
    digest = hashlib.blake2b("\n".join(ids).encode("utf-8", "replace"), digest_size=16)
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()


def _flush(made: Path) -> None:
    """Waits until the disk has all files of a generation."""
    for path in made.rglob("*"):
        if path.is_dir():
            flush_folder(path)
        else:
            with path.open("rb") as file:
                flush(file)


def _generation(place: Path) -> Path:
    try:
        return place / (place / CURRENT).read_text("utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise IndexingError(f"there is no index at {place}: make one with `foreart build`") from None
    except (OSError, ValueError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None


def _record(place: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((place / "index.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None
    if record.get("form") != FORM:
        raise IndexingError(
            f"{place} was made by foreart {record.get('foreart', '(unknown)')} in a form this one cannot read: "
            "make it anew with `foreart build`"
        )
    return record


def _description(record: dict[str, Any], place: Path) -> Description:
    try:
        return Description(**{name: value for name, value in record.items() if name != "files"})
    except TypeError as error:
        raise _damaged(place, str(error)) from None


def _damaged(place: Path, reason: str) -> IndexingError:
    return IndexingError(f"{place}: the index is damaged ({reason}); make it anew with `foreart build`")
