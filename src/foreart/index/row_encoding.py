"""Encodes the documents of a snapshot as dense rows, in batches; large arrays are in a temporary file."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from foreart.features import CountedFeatures
from foreart.index.build.corpus_scan import Progress
from foreart.index.kept_rows import KeptRows
from foreart.index.query.snapshot_counts import counts_of, known_counts
from foreart.index.storage.snapshot import Snapshot

# Documents encoded at a time, and the largest array of rows held in memory (256 MB).
_BATCH = 2048
_IN_MEMORY = 1 << 26


def learned_and_encoded(
    features: CountedFeatures, snapshot: Snapshot, folder: Path, progress: Progress | None
) -> np.ndarray:
    """Fits the features on documents of the snapshot; the rows of all."""
    features.fit_counts(counts_of(snapshot, features.learns_from(len(snapshot))))
    return _encoded_all(features, snapshot, folder, progress)


def encoded_counts(
    features: CountedFeatures, snapshot: Snapshot, kept: KeptRows, folder: Path, progress: Progress | None
) -> np.ndarray:
    """The rows of all documents by features that are fitted: kept ones, and those of new documents."""
    if not len(kept.here):
        return _encoded_all(features, snapshot, folder, progress)
    rows = _allocated(len(snapshot), kept.index.rows.data.shape[1], folder)
    for start in range(0, len(kept.here), _BATCH):
        part = slice(start, start + _BATCH)
        rows[kept.here[part]] = kept.index.rows.data[kept.there[part]]
    for start in range(0, len(kept.new), _BATCH):
        new = kept.new[start : start + _BATCH]
        rows[new] = features.encode_counts(counts_of(snapshot, new))
        if progress is not None:
            progress(start + len(new), len(kept.new))
    return rows


def _encoded_all(features: CountedFeatures, snapshot: Snapshot, folder: Path, progress: Progress | None) -> np.ndarray:
    rows, done = np.empty((0, 0), dtype=np.float32), 0
    for counts in known_counts(snapshot, features.vocabulary, at_once=_BATCH):
        batch = features.encode_counts(counts)
        if not done:
            rows = _allocated(len(snapshot), batch.shape[1], folder)
        rows[done : done + len(counts)] = batch
        done += len(counts)
        if progress is not None:
            progress(done, len(snapshot))
    return rows


def _allocated(documents: int, width: int, folder: Path) -> np.ndarray:
    if documents * width <= _IN_MEMORY:
        return np.empty((documents, width), dtype=np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:  # the mapping keeps the file
        if hasattr(os, "posix_fallocate"):  # on a full disk, writing to a mapping would kill the process
            os.posix_fallocate(file.fileno(), 0, documents * width * 4)
        return np.memmap(file, dtype=np.float32, mode="w+", shape=(documents, width))
