"""Builds indexes of dense rows, from word counts if these are enough, else from texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from foreart.errors import StaleIndex
from foreart.features import CountedFeatures, Features, RowArray
from foreart.index.build.document_rows import DocumentRows
from foreart.index.index import Index
from foreart.index.index_kinds import BuildInputs, IndexForm
from foreart.index.query.snapshot_counts import counts_of, known_counts
from foreart.index.row_folder import write
from foreart.text import section_text

# Documents encoded at a time, and the largest array of rows held in memory (256 MB).
_BATCH = 2048
_IN_MEMORY = 1 << 26


class RowForm(IndexForm):
    """Indexes of dense rows, which share no arrays."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def source(self, sections: str) -> DocumentRows | None:
        """The postings of the section, if the features need counts only."""
        return None if self.features.from_counts() is None else DocumentRows.of(self.features, sections)

    def build(self, inputs: BuildInputs) -> Index:
        """Fits the features, encodes all documents and writes their rows."""
        before = inputs.corpus.fingerprint
        counted = self.features.from_counts()
        groups = None
        if counted is not None:
            ids, rows = _from_counts(counted, inputs)
        else:
            ids, rows, groups = _from_texts(self.features, inputs)
        if inputs.corpus.fingerprint != before:
            raise StaleIndex(
                f"the corpus {inputs.corpus.path} changed while it was indexed: "
                "build again when no process writes to it"
            )
        return write(inputs.folder, rows, ids, self.features, sections=inputs.sections, corpus=before, groups=groups)


def _from_counts(features: CountedFeatures, inputs: BuildInputs) -> tuple[list[str], np.ndarray]:
    """Ids and rows of all documents, encoded in batches; large arrays are in a temporary file."""
    snapshot = inputs.snapshot
    assert snapshot is not None
    features.fit_counts(counts_of(snapshot, features.learns_from(len(snapshot))))
    rows, done = np.empty((0, 0), dtype=np.float32), 0
    for counts in known_counts(snapshot, features.vocabulary, at_once=_BATCH):
        batch = features.encode_counts(counts)
        if not done:
            rows = _allocated(len(snapshot), batch.shape[1], inputs.folder.parent)
        rows[done : done + len(counts)] = batch
        done += len(counts)
        if inputs.progress is not None:
            inputs.progress(done, len(snapshot))
    return list(snapshot.ids), rows


def _allocated(documents: int, width: int, folder: Path) -> np.ndarray:
    if documents * width <= _IN_MEMORY:
        return np.empty((documents, width), dtype=np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:  # the mapping keeps the file
        return np.memmap(file, dtype=np.float32, mode="w+", shape=(documents, width))


def _from_texts(features: Features, inputs: BuildInputs) -> tuple[list[str], RowArray, np.ndarray | None]:
    """Ids and rows of all documents, and the row offsets of documents if they have several rows."""
    ids: list[str] = []
    texts = _texts(inputs, ids)
    if features.grouped:
        rows, groups = features.fit_encode_groups(texts)
        return ids, rows, groups
    return ids, features.fit_encode(texts), None


def _texts(inputs: BuildInputs, ids: list[str]) -> Iterator[str]:
    total = len(inputs.corpus)
    for patent in inputs.corpus:
        ids.append(patent.id)
        yield section_text(patent, inputs.sections)
        if inputs.progress is not None:
            inputs.progress(len(ids), total)
