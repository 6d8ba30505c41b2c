"""Segments become the snapshot that holds: statistics, lengths, manifest, and one rename."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
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
from foreart.index.storage.document_frequencies import Before, TermStatistics, living_words, local_frequencies, spread
from foreart.index.storage.manifest import Manifest, fingerprint, length_name
from foreart.index.storage.matching import AT_ONCE
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.store import ARRAYS, CURRENT, LENGTHS, SEGMENTS, SNAPSHOTS, Stored

_FREQUENCIES = "frequencies"  # while they are summed up
# Names of snapshots and segments, whole or half-written (`.part` by foreart 0.1).
_OURS = re.compile(rf"([0-9a-f]{{16}}|[0-9a-f]{{32}})(\.part)?|{durable.ASIDE.pattern}")


@dataclass(frozen=True, slots=True)
class Measured:
    """What is computed of a snapshot before it is published, and kept with it.

    `lengths` has for each weighting an array for each segment, with a number for each document; `recall` is anything
    JSON can hold.
    """

    lengths: Mapping[str, Sequence[np.ndarray]] = field(default_factory=dict)
    recall: Mapping[str, Any] = field(default_factory=dict)


Measure = Callable[[Snapshot], Measured]


@dataclass(frozen=True, slots=True)
class About:
    """Of what a snapshot is made: sections, cutting, and the fingerprint of the corpus."""

    sections: str
    cutting: str
    corpus: str


def publish(
    place: Path,
    stored: Sequence[Stored],
    alive: Sequence[np.ndarray | None],
    about: About,
    *,
    measure: Measure | None = None,
    at_once: int = AT_ONCE,
) -> Manifest:
    """Lets these segments hold from now on, and removes what nobody needs any more."""
    kept, masks = _living(stored, alive)
    name = secrets.token_hex(8)
    with durable.new_folder(place / SNAPSHOTS / name) as beside:
        statistics, known = _own_arrays(place, beside, kept, masks, at_once)
        manifest = Manifest(
            sections=about.sections,
            cutting=about.cutting,
            corpus=about.corpus,
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
            manifest = _measured(beside, kept, manifest, measure)
        store.write_manifest(beside, manifest)
    durable.replace_text(place / CURRENT, name)
    sweep(place, manifest)
    return manifest


def sweep(place: Path, manifest: Manifest) -> None:
    """Removes old and half-written snapshots, segments and files. Readers keep the files they have open."""
    for left in place.iterdir():
        if durable.ASIDE.fullmatch(left.name):
            left.unlink(missing_ok=True)
    wanted = {place / SEGMENTS / segment.name for segment in manifest.segments}
    wanted.add(place / SNAPSHOTS / store.current(place))
    for parent in (SNAPSHOTS, SEGMENTS):
        for folder in (place / parent).iterdir():
            if folder not in wanted and _OURS.fullmatch(folder.name):
                shutil.rmtree(folder, ignore_errors=True)


def _living(
    stored: Sequence[Stored], alive: Sequence[np.ndarray | None]
) -> tuple[list[Stored], list[np.ndarray | None]]:
    """Without the segments that have no living document; a mask of living documents only is none."""
    pairs = [(each, mask) for each, mask in zip(stored, alive, strict=True) if mask is None or mask.any()]
    return [each for each, _ in pairs], [None if mask is None or mask.all() else mask for _, mask in pairs]


def _own_arrays(
    place: Path, beside: Path, stored: Sequence[Stored], alive: Sequence[np.ndarray | None], at_once: int
) -> tuple[TermStatistics, ArraysFile]:
    """Sums up the frequencies and writes them, and which documents live."""
    segments = [each.segment for each in stored]
    df = _local(beside / _FREQUENCIES, stored, alive)
    statistics = spread(
        [each.terms for each in stored],
        df,
        documents=sum(len(each) if mask is None else int(mask.sum()) for each, mask in zip(stored, alive, strict=True)),
        words=living_words(segments, alive),
        before=_before(place, stored),
        at_once=at_once,
    )
    own = {f"alive-{part}": mask for part, mask in enumerate(alive) if mask is not None}
    own |= {f"df-{part}": counts for part, counts in enumerate(df)}
    known = array_files.write(beside / ARRAYS, own)
    del own, df  # the map of the file that goes now
    (beside / _FREQUENCIES).unlink()
    return statistics, known


def _local(path: Path, stored: Sequence[Stored], alive: Sequence[np.ndarray | None]) -> list[np.ndarray]:
    """The frequencies in each segment, in a file that is mapped for writing.

    They are written first: a full disk is then an error, whereas a map into space that is not there ends the process.
    """
    ends = [0]
    with path.open("xb") as file:
        for each, mask in zip(stored, alive, strict=True):
            file.write(local_frequencies(each.segment, mask).data)
            ends.append(file.tell() // 4)
        file.write(bytes(4))  # nothing cannot be mapped
    mapped = np.memmap(path, dtype=np.uint32, mode="r+")
    return [mapped[start:end] for start, end in pairwise(ends)]


def _before(place: Path, stored: Sequence[Stored]) -> Before | None:
    """The statistics that hold until now, if there are any that can be read."""
    try:
        snapshot = store.load(place)
    except IndexingError:
        return None
    known = {file.name: df for file, df in zip(_manifest(snapshot).segments, snapshot.df, strict=True)}
    return Before(snapshot.documents, [known.get(each.file.name) for each in stored])


def _manifest(snapshot: Snapshot) -> Manifest:
    assert snapshot.manifest is not None
    return snapshot.manifest


def _measured(beside: Path, stored: Sequence[Stored], manifest: Manifest, measure: Measure) -> Manifest:
    own = array_files.read(beside / ARRAYS, manifest.arrays)
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
    lengths = array_files.write(beside / LENGTHS, pieces)
    return replace(manifest, recall=dict(measured.recall), lengths=lengths)
