"""The table of storage forms, and loading of indexes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from foreart.errors import ForeartError, IndexingError
from foreart.features import make
from foreart.index.index import Index
from foreart.index.index_kinds import IndexForm, Kind
from foreart.index.passage_kind import Passages
from foreart.index.row_folder import load_rows, verify_rows
from foreart.index.word_folder import read_record, refers_to_postings

# The module and class of each storage form; imported on first use: compiled loops take half a second to import.
FORMS: Mapping[str, tuple[str, str]] = {
    "rows": ("row_building", "RowForm"),
    "words": ("word_index", "WordForm"),
    "passages": ("passage_index", "PassageForm"),
}


def make_kind(name: str, parameters: Mapping[str, object]) -> Kind:
    """The features of a name, or passages, with these parameters."""
    return Passages.of(parameters) if name == Passages.name else make(name, parameters)


def form_of(kind: Kind) -> IndexForm:
    """The storage form of a kind."""
    module, name = FORMS[kind.stored_as]
    form: IndexForm = getattr(importlib.import_module(f"foreart.index.{module}"), name)(kind)
    return form


def load(folder: str | Path) -> Index:
    """Loads the index of a folder; its arrays are memory-mapped."""
    path = Path(folder)
    if not refers_to_postings(path):
        return load_rows(path)
    from foreart.index.storage import store

    kind, postings = named_kind(path)
    return form_of(kind).over(store.load(postings))


def stored_at(folder: str | Path) -> Path:
    """The folder with the arrays of an index; indexes of words may share one."""
    path = Path(folder)
    return named_kind(path)[1] if refers_to_postings(path) else path


def verify(folder: str | Path) -> list[str]:
    """Reads every byte of an index; one sentence for each damaged file."""
    path = Path(folder)
    if not refers_to_postings(path):
        return verify_rows(path)
    from foreart.index.storage import store

    try:
        return store.verify(named_kind(path)[1])
    except IndexingError as error:
        return [str(error)]


def named_kind(folder: Path) -> tuple[Kind, Path]:
    """The kind and the postings folder that an index refers to."""
    name, parameters, postings = read_record(folder)
    try:
        return make_kind(name, parameters), postings
    except (ForeartError, TypeError) as error:
        raise IndexingError(f"{folder}: unknown kind of index ({error}); rebuild it with `foreart build`") from None
