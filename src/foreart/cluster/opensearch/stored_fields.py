"""How a published state lies in an index of OpenSearch: its name, its fields, and its mapping."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Literal

import numpy as np

from foreart.cluster.spread.shard_plan import fingerprint_of, state_record
from foreart.corpus.views import CorpusView
from foreart.errors import ClusterError
from foreart.index import Index
from foreart.index.published_state import PublishedState
from foreart.typed_json import TypeMismatch, from_json

_FORM = 1
DEFAULT_NAME = "foreart"
# Weights are stored as term frequencies: integers of so many bits, if their sum in a document stays below 2³¹.
_BITS = 22
_LARGEST_SUM = 2**31 - 1
# How many documents a search may return.
WINDOW = 100_000
# A word with anything but letters and digits, or a very long one, is stored by its hash, which no word looks like.
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class StoredField:
    """The field of an index: weights of words times `scale`, or dense rows; `scale` is the length of the longest."""

    index: str
    field: str
    kind: Literal["words", "rows"]
    scale: float = 1.0
    dimensions: int = 0
    measure: str = ""

    @property
    def length_field(self) -> str:
        """The field with the length of each row."""
        return f"{self.field}_length"


@dataclass(frozen=True)
class StoredState:
    """What an index says of itself, in its mapping: which state of which library it has, and in which fields."""

    fingerprint: str
    library: str
    corpus: str
    documents: int
    foreart: str
    state: Mapping[str, Any]
    fields: tuple[StoredField, ...]
    form: int = _FORM

    @property
    def by_index(self) -> dict[str, StoredField]:
        """The field of each index."""
        return {field.index: field for field in self.fields}


def index_of(name: str, fingerprint: str) -> str:
    """The name of the index with one state."""
    return f"{name}-{fingerprint[:16]}"


def stored_state(state: PublishedState, library: str) -> StoredState:
    """A description of a state before it is stored."""
    record = state_record(state)
    view = state.view
    opened = {name: state.index(name) for name in sorted(state.indexes)}
    fields = tuple(
        field for number, (name, index) in enumerate(opened.items()) if (field := _field(name, index, f"f{number}"))
    )
    return StoredState(fingerprint_of(record), library, view.corpus, len(view), version("foreart"), record, fields)


def _field(name: str, index: Index, field: str) -> StoredField | None:
    """The field of an index; None if documents have several rows in it, which are not stored."""
    table = index.row_table
    if table is not None:
        longest = float(np.sqrt(np.einsum("ij,ij->i", table, table, dtype=np.float64).max(initial=0.0)))
        return StoredField(name, field, "rows", longest or 1.0, table.shape[1], index.row_measure)
    largest = index.largest_weight_sum
    if largest is None:
        return None
    bits = min(_BITS, int(math.log2(_LARGEST_SUM / max(largest, 1.0))))
    return StoredField(name, field, "words", scale=2.0**bits)


def to_meta(stored: StoredState) -> dict[str, Any]:
    """The description as it stands in the mapping."""
    return {"foreart": asdict(stored)}


def of_mapping(mapping: Mapping[str, Any], index: str) -> StoredState:
    """The description in the mapping of an index; ClusterError if it is not one of foreart."""
    found = mapping.get("_meta", {}).get("foreart")
    if not isinstance(found, dict):
        raise ClusterError(f"the index {index} was not stored by foreart: choose another --name")
    if found.get("form") != _FORM:
        raise ClusterError(f"the index {index} was stored by another version of foreart: store it again with this one")
    try:
        stored: StoredState = from_json(StoredState, found)
    except TypeMismatch as error:
        raise ClusterError(f"the index {index} cannot be read ({error}): store it again") from None
    return stored


def index_body(stored: StoredState, *, shards: int) -> dict[str, Any]:
    """Settings and mapping of the index of a state."""
    words = {"type": "text", "analyzer": "weighted", "norms": False, "index_options": "freqs", "similarity": "linear"}
    fields: dict[str, Any] = {}
    for field in stored.fields:
        if field.kind == "words":
            fields[field.field] = words
        else:
            fields[field.field] = {"type": "binary", "doc_values": True}
            fields[field.length_field] = {"type": "double", "index": False}
    kept_out = [name for name, about in fields.items() if about["type"] in ("text", "binary")]
    return {
        "settings": {
            "number_of_shards": shards,
            "auto_expand_replicas": "0-1",
            "replication.type": "SEGMENT",
            "refresh_interval": "-1",
            "max_result_window": WINDOW,
            "max_terms_count": WINDOW,
            "similarity": {"linear": {"type": "scripted", "script": {"source": "return query.boost * doc.freq;"}}},
            "analysis": {
                "filter": {"frequency": {"type": "delimited_term_freq"}},
                "analyzer": {"weighted": {"type": "custom", "tokenizer": "whitespace", "filter": ["frequency"]}},
            },
        },
        "mappings": {
            "dynamic": False,
            "_meta": to_meta(stored),
            "_source": {"excludes": kept_out},
            "properties": {**_FACTS, **fields},
        },
    }


# What is stored of every document besides its weights; `row` and `day` are what filters are made of.
_FACTS: Mapping[str, Any] = {
    "row": {"type": "integer"},
    "content": {"type": "keyword", "index": False},
    "id": {"type": "keyword"},
    "day": {"type": "integer"},
    "published": {"type": "keyword"},
    "filed": {"type": "keyword"},
    "priority": {"type": "keyword"},
    "country": {"type": "keyword"},
    "kind": {"type": "keyword"},
    "language": {"type": "keyword"},
    "record": {"type": "binary"},
}


def facts_of(view: CorpusView, row: int) -> dict[str, Any]:
    """What is stored of a document for filters, and to recognise it."""
    dates = {name: view.date(getattr(view, name), row) for name in ("published", "filed", "priority")}
    coded = {"country": view.countries, "kind": view.kinds, "language": view.languages}
    return {
        "row": row,
        "content": view.contents[row].tobytes().hex(),
        "id": view.ids[row],
        "day": int(view.days[row]),
        **{name: date for name, date in dates.items() if date},
        **{name: value for name, column in coded.items() if (value := _decoded(column, row))},
    }


def _decoded(column: Any, row: int) -> str:  # noqa: ANN401 `Coded`
    value = column.values[int(column.codes[row])]
    return value.decode() if isinstance(value, bytes) else str(value)


def stored_words(words: Sequence[str]) -> list[str]:
    """Words as they are stored and asked for: without white space and the sign that separates weights."""
    return [word if word.isalnum() and len(word) <= _LONGEST else f"~{_hashed(word)}" for word in words]


def _hashed(word: str) -> str:
    return hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
