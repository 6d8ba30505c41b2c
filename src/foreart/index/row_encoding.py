"""Encodes documents as dense rows, in batches: in this process, or as parts that a pool makes, with the same bytes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np

from foreart import features as kinds
from foreart.corpus.packing import unpack
from foreart.corpus.record_files import read_records, record_path, write_records
from foreart.durable import flush_files, new_folder
from foreart.errors import IndexingError
from foreart.features import CountedFeatures, Features
from foreart.index.index_kinds import BuildInputs
from foreart.index.kept_rows import KeptRows
from foreart.index.query.snapshot_counts import counts_of, known_counts, known_counts_of, segment_batches
from foreart.index.storage import store
from foreart.index.storage.current_name import current_name
from foreart.index.storage.snapshot import Snapshot
from foreart.part_files import PARTS, PartFolder, PartTask, batches, is_intact, read_part, write_part
from foreart.text import section_text

# Documents encoded at a time, and the largest array of rows held in memory (256 MB).
_BATCH = 2048
_IN_MEMORY = 1 << 26
_FEATURES = "features"


@dataclass(frozen=True, eq=False)
class EncodeCountsTask(PartTask):
    """Encodes rows of a snapshot: all of one segment, or some of any, whose counts are then over all their words."""

    model: Path
    postings: Path
    snapshot: str
    rows: np.ndarray
    of_one_segment: bool
    path: Path
    documents: int

    def is_written(self, root: Path) -> bool:
        """Whether they are encoded."""
        return is_intact(root / self.path)

    def write(self, root: Path) -> None:
        """Encodes them."""
        features, snapshot = _features(root / self.model).from_counts(), store.load(root / self.postings, self.snapshot)
        assert features is not None
        if self.of_one_segment:
            counts = known_counts_of(snapshot, features.vocabulary, self.rows)
        else:
            counts = counts_of(snapshot, self.rows)
        write_part(root / self.path, {"rows": np.asarray(features.encode_counts(counts))})


@dataclass(frozen=True)
class EncodeTextsTask(PartTask):
    """Encodes the texts of the patents in a file of records."""

    model: Path
    sections: str
    records: Path
    path: Path
    documents: int

    def is_written(self, root: Path) -> bool:
        """Whether they are encoded."""
        return is_intact(root / self.path)

    def write(self, root: Path) -> None:
        """Encodes them."""
        features = _features(root / self.model)
        texts = [section_text(unpack(record.json), self.sections) for record in read_records(root / self.records)]
        if features.grouped:
            rows, ends = features.encode_groups(texts)
            write_part(root / self.path, {"rows": np.asarray(rows), "ends": np.asarray(ends)})
        else:
            write_part(root / self.path, {"rows": np.asarray(features.encode(texts))})


@dataclass(frozen=True, slots=True)
class FittedModel:
    """The folder of fitted features in the library, which workers open, and a name that says what they are."""

    folder: Path
    name: str

    @classmethod
    def kept(cls, inputs: BuildInputs, parts: PartFolder, kept: KeptRows) -> FittedModel:
        """The features of an earlier index."""
        return cls(parts.relative(inputs.folder / current_name(inputs.folder) / _FEATURES), kept.index.model)


def learned_and_encoded(features: CountedFeatures, inputs: BuildInputs, snapshot: Snapshot) -> np.ndarray:
    """Fits the features on documents of the snapshot, unless an interrupted build did; the rows of all."""
    if inputs.parts is None:
        features.fit_counts(counts_of(snapshot, features.learns_from(len(snapshot))))
        return _encoded_all(features, inputs, snapshot)
    model = _learned_model(features, inputs.parts, _fingerprint(snapshot))
    if (inputs.parts.root / model.folder).exists():
        features.load_learned(inputs.parts.root / model.folder)
    else:
        features.fit_counts(counts_of(snapshot, features.learns_from(len(snapshot))))
        _save(features, inputs.parts, model)
    return _encoded_all(features, inputs, snapshot, model)


def encoded_counts(features: CountedFeatures, inputs: BuildInputs, snapshot: Snapshot, kept: KeptRows) -> np.ndarray:
    """The rows of all documents by features that are fitted: kept ones, and those of new documents."""
    model = None if inputs.parts is None else FittedModel.kept(inputs, inputs.parts, kept)
    if not len(kept.here):
        return _encoded_all(features, inputs, snapshot, model)
    rows = _allocated(len(snapshot), kept.index.rows.data.shape[1], inputs.folder.parent)
    for start in range(0, len(kept.here), _BATCH):
        part = slice(start, start + _BATCH)
        rows[kept.here[part]] = kept.index.rows.data[kept.there[part]]
    new = [kept.new[start : start + _BATCH] for start in range(0, len(kept.new), _BATCH)]
    if inputs.parts is not None and model is not None:
        encoded = _encoded_by_parts(model, inputs, inputs.parts, snapshot, new, of_one_segment=False)
    else:
        encoded = (np.asarray(features.encode_counts(counts_of(snapshot, batch))) for batch in new)
        encoded = _reported(encoded, len(kept.new), inputs)
    for batch, found in zip(new, encoded, strict=True):
        rows[batch] = found
    return rows


def encoded_texts(
    model: FittedModel, inputs: BuildInputs, parts: PartFolder, positions: np.ndarray, serials: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the documents at these positions, and their offsets if a document has several."""
    groups = [serials[batch].tolist() for batch in batches(positions)]
    tasks = []
    for group in groups:
        records = record_path(parts, inputs.corpus, group)
        path = parts.path("rows", model.name, inputs.sections, records.name)
        tasks.append(EncodeTextsTask(model.folder, inputs.sections, records, path, len(group)))
    serials_of = {task.path: group for task, group in zip(tasks, groups, strict=True)}
    parts.make(
        tasks,
        prepare=lambda task: write_records(parts, inputs.corpus, serials_of[task.path]),
        report=lambda done: inputs.progress(done, len(positions)) if inputs.progress is not None else None,
    )
    made = [read_part(parts.root / task.path) for task in tasks]
    sizes = [np.diff(part["ends"]) if "ends" in part else np.ones(len(part["rows"]), np.int64) for part in made]
    return np.concatenate([part["rows"] for part in made]), np.concatenate([[0], np.cumsum(np.concatenate(sizes))])


def unlearned_model(features: Features, parts: PartFolder) -> FittedModel:
    """The model of features that learn nothing from texts."""
    with TemporaryDirectory(dir=parts.root / PARTS) as temporary:
        features.save(Path(temporary) / _FEATURES)
        files = sorted((Path(temporary) / _FEATURES).iterdir())
        folder = parts.path("model", *(f"{file.name} {file.read_text('utf-8')}" for file in files))
    model = FittedModel(folder / _FEATURES, folder.name)
    if not (parts.root / model.folder).exists():
        _save(features, parts, model)
    return model


def _encoded_all(
    features: CountedFeatures, inputs: BuildInputs, snapshot: Snapshot, model: FittedModel | None = None
) -> np.ndarray:
    if inputs.parts is not None and model is not None:
        batched = list(segment_batches(snapshot, at_once=_BATCH))
        encoded = _encoded_by_parts(model, inputs, inputs.parts, snapshot, batched, of_one_segment=True)
    else:
        counts = known_counts(snapshot, features.vocabulary, at_once=_BATCH)
        encoded = _reported((np.asarray(features.encode_counts(each)) for each in counts), len(snapshot), inputs)
    rows, done = np.empty((0, 0), dtype=np.float32), 0
    for batch in encoded:
        if not done:
            rows = _allocated(len(snapshot), batch.shape[1], inputs.folder.parent)
        rows[done : done + len(batch)] = batch
        done += len(batch)
    return rows


def _reported(batched: Iterable[np.ndarray], total: int, inputs: BuildInputs) -> Iterator[np.ndarray]:
    done = 0
    for batch in batched:
        yield batch
        done += len(batch)
        if inputs.progress is not None:
            inputs.progress(done, total)


def _encoded_by_parts(
    model: FittedModel,
    inputs: BuildInputs,
    parts: PartFolder,
    snapshot: Snapshot,
    batched: Sequence[np.ndarray],
    *,
    of_one_segment: bool,
) -> Iterator[np.ndarray]:
    """The rows of each batch; the workers open the snapshot by its name."""
    assert inputs.postings is not None
    fingerprint = _fingerprint(snapshot)
    name = current_name(inputs.postings)
    tasks = []
    for rows in batched:
        path = parts.path("rows", model.name, fingerprint, rows, of_one_segment)
        tasks.append(
            EncodeCountsTask(model.folder, parts.relative(inputs.postings), name, rows, of_one_segment, path, len(rows))
        )
    total = sum(map(len, batched))
    parts.make(tasks, report=lambda done: inputs.progress(done, total) if inputs.progress is not None else None)
    for task in tasks:
        yield read_part(parts.root / task.path)["rows"]


def _learned_model(features: Features, parts: PartFolder, source: str) -> FittedModel:
    """Where features that learn from a source are kept until the build is over."""
    folder = parts.path("model", features.name, json.dumps(features.parameters, sort_keys=True), source)
    return FittedModel(folder / _FEATURES, folder.name)


def _save(features: Features, parts: PartFolder, model: FittedModel) -> None:
    with new_folder(parts.root / model.folder.parent) as made:
        features.save(made / _FEATURES)
        flush_files(made)


@lru_cache(maxsize=1)
def _features(model: Path) -> Features:
    """The features in a folder, kept for the next task: the name of the folder says what they learned from."""
    return kinds.load(model)


def _fingerprint(snapshot: Snapshot) -> str:
    if snapshot.manifest is None:
        raise IndexingError("only postings in a folder can be encoded by a pool")
    return snapshot.manifest.fingerprint


def _allocated(documents: int, width: int, folder: Path) -> np.ndarray:
    if documents * width <= _IN_MEMORY:
        return np.empty((documents, width), dtype=np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:  # the mapping keeps the file
        if hasattr(os, "posix_fallocate"):  # on a full disk, writing to a mapping would kill the process
            os.posix_fallocate(file.fileno(), 0, documents * width * 4)
        return np.memmap(file, dtype=np.float32, mode="w+", shape=(documents, width))
