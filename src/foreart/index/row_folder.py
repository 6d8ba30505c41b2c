"""The folder of an index of dense rows: generations of arrays and JSON, published by one rename.

    lsa/
    ├── current      the name of the generation in use
    └── 5f0c…/       arrays, features/ and, written last, index.json with the checksum of each file

A new generation is written next to the old one; then `current` is replaced atomically, and then the old generation is
removed. If the process is killed at any moment, the folder has an index that opens.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from foreart import features as kinds
from foreart.corpus.views.string_tables import IdTable, id_arrays
from foreart.durable import ChecksumError, flush_files, new_folder, read_checked, replace_text, write_checked
from foreart.errors import IndexingError
from foreart.features import Features
from foreart.index.dense.dense_rows import DenseRows, belong_together, storage_for, stored
from foreart.index.index import Description
from foreart.index.row_index import RowIndex
from foreart.index.storage.current_name import CURRENT, current_name, damaged_index
from foreart.index.word_folder import WORDS, remove_generations

FORM = 3
_INDEX = "index.json"
_IDS = "ids-"  # in the names of the files of ids
CONTENTS = "contents"
# The keys that foreart 0.1.0 wrote, without a checksum.
_KEYS = (*(field.name for field in fields(Description) if field.name != "drift"), "files")


def write(
    folder: str | Path,
    rows: np.ndarray,
    ids: Sequence[str],
    features: Features,
    *,
    sections: str,
    corpus: str,
    groups: np.ndarray | None = None,
    contents: np.ndarray | None = None,
    drift: Mapping[str, Any] | None = None,
    keep: Collection[str] = (),
) -> RowIndex:
    """Writes an index to a folder; the old one stays in use until the new one is complete.

    `groups` are the row offsets of documents, if they have several rows. `contents` are the hashes of documents, by
    which the next build recognises those that it need not encode. Generations `keep` are not removed.
    """
    target, name = Path(folder), secrets.token_hex(8)
    with new_folder(target / name) as made:
        features.save(made / "features")
        if contents is not None:
            np.save(made / f"{CONTENTS}.npy", contents)
        for array_name, array in id_arrays(IdTable.of(ids)).items():
            np.save(made / f"{_IDS}{array_name}.npy", array)
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
            drift=dict(drift or {}),
        )
        write_checked(made / _INDEX, {**description.to_record(), "files": _checksums(made)})
        flush_files(made)
    replace_text(target / CURRENT, name)
    (target / WORDS).unlink(missing_ok=True)
    remove_generations(target, keep={name, *keep})  # readers of an older one keep their open files
    return load_rows(target)


def load_rows(folder: Path, generation_name: str = "") -> RowIndex:
    """Loads a generation of an index, by default the current one; its arrays are memory-mapped."""
    generation = folder / (generation_name or current_name(folder))
    record = _record(generation)
    description = _description(record, generation)
    try:
        arrays = {path.stem: np.load(path, mmap_mode="r") for path in sorted(generation.glob("*.npy"))}
        ids = _ids(generation, arrays)
    except (OSError, ValueError, EOFError, KeyError) as error:
        raise damaged_index(generation, f"{type(error).__name__}: {error}") from None
    if not _sizes_match(arrays, len(ids), description):
        raise damaged_index(generation, "the sizes of its files do not match its description")
    contents = arrays.pop(CONTENTS, None)
    features = kinds.load(generation / "features")
    return RowIndex(DenseRows.of(ids, arrays), features, description, _model(record), contents)


def _ids(generation: Path, arrays: dict[str, np.ndarray]) -> IdTable:
    """Takes the ids out of the arrays; foreart 0.2.0 kept them as JSON."""
    old = generation / "ids.json"
    if old.exists():
        return IdTable.of(json.loads(old.read_text("utf-8")))
    return IdTable(**{name: arrays.pop(f"{_IDS}{name}") for name in id_arrays(IdTable.of(()))})


def verify_rows(folder: Path, generation_name: str = "") -> list[str]:
    """Reads every byte of a generation, by default the current one; one sentence for each damaged file."""
    try:
        generation = folder / (generation_name or current_name(folder))
        known = _record(generation)["files"]
    except IndexingError as error:
        return [str(error)]
    found = _checksums(generation)
    return [
        f"{generation / name} does not match its checksum; rebuild the index with `foreart build`"
        for name, checksum in known.items()
        if found.get(name) != checksum
    ]


def _model(record: dict[str, Any]) -> str:
    """A hash of the files of the features."""
    files = {name: checksum for name, checksum in record["files"].items() if name.startswith("features/")}
    return hashlib.blake2b(json.dumps(files, sort_keys=True).encode(), digest_size=16).hexdigest()


def _checksums(generation: Path) -> dict[str, str]:
    """The checksum of each file of a generation, except index.json, which stores them."""
    files = sorted(path for path in generation.rglob("*") if path.is_file() and path != generation / _INDEX)
    return {path.relative_to(generation).as_posix(): _checksum(path) for path in files}


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _sizes_match(arrays: dict[str, np.ndarray], ids: int, description: Description) -> bool:
    """Whether the arrays have the described sizes."""
    data = arrays.get("data")
    if data is None or ids != description.documents or data.size != description.numbers:
        return False
    return belong_together(arrays, documents=ids, columns=description.columns)


def _fingerprint(arrays: dict[str, np.ndarray], ids: Sequence[str]) -> str:
    """Equal for equal rows and ids, so that builds can be compared without reading them."""
    digest = hashlib.blake2b("\n".join(ids).encode("utf-8", "replace"), digest_size=16)
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()


def _record(generation: Path) -> dict[str, Any]:
    path = generation / _INDEX
    try:
        record = json.loads(path.read_bytes())
        if record["form"] == FORM:
            return read_checked(path, unchecked=_KEYS)
    except ChecksumError as error:
        raise damaged_index(generation, str(error)) from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged_index(generation, f"{type(error).__name__}: {error}") from None
    raise IndexingError(
        f"{generation} was written by foreart {record.get('foreart', '(unknown)')} in a format that this version "
        "cannot read: rebuild it with `foreart build`"
    )


def _description(record: dict[str, Any], generation: Path) -> Description:
    try:
        return Description(**{name: value for name, value in record.items() if name != "files"})
    except TypeError as error:
        raise damaged_index(generation, str(error)) from None
