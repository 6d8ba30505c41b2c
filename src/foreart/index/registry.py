"""The kinds of index by name, and an index back from its folder."""

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
from foreart.index.word_folder import is_named, read_record

# Where each form of index is: imported when it is asked for, as compiled loops take half a second to import.
FORMS: Mapping[str, tuple[str, str]] = {
    "rows": ("row_building", "RowForm"),
    "words": ("word_index", "WordForm"),
    "passages": ("passage_index", "PassageForm"),
}


def make_kind(name: str, parameters: Mapping[str, object]) -> Kind:
    """The features of a name, or passages, with these parameters."""
    return Passages.of(parameters) if name == Passages.name else make(name, parameters)


def form_of(kind: Kind) -> IndexForm:
    """How indexes of a kind are built and opened."""
    module, name = FORMS[kind.stored_as]
    found: IndexForm = getattr(importlib.import_module(f"foreart.index.{module}"), name)(kind)
    return found


def load(folder: str | Path) -> Index:
    """The index of a folder; its arrays stay in their files and are read when they are needed."""
    place = Path(folder)
    if not is_named(place):
        return load_rows(place)
    kind, postings = named_kind(place)
    return form_of(kind).open(postings)


def stored_at(folder: str | Path) -> Path:
    """The folder with the arrays of an index; indexes of words share one."""
    place = Path(folder)
    return named_kind(place)[1] if is_named(place) else place


def verify(folder: str | Path) -> list[str]:
    """Reads every byte of an index; one sentence for each damaged file."""
    place = Path(folder)
    if not is_named(place):
        return verify_rows(place)
    from foreart.index.storage import store

    try:
        return store.verify(named_kind(place)[1])
    except IndexingError as error:
        return [str(error)]


def named_kind(folder: Path) -> tuple[Kind, Path]:
    """The kind and the postings that a folder names."""
    name, parameters, postings = read_record(folder)
    try:
        return make_kind(name, parameters), postings
    except (ForeartError, TypeError) as error:
        raise IndexingError(
            f"{folder}: the index is of no kind that is known ({error}): make it anew with `foreart build`"
        ) from None
