"""The documents of a state as they are sent: weights of words as text, rows as bytes, facts and the stored record."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.cluster.opensearch.stored_fields import StoredField, StoredState, facts_of, stored_words
from foreart.corpus.indexed_corpus import IndexedCorpus
from foreart.corpus.views import CorpusView
from foreart.index import Index

# Documents that are encoded at once.
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class SentDocument:
    """A document to be created: its row, its id, and two lines of JSON for a bulk request."""

    row: int
    id: str
    lines: str


class DocumentRecords:
    """Encodes documents of one state."""

    def __init__(self, stored: StoredState, indexes: dict[str, Index], view: CorpusView, corpus: IndexedCorpus) -> None:
        self._view, self._corpus = view, corpus
        self._fields = [(field, indexes[field.index]) for field in stored.fields]
        self._rows = {field.field: _aligned(index, view.ids) for field, index in self._fields}

    def of(self, rows: np.ndarray) -> Iterator[SentDocument]:
        """The documents of some rows of the view, in order."""
        for start in range(0, len(rows), _AT_ONCE):
            yield from self._batch(rows[start : start + _AT_ONCE])

    def _batch(self, rows: np.ndarray) -> Iterator[SentDocument]:
        columns: list[Callable[[int], dict[str, Any]]] = []
        for field, index in self._fields:
            own = self._rows[field.field](rows)
            columns.append(_words(field, index, own) if field.kind == "words" else _vectors(field, index, own))
        for place, row in enumerate(rows.tolist()):
            record = facts_of(self._view, row)
            for column in columns:
                record |= column(place)
            record["record"] = base64.b64encode(self._corpus.record(record["id"])).decode()
            action = json.dumps({"create": {"_id": record["id"]}})
            yield SentDocument(row, record["id"], f"{action}\n{json.dumps(record, separators=(',', ':'))}\n")


def _words(field: StoredField, index: Index, rows: np.ndarray) -> Callable[[int], dict[str, Any]]:
    """Every word with its weight as a whole number; a weight that is not 0 is at least 1."""
    words, weights = index.document_weights(rows)
    known = stored_words(words)
    numbers = np.where(weights.data > 0, np.maximum(np.rint(weights.data * field.scale), 1), 0).astype(np.int64)

    def column(place: int) -> dict[str, Any]:
        here = slice(int(weights.indptr[place]), int(weights.indptr[place + 1]))
        pairs = zip(weights.indices[here].tolist(), numbers[here].tolist(), strict=True)
        return {field.field: " ".join(f"{known[word]}|{number}" for word, number in pairs if number)}

    return column


def _vectors(field: StoredField, index: Index, rows: np.ndarray) -> Callable[[int], dict[str, Any]]:
    """The row of a document in single precision, and its length."""
    table = index.row_table
    assert table is not None
    own = np.asarray(table[rows], dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", own, own))

    def column(place: int) -> dict[str, Any]:
        encoded = base64.b64encode(own[place].astype(">f4").tobytes()).decode()
        return {field.field: encoded, field.length_field: float(lengths[place])}

    return column


def _aligned(index: Index, ids: Sequence[str]) -> Callable[[np.ndarray], np.ndarray]:
    """The rows of an index for rows of the view."""
    if index.has_rows(ids):
        return lambda rows: rows
    places = {number: row for row, number in enumerate(index.ids)}
    table = np.array([places[number] for number in ids], dtype=np.int64)
    return lambda rows: table[rows]
