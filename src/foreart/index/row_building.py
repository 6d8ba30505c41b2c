"""Builds indexes of dense rows, from word counts if these are enough, else from texts; later only of new documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from foreart.corpus import scanning
from foreart.corpus.packing import unpack
from foreart.errors import ForeartError
from foreart.features import Features
from foreart.index.build.corpus_scan import stale
from foreart.index.build.document_rows import DocumentRows
from foreart.index.index import Index
from foreart.index.index_kinds import BuildInputs, IndexForm
from foreart.index.kept_rows import Documents, KeptRows, documents_of, joined_groups, kept_of
from foreart.index.row_drift import Drift, drift_of
from foreart.index.row_encoding import (
    FittedModel,
    encoded_counts,
    encoded_texts,
    learned_and_encoded,
    unlearned_model,
)
from foreart.index.row_folder import load_rows, write
from foreart.index.row_index import RowIndex
from foreart.index.storage.current_name import CURRENT, current_name
from foreart.index.word_folder import refers_to_postings, remove_generations
from foreart.text import section_text


class RowForm(IndexForm):
    """Indexes of dense rows, which share no arrays."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def source(self, sections: str) -> DocumentRows | None:
        """The postings of the section, if the features need counts only."""
        return None if self.features.from_counts() is None else DocumentRows.of(self.features, sections)

    def build(self, inputs: BuildInputs) -> Index:
        """Fits the features and encodes all documents; if they were fitted before, encodes only new documents."""
        before = inputs.corpus.fingerprint
        old = None if inputs.refresh else _previous(inputs, self.features)
        documents = documents_of(inputs.corpus, inputs.snapshot)
        if old is not None and _is_up_to_date(old, before, documents):
            remove_generations(inputs.folder, keep={current_name(inputs.folder), *inputs.keep})
            return old
        kept = kept_of(old, documents)
        rows, groups, drift = self._encoded(inputs, documents, kept)
        if inputs.corpus.fingerprint != before:
            raise stale(inputs.corpus)
        return write(
            inputs.folder,
            rows,
            documents.ids,
            self.features if kept is None else kept.index.features,
            sections=inputs.sections,
            corpus=before,
            groups=groups,
            contents=documents.contents,
            drift=drift.to_record(),
            keep=inputs.keep,
        )

    def _encoded(
        self, inputs: BuildInputs, documents: Documents, kept: KeptRows | None
    ) -> tuple[np.ndarray, np.ndarray | None, Drift]:
        """The rows of all documents, their offsets if they are grouped, and how well the features still fit."""
        counted = self.features.from_counts() if kept is None else kept.index.features.from_counts()
        if counted is not None:
            assert inputs.snapshot is not None
            if kept is None:
                rows = learned_and_encoded(counted, inputs, inputs.snapshot)
                return rows, None, Drift(learned_from=len(documents.ids))
            rows = encoded_counts(counted, inputs, inputs.snapshot, kept)
            return rows, None, drift_of(counted, inputs.snapshot, kept, rows)
        if kept is None:
            return *_from_texts(self.features, inputs, documents), Drift(learned_from=len(documents.ids))
        rows, groups = _encoded_texts(kept.index.features, inputs, documents, kept)
        return rows, groups, replace(Drift.of(kept.index), encoded=Drift.of(kept.index).encoded + len(kept.new))


def _is_up_to_date(index: RowIndex, corpus: str, documents: Documents) -> bool:
    same = index.contents is not None and index.description.corpus == corpus
    return same and list(index.ids) == documents.ids


def _previous(inputs: BuildInputs, features: Features) -> RowIndex | None:
    """The index in the folder, if it has the same features; None if it must be built from nothing."""
    if refers_to_postings(inputs.folder) or not (inputs.folder / CURRENT).exists():
        return None
    try:
        index = load_rows(inputs.folder)
    except ForeartError:  # damaged, of another version, or its encoder has changed
        return None
    about = index.description
    same = (about.features, about.parameters, about.sections) == (features.name, features.parameters, inputs.sections)
    return index if same else None


def _from_texts(features: Features, inputs: BuildInputs, documents: Documents) -> tuple[np.ndarray, np.ndarray | None]:
    """The rows of all documents, and the row offsets of documents if they have several rows."""
    if inputs.parts is not None and not features.learns:
        features.fit(())
        every = np.arange(len(documents.ids))
        model = unlearned_model(features, inputs.parts)
        rows, groups = encoded_texts(model, inputs, inputs.parts, every, documents.serials)
        return rows, groups if features.grouped else None
    texts = _texts(inputs, documents.serials.tolist())
    if features.grouped:
        rows, groups = features.fit_encode_groups(texts)
        return np.asarray(rows), groups
    return np.asarray(features.fit_encode(texts)), None


def _encoded_texts(
    features: Features, inputs: BuildInputs, documents: Documents, kept: KeptRows
) -> tuple[np.ndarray, np.ndarray | None]:
    """Rows kept from the earlier index, and those of new documents."""
    if not len(kept.new):
        encoded, ends = np.empty((0, kept.index.rows.data.shape[1]), dtype=np.float32), np.zeros(1, dtype=np.int64)
    elif inputs.parts is not None:
        model = FittedModel.kept(inputs, inputs.parts, kept)
        encoded, ends = encoded_texts(model, inputs, inputs.parts, kept.new, documents.serials)
    else:
        encoded, ends = _encoded_here(features, _texts(inputs, documents.serials[kept.new].tolist()))
    if features.grouped:
        return joined_groups(kept, encoded, ends)
    rows = np.empty((len(documents.ids), kept.index.rows.data.shape[1]), dtype=np.float32)
    rows[kept.here] = kept.index.rows.data[kept.there]
    rows[kept.new] = encoded
    return rows, None


def _encoded_here(features: Features, texts: Iterator[str]) -> tuple[np.ndarray, np.ndarray]:
    """The rows of texts, and their offsets if they have several rows each."""
    if features.grouped:
        rows, ends = features.encode_groups(texts)
        return np.asarray(rows), ends
    rows = np.asarray(features.encode(texts))
    return rows, np.arange(len(rows) + 1)


def _texts(inputs: BuildInputs, serials: list[int]) -> Iterator[str]:
    for done, (_, record) in enumerate(scanning.stored(inputs.corpus, serials), start=1):
        yield section_text(unpack(record), inputs.sections)
        if inputs.progress is not None:
            inputs.progress(done, len(serials))
