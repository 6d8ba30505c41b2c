"""Publishes segments as the current snapshot: statistics, lengths, manifest, and one rename."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from foreart import array_files, durable
from foreart.array_files import ArraysFile
from foreart.errors import IndexingError
from foreart.index.storage import store
from foreart.index.storage.current_name import CURRENT, current_name
from foreart.index.storage.document_frequencies import (
    PreviousStatistics,
    TermStatistics,
    live_words,
    local_frequencies,
    sum_frequencies,
)
from foreart.index.storage.manifest import Manifest, fingerprint, length_name
from foreart.index.storage.matching import AT_ONCE
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.store import ARRAYS, LENGTHS, SEGMENTS, SNAPSHOTS, StoredSegment

_FREQUENCIES = "frequencies"  # temporary, while they are summed
# Names of snapshots and segments, complete or partial (`.part` in foreart 0.1).
_OURS = re.compile(rf"([0-9a-f]{{16}}|[0-9a-f]{{32}})(\.part)?|{durable.TEMPORARY.pattern}")


@dataclass(frozen=True, slots=True)
class Measured:
    """Values computed from a snapshot before it is published, and stored with it.

    `lengths` has for each weighting one array per segment, with a value per document; `recall` is any JSON value.
    """

    lengths: Mapping[str, Sequence[np.ndarray]] = field(default_factory=dict)
    recall: Mapping[str, Any] = field(default_factory=dict)


Measure = Callable[[Snapshot], Measured]


@dataclass(frozen=True, slots=True)
class SnapshotSource:
    """The source of a snapshot: sections, tokenizer (`cutting`), and the fingerprint of the corpus."""

    sections: str
    cutting: str
    corpus: str


def publish(
    folder: Path,
    stored: Sequence[StoredSegment],
    alive: Sequence[np.ndarray | None],
    source: SnapshotSource,
    *,
    measure: Measure | None = None,
    keep: Collection[str] = (),
    at_once: int = AT_ONCE,
) -> Manifest:
    """Publishes these segments, and removes files that neither they nor the snapshots `keep` need."""
    kept, masks = _with_live_documents(stored, alive)
    name = secrets.token_hex(8)
    with durable.new_folder(folder / SNAPSHOTS / name) as temporary:
        statistics, known = _own_arrays(folder, temporary, kept, masks, at_once)
        manifest = Manifest(
            sections=source.sections,
            cutting=source.cutting,
            corpus=source.corpus,
            documents=statistics.documents,
            words=statistics.words,
            segments=tuple(each.file for each in kept),
            statistics=statistics,
            arrays=known,
            lengths=None,
            recall={},
            fingerprint=fingerprint([*(each.file.arrays for each in kept), known]),
            foreart=version("foreart"),
        )
        if measure is not None:
            manifest = _measured(temporary, kept, manifest, measure)
        store.write_manifest(temporary, manifest)
    durable.replace_text(folder / CURRENT, name)
    sweep(folder, manifest, keep=keep)
    return manifest


def sweep(folder: Path, manifest: Manifest, *, keep: Collection[str] = ()) -> None:
    """Removes old and partial snapshots, segments and files, except the snapshots `keep`. Readers keep open files."""
    for leftover in folder.iterdir():
        if durable.TEMPORARY.fullmatch(leftover.name):
            leftover.unlink(missing_ok=True)
    wanted = {folder / SEGMENTS / segment.name for segment in manifest.segments}
    wanted.add(folder / SNAPSHOTS / current_name(folder))
    for name in keep:
        wanted.add(folder / SNAPSHOTS / name)
        with suppress(IndexingError, OSError):
            wanted |= {folder / SEGMENTS / segment.name for segment in store.read_manifest(folder, name).segments}
    for parent in (SNAPSHOTS, SEGMENTS):
        for path in (folder / parent).iterdir():
            if path not in wanted and _OURS.fullmatch(path.name):
                shutil.rmtree(path, ignore_errors=True)


def _with_live_documents(
    stored: Sequence[StoredSegment], alive: Sequence[np.ndarray | None]
) -> tuple[list[StoredSegment], list[np.ndarray | None]]:
    """Drops segments without live documents, and masks without deleted ones."""
    pairs = [(each, mask) for each, mask in zip(stored, alive, strict=True) if mask is None or mask.any()]
    return [each for each, _ in pairs], [None if mask is None or mask.all() else mask for _, mask in pairs]


def _own_arrays(
    folder: Path, temporary: Path, stored: Sequence[StoredSegment], alive: Sequence[np.ndarray | None], at_once: int
) -> tuple[TermStatistics, ArraysFile]:
    """Sums the frequencies, and writes them with the masks of live documents."""
    segments = [each.segment for each in stored]
    df = _local(temporary / _FREQUENCIES, stored, alive)
    statistics = sum_frequencies(
        [each.terms for each in stored],
        df,
        documents=sum(len(each) if mask is None else int(mask.sum()) for each, mask in zip(stored, alive, strict=True)),
        words=live_words(segments, alive),
        before=_before(folder, stored),
        at_once=at_once,
    )
    own = {f"alive-{part}": mask for part, mask in enumerate(alive) if mask is not None}
    own |= {f"df-{part}": counts for part, counts in enumerate(df)}
    known = array_files.write(temporary / ARRAYS, own)
    del own, df  # the mapping of the file that is removed next
    (temporary / _FREQUENCIES).unlink()
    return statistics, known


def _local(path: Path, stored: Sequence[StoredSegment], alive: Sequence[np.ndarray | None]) -> list[np.ndarray]:
    """The frequencies in each segment, in a file that is mapped for writing.

    They are written first, so that a full disk is an error; writing to an unallocated mapping would kill the process.
    """
    ends = [0]
    with path.open("xb") as file:
        for each, mask in zip(stored, alive, strict=True):
            file.write(local_frequencies(each.segment, mask).data)
            ends.append(file.tell() // 4)
        file.write(bytes(4))  # an empty file cannot be mapped
    mapped = np.memmap(path, dtype=np.uint32, mode="r+")
    return [mapped[start:end] for start, end in pairwise(ends)]


def _before(folder: Path, stored: Sequence[StoredSegment]) -> PreviousStatistics | None:
    """The statistics of the current snapshot, if it can be read."""
    try:
        snapshot = store.load(folder)
    except IndexingError:
        return None
    known = {file.name: df for file, df in zip(_manifest(snapshot).segments, snapshot.df, strict=True)}
    return PreviousStatistics(snapshot.documents, [known.get(each.file.name) for each in stored])


def _manifest(snapshot: Snapshot) -> Manifest:
    assert snapshot.manifest is not None
    return snapshot.manifest


def _measured(temporary: Path, stored: Sequence[StoredSegment], manifest: Manifest, measure: Measure) -> Manifest:
    own = array_files.read(temporary / ARRAYS, manifest.arrays)
    snapshot = store.snapshot_of(
        list(stored), own, documents=manifest.documents, words=manifest.words, manifest=manifest
    )
    measured = measure(snapshot)
    if not measured.lengths:
        return replace(manifest, recall=dict(measured.recall))
    pieces = {
        length_name(weighting, part): array
        for weighting, arrays in measured.lengths.items()
        for part, array in enumerate(arrays)
    }
    lengths = array_files.write(temporary / LENGTHS, pieces)
    return replace(manifest, recall=dict(measured.recall), lengths=lengths)
