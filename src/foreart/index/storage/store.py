"""The postings of one library and one text section, as a folder.

    full/
    ├── current             the name of the snapshot that holds
    ├── segments/3fa1…/     arrays, and written last segment.json: never changed, named after the documents in it
    └── snapshots/77b0…/    which documents live, df, lengths, and written last manifest.json

A snapshot is written beside the old one; then `current` is replaced, which happens whole or not at all, and only then
what nobody needs goes. Killed at any moment, the folder has a snapshot that opens. Loading maps files and checks their
sizes; `verify` reads them and checks every byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from foreart import array_files, durable
from foreart.array_files import ArraysFile, Torn
from foreart.durable import Unsealed
from foreart.errors import IndexingError
from foreart.index.storage.frequent import GRIDS, grids
from foreart.index.storage.manifest import FORM, Manifest, SegmentFile, WrongForm, weighting_of
from foreart.index.storage.matching import Strings, by_hash
from foreart.index.storage.segment import Segment, SegmentArrays
from foreart.index.storage.snapshot import Snapshot

CURRENT, SEGMENTS, SNAPSHOTS = "current", "segments", "snapshots"
ARRAYS, LENGTHS = "arrays", "lengths"
_SEGMENT, _MANIFEST = "segment.json", "manifest.json"
# Hash of id and content of a document: what tells whether it has to be read again.
DIGEST = 16


@dataclass(frozen=True, eq=False)
class Stored:
    """A segment that lies on disk, with what only the store needs of it."""

    file: SegmentFile
    arrays: dict[str, np.ndarray]

    @cached_property
    def segment(self) -> Segment:
        """Its words and ids."""
        return Segment(SegmentArrays(**{field.name: self.arrays[field.name] for field in fields(SegmentArrays)}))

    @cached_property
    def terms(self) -> Strings:
        """Its terms, with their order by hash."""
        return Strings(*(self.arrays[f"term_{name}"] for name in ("letters", "ends", "order")))

    @property
    def digests(self) -> np.ndarray:
        """Its documents' hashes of id and content."""
        return self.arrays["digests"]

    def __len__(self) -> int:
        return self.file.documents


def segment_name(digests: np.ndarray, *, sections: str, cutting: str) -> str:
    """The name of a segment of these documents in this order: whoever makes it, makes the same."""
    digest = hashlib.blake2b(f"{FORM}\0{sections}\0{cutting}\0".encode(), digest_size=16)
    digest.update(np.ascontiguousarray(digests).data)
    return digest.hexdigest()


def write_segment(place: Path, name: str, made: SegmentArrays, digests: np.ndarray) -> Stored:
    """Puts a segment on the disk; killed or out of space, there is none."""
    order = by_hash(made.term_letters, made.term_ends)
    pieces = {**made.named(), "term_order": order, "digests": digests, **grids(made)}
    folder = place / SEGMENTS / name
    with durable.new_folder(folder) as beside:
        file = SegmentFile(name, len(digests), len(made.docs), array_files.write(beside / ARRAYS, pieces))
        durable.write_sealed(beside / _SEGMENT, file.to_record())
    return open_segment(place, file)


def open_segment(place: Path, file: SegmentFile) -> Stored:
    """A segment, mapped; `Torn` or OSError if it is not whole."""
    return Stored(file, array_files.read(place / SEGMENTS / file.name / ARRAYS, file.arrays))


def kept_segment(place: Path, name: str) -> Stored | None:
    """A segment that an earlier work has finished, every byte of it checked; None if there is none that is sound."""
    folder = place / SEGMENTS / name
    try:
        file = SegmentFile.from_record(durable.read_sealed(folder / _SEGMENT))
        stored = open_segment(place, file)
        return None if file.name != name or array_files.damaged(folder / ARRAYS, file.arrays) else stored
    except (OSError, Torn, Unsealed, TypeError, KeyError):
        return None


def load(folder: str | Path) -> Snapshot:
    """The snapshot that holds. Its arrays stay in their files, which it keeps, whatever is published meanwhile."""
    place = Path(folder)
    name = current(place)
    while True:
        try:
            return _opened(place, read_manifest(place, name), name)
        except FileNotFoundError as error:
            # Another one may have been published, and this one removed, since its name was read.
            now = current(place)
            if now == name:
                raise _damaged(place, f"there is no {error.filename}") from None
            name = now
        except (OSError, Torn, ValueError) as error:
            raise _damaged(place, str(error)) from None


def verify(folder: str | Path) -> list[str]:
    """Reads every byte of the snapshot that holds; a sentence for each array that is damaged, none if it is sound."""
    place = Path(folder)
    try:
        name = current(place)
        manifest = read_manifest(place, name)
        load(place)
        return [
            f"{file}: the array {array!r} is not as it was written; remove {file.parent} and run `foreart build`"
            for file, known in files(place, name, manifest)
            for array in array_files.damaged(file, known)
        ]
    except IndexingError as error:
        return [str(error)]
    except FileNotFoundError as error:
        return [str(_damaged(place, f"there is no {error.filename}"))]


def files(place: Path, name: str, manifest: Manifest) -> Iterator[tuple[Path, ArraysFile]]:
    """The files of arrays of a snapshot, and what is known of each."""
    for segment in manifest.segments:
        yield place / SEGMENTS / segment.name / ARRAYS, segment.arrays
    yield place / SNAPSHOTS / name / ARRAYS, manifest.arrays
    if manifest.lengths is not None:
        yield place / SNAPSHOTS / name / LENGTHS, manifest.lengths


def read_manifest(place: Path, name: str = "") -> Manifest:
    """What the snapshot of a name says of itself, the one that holds if none is given."""
    path = place / SNAPSHOTS / (name or current(place)) / _MANIFEST
    try:
        return Manifest.from_record(durable.read_sealed(path))
    except WrongForm as error:
        raise IndexingError(
            f"{place} was made by foreart {error} in a form this one cannot read: make it anew with `foreart build`"
        ) from None
    except (Unsealed, ValueError) as error:
        raise _damaged(place, str(error)) from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """The last thing written of a snapshot."""
    durable.write_sealed(folder / _MANIFEST, manifest.to_record())


def snapshot_of(stored: list[Stored], own: dict[str, np.ndarray], **others: Any) -> Snapshot:  # noqa: ANN401
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


def _opened(place: Path, manifest: Manifest, name: str) -> Snapshot:
    stored = [open_segment(place, file) for file in manifest.segments]
    own = array_files.read(place / SNAPSHOTS / name / ARRAYS, manifest.arrays)
    lengths: dict[str, list[np.ndarray]] = {}
    if manifest.lengths is not None:
        for key, array in array_files.read(place / SNAPSHOTS / name / LENGTHS, manifest.lengths).items():
            lengths.setdefault(weighting_of(key), []).append(array)
    return snapshot_of(
        stored,
        own,
        documents=manifest.documents,
        words=manifest.words,
        lengths={key: tuple(arrays) for key, arrays in lengths.items()},
        manifest=manifest,
    )


def current(place: Path) -> str:
    """The name of the snapshot that holds."""
    try:
        return (place / CURRENT).read_text("utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise IndexingError(f"there is no index at {place}: make one with `foreart build`") from None
    except (OSError, ValueError) as error:
        raise _damaged(place, f"{type(error).__name__}: {error}") from None


def _damaged(place: Path, reason: str) -> IndexingError:
    return IndexingError(f"{place}: the index is damaged ({reason}); make it anew with `foreart build`")
