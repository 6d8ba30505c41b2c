"""The folder with the postings of one library and section.

    full/
    ├── current             the name of the current snapshot
    ├── segments/3fa1…/     arrays and, written last, segment.json: immutable, named by a hash of the documents
    └── snapshots/77b0…/    masks of live documents, df, lengths and, written last, manifest.json

A snapshot is written next to the old one; then `current` is replaced atomically, and then unused files are removed. If
the process is killed at any moment, the folder has a snapshot that opens. Loading maps files and checks their sizes;
`verify` reads every byte.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from foreart import array_files, durable
from foreart.array_files import ArraysFile, Torn
from foreart.durable import ChecksumError
from foreart.errors import IndexingError
from foreart.index.storage.current_name import current_name, damaged_index
from foreart.index.storage.frequent import GRIDS, grids
from foreart.index.storage.manifest import FORM, Manifest, SegmentFile, WrongForm, weighting_of
from foreart.index.storage.matching import Strings, by_hash
from foreart.index.storage.segment import Segment, SegmentArrays
from foreart.index.storage.snapshot import Snapshot

SEGMENTS, SNAPSHOTS = "segments", "snapshots"
ARRAYS, LENGTHS = "arrays", "lengths"
_SEGMENT, _MANIFEST = "segment.json", "manifest.json"
# Bytes of the hash of id and content of a document, by which changed documents are recognised.
DIGEST = 16


@dataclass(frozen=True, eq=False)
class StoredSegment:
    """A segment on disk, with the arrays that only the store needs."""

    file: SegmentFile
    arrays: dict[str, np.ndarray]

    @cached_property
    def segment(self) -> Segment:
        """The inverted index."""
        return Segment(SegmentArrays(**{field.name: self.arrays[field.name] for field in fields(SegmentArrays)}))

    @cached_property
    def terms(self) -> Strings:
        """The terms, with their order by hash."""
        return Strings(*(self.arrays[f"term_{name}"] for name in ("letters", "ends", "order")))

    @property
    def digests(self) -> np.ndarray:
        """The hash of id and content of each document."""
        return self.arrays["digests"]

    def __len__(self) -> int:
        return self.file.documents


def segment_name(digests: np.ndarray, *, sections: str, cutting: str) -> str:
    """The name of a segment: a hash of its documents in order, so that equal segments have equal names."""
    digest = hashlib.blake2b(f"{FORM}\0{sections}\0{cutting}\0".encode(), digest_size=16)
    digest.update(np.ascontiguousarray(digests).data)
    return digest.hexdigest()


def write_segment(folder: Path, name: str, made: SegmentArrays, digests: np.ndarray) -> StoredSegment:
    """Writes a segment; if the process is killed or the disk is full, no segment is left."""
    order = by_hash(made.term_letters, made.term_ends)
    pieces = {**made.named(), "term_order": order, "digests": digests, **grids(made)}
    path = folder / SEGMENTS / name
    with durable.new_folder(path) as temporary:
        file = SegmentFile(name, len(digests), len(made.docs), array_files.write(temporary / ARRAYS, pieces))
        durable.write_checked(temporary / _SEGMENT, file.to_record())
    return open_segment(folder, file)


def move_segment(made: Path, folder: Path) -> StoredSegment:
    """Moves a finished segment to the postings in a folder; both are on one file system."""
    path = folder / SEGMENTS / made.name
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(path, ignore_errors=True)  # a damaged one: intact ones are not made again
    made.rename(path)
    durable.flush_folder(path.parent)
    return open_segment(folder, SegmentFile.from_record(durable.read_checked(path / _SEGMENT)))


def open_segment(folder: Path, file: SegmentFile) -> StoredSegment:
    """Maps a segment; raises `Torn` or OSError if it is incomplete."""
    return StoredSegment(file, array_files.read(folder / SEGMENTS / file.name / ARRAYS, file.arrays))


def kept_segment(folder: Path, name: str) -> StoredSegment | None:
    """A segment finished by an earlier, interrupted build, verified in full; None if there is no intact one."""
    path = folder / SEGMENTS / name
    try:
        file = SegmentFile.from_record(durable.read_checked(path / _SEGMENT))
        stored = open_segment(folder, file)
        return None if file.name != name or array_files.damaged(path / ARRAYS, file.arrays) else stored
    except (OSError, Torn, ChecksumError, TypeError, KeyError):
        return None


def load(folder: str | Path, snapshot: str = "") -> Snapshot:
    """Loads a snapshot, by default the current one; its arrays are memory-mapped and stay valid when it is removed."""
    path = Path(folder)
    if snapshot:
        try:
            return _opened(path, read_manifest(path, snapshot), snapshot)
        except (OSError, Torn, ValueError) as error:
            raise damaged_index(path, str(error)) from None
    name = current_name(path)
    while True:
        try:
            return _opened(path, read_manifest(path, name), name)
        except FileNotFoundError as error:
            # A new snapshot may have been published, and this one removed, since its name was read.
            now = current_name(path)
            if now == name:
                raise damaged_index(path, f"there is no {error.filename}") from None
            name = now
        except (OSError, Torn, ValueError) as error:
            raise damaged_index(path, str(error)) from None


def verify(folder: str | Path, snapshot: str = "") -> list[str]:
    """Reads every byte of a snapshot, by default the current one; returns a sentence for each damaged array."""
    path = Path(folder)
    try:
        name = snapshot or current_name(path)
        manifest = read_manifest(path, name)
        load(path, name)
        return [
            f"{file}: the array {array!r} does not match its checksum; remove {file.parent} and run `foreart build`"
            for file, known in files(path, name, manifest)
            for array in array_files.damaged(file, known)
        ]
    except IndexingError as error:
        return [str(error)]
    except FileNotFoundError as error:
        return [str(damaged_index(path, f"there is no {error.filename}"))]


def files(folder: Path, name: str, manifest: Manifest) -> Iterator[tuple[Path, ArraysFile]]:
    """The array files of a snapshot, and the recorded layout of each."""
    for segment in manifest.segments:
        yield folder / SEGMENTS / segment.name / ARRAYS, segment.arrays
    yield folder / SNAPSHOTS / name / ARRAYS, manifest.arrays
    if manifest.lengths is not None:
        yield folder / SNAPSHOTS / name / LENGTHS, manifest.lengths


def read_manifest(folder: Path, name: str = "") -> Manifest:
    """The manifest of a snapshot, by default the current one."""
    path = folder / SNAPSHOTS / (name or current_name(folder)) / _MANIFEST
    try:
        return Manifest.from_record(durable.read_checked(path))
    except WrongForm as error:
        raise IndexingError(
            f"{folder} was written by foreart {error} in a format that this version cannot read: "
            "rebuild it with `foreart build`"
        ) from None
    except (ChecksumError, ValueError) as error:
        raise damaged_index(folder, str(error)) from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Written last: completes a snapshot."""
    durable.write_checked(folder / _MANIFEST, manifest.to_record())


def snapshot_of(stored: list[StoredSegment], own: dict[str, np.ndarray], **others: Any) -> Snapshot:  # noqa: ANN401
    """A snapshot of stored segments and its own arrays, `df-0`, `alive-0`, …"""
    segments = tuple(each.segment for each in stored)
    alive = tuple(own.get(f"alive-{part}") for part in range(len(stored)))
    return Snapshot(
        segments=segments,
        alive=alive,
        df=tuple(own[f"df-{part}"] for part in range(len(stored))),
        grids={name: tuple(each.arrays[name] for each in stored) for name in GRIDS},
        **others,
    )


def _opened(folder: Path, manifest: Manifest, name: str) -> Snapshot:
    stored = [open_segment(folder, file) for file in manifest.segments]
    own = array_files.read(folder / SNAPSHOTS / name / ARRAYS, manifest.arrays)
    lengths: dict[str, list[np.ndarray]] = {}
    if manifest.lengths is not None:
        for key, array in array_files.read(folder / SNAPSHOTS / name / LENGTHS, manifest.lengths).items():
            lengths.setdefault(weighting_of(key), []).append(array)
    return snapshot_of(
        stored,
        own,
        documents=manifest.documents,
        words=manifest.words,
        lengths={key: tuple(arrays) for key, arrays in lengths.items()},
        manifest=manifest,
    )
