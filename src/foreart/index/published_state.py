"""The published state of a library: which generation of every index, and which view of the corpus, belong together.

    published.json      the generation of each index, the name of the view; replaced atomically when a build is over
    views/3c91…/        corpus.view of one state

Searches open what `published.json` names, never the newest files: during a build they answer from the state before. A
build removes what the state before the published one had, so that a search that has begun finds all of its files.
A library of foreart 0.2 has no `published.json`: its state is what the file `current` of each index names.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foreart.corpus.views import FILE as VIEW
from foreart.corpus.views import CorpusView, load_view
from foreart.durable import TEMPORARY, ChecksumError, read_checked, write_checked
from foreart.errors import ForeartError, IndexingError
from foreart.index.index import Index
from foreart.index.registry import form_of, make_kind
from foreart.index.row_folder import load_rows, verify_rows
from foreart.index.storage.current_name import CURRENT, current_name
from foreart.index.storage.row_alignment import (
    Alignment,
    alignment_of,
    is_intact,
    keep_alignment,
    kept_alignment,
    name_of,
    remove_alignments,
)
from foreart.index.word_folder import read_record, refers_to_postings, remove_generations

if TYPE_CHECKING:
    from foreart.index.storage.snapshot import Snapshot

FILE = "published.json"
_FORM = 2  # 1 has no alignments
_READABLE = (1, _FORM)
_VIEWS, _INDEXES, _POSTINGS = "views", "indexes", "postings"
_FULL = f"{_POSTINGS}/full"


@dataclass(frozen=True, slots=True)
class PublishedIndex:
    """The generation of an index: of its rows, or, if `postings` names their folder, the snapshot of its postings.

    `rows` is the name of its alignment with the view; `""` in a state of a foreart that kept none.
    """

    generation: str
    postings: str = ""
    features: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    rows: str = field(default="", compare=False)


@dataclass(frozen=True, eq=False)
class PublishedState:
    """One state of a library; what is opened stays open, and is opened once.

    `postings` has the snapshot of every folder of postings, also of those that only topics were learned from.
    `view_name` is that of a folder in `views/`, `""` for a `corpus.view` next to the corpus (foreart 0.2).
    """

    library: Path
    indexes: Mapping[str, PublishedIndex]
    postings: Mapping[str, str]
    view_name: str = ""
    _opened: dict[str, Index] = field(default_factory=dict)
    _snapshots: dict[tuple[str, str], Snapshot] = field(default_factory=dict)
    _alignments: dict[str, Alignment | None] = field(default_factory=dict)

    @cached_property
    def view(self) -> CorpusView:
        """The documents."""
        return load_view(self.view_folder)

    @property
    def view_folder(self) -> Path:
        """The folder with the view."""
        return self.library / _VIEWS / self.view_name if self.view_name else self.library

    def index(self, name: str) -> Index:
        """An index of the state."""
        if name not in self._opened:
            entry = self.indexes[name]
            if entry.postings:
                kind = make_kind(entry.features, entry.parameters)
                self._opened[name] = form_of(kind).over(self._snapshot(entry.postings, entry.generation))
            else:
                self._opened[name] = load_rows(self.library / _INDEXES / name, entry.generation)
        return self._opened[name]

    def alignment(self, name: str) -> Alignment | None:
        """Which rows of the view are those of an index; None where they are the same."""
        kept = self.indexes[name].rows
        if not kept:
            return alignment_of(self.index(name), self.view.ids)
        if kept not in self._alignments:
            self._alignments[kept] = kept_alignment(self.view_folder, kept)
        return self._alignments[kept]

    @property
    def full_text(self) -> Snapshot:
        """The postings of the full text with the default tokenizer; IndexingError if there are none."""
        if _FULL not in self.postings:
            raise IndexingError(f"there are no postings of the full text in {self.library}: `foreart build` makes them")
        return self._snapshot(_FULL, self.postings[_FULL])

    @property
    def full_text_if_built(self) -> Snapshot | None:
        """The same, None if there are none."""
        return self.full_text if _FULL in self.postings else None

    def generations(self) -> dict[Path, set[str]]:
        """The generations by folder of an index or of postings."""
        found = {self.library / postings: {snapshot} for postings, snapshot in self.postings.items()}
        for name, entry in self.indexes.items():
            folder = self.library / (entry.postings or f"{_INDEXES}/{name}")
            found.setdefault(folder, set()).add(entry.generation)
        return found

    def alignment_is_right(self, name: str) -> bool:
        """Whether the kept alignment of an index is what its rows and the view say; true if none is kept."""
        kept = self.indexes[name].rows
        if not kept:
            return True
        try:
            found = alignment_of(self.index(name), self.view.ids)
        except ForeartError:
            return False
        return name_of(found) == kept and is_intact(self.view_folder, kept)

    def is_aligned(self, name: str) -> bool:
        """Whether the alignment of an index is kept, and its file is as it was written."""
        return is_intact(self.view_folder, self.indexes[name].rows)

    def aligned(self, before: PublishedState) -> PublishedState:
        """The state with the alignments of its indexes and its view, which are written beside the view.

        Those of the state before are taken over where index and view are the same. An index that does not have the
        documents of the view, because it could not be brought up to date, gets none.
        """
        names: dict[tuple[str, str], str] = {}  # those of indexes that share postings are the same
        if before.view_name == self.view_name:
            names = {
                _rows_of(name, entry): entry.rows for name, entry in before.indexes.items() if before.is_aligned(name)
            }
        entries = {}
        for name, entry in self.indexes.items():
            key = _rows_of(name, entry)
            if key not in names:
                with suppress(ForeartError):
                    names[key] = keep_alignment(alignment_of(self.index(name), self.view.ids), self.view_folder)
            entries[name] = replace(entry, rows=names.get(key, ""))
        return replace(self, indexes=entries)

    def verify(self, name: str) -> list[str]:
        """Reads every byte of an index; one sentence for each damaged file."""
        from foreart.index.storage import store

        entry = self.indexes[name]
        if entry.postings:
            return store.verify(self.library / entry.postings, entry.generation)
        return verify_rows(self.library / _INDEXES / name, entry.generation)

    def _snapshot(self, postings: str, generation: str) -> Snapshot:
        from foreart.index.storage import store

        key = postings, generation
        if key not in self._snapshots:
            self._snapshots[key] = store.load(self.library / postings, generation)
        return self._snapshots[key]


def state_name(library: Path) -> str:
    """A text that changes whenever another state is published, without opening it."""
    try:
        return (library / FILE).read_text("utf-8", "replace")
    except FileNotFoundError:
        return repr((newest(library).indexes, (library / VIEW).stat().st_mtime_ns if (library / VIEW).exists() else 0))


def published_state(library: Path) -> PublishedState:
    """The state that searches use."""
    path = library / FILE
    try:
        record = read_checked(path)
        if record.get("form") not in _READABLE:
            raise IndexingError(f"{path} was written by another version of foreart: run `foreart build`")
        entries = {name: PublishedIndex(**entry) for name, entry in record["indexes"].items()}
        return PublishedState(library, entries, record["postings"], record["view"])
    except FileNotFoundError:
        return newest(library)
    except (OSError, ChecksumError, KeyError, TypeError, AttributeError) as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart build`") from None


def publish_state(state: PublishedState) -> None:
    """Makes a state the one that searches use; one atomic replacement."""
    indexes = {name: asdict(entry) for name, entry in sorted(state.indexes.items())}
    about = {"form": _FORM, "view": state.view_name, "postings": dict(state.postings)}
    write_checked(state.library / FILE, {**about, "indexes": indexes})


def newest(library: Path, view_name: str = "") -> PublishedState:
    """The newest generation of each index, complete or not as a whole: what a build has reached."""
    entries = {}
    folder = library / _INDEXES
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        try:
            if refers_to_postings(path):
                features, parameters, postings = read_record(path)
                relative = _relative(postings, library)
                entries[path.name] = PublishedIndex(current_name(postings), relative, features, parameters)
            elif (path / CURRENT).exists():
                entries[path.name] = PublishedIndex(current_name(path))
        except IndexingError:  # damaged; `doctor` reports it, and a build replaces it
            continue
    snapshots = {}
    for path in sorted((library / _POSTINGS).glob(f"*/{CURRENT}")):
        with suppress(IndexingError):
            snapshots[_relative(path.parent, library)] = current_name(path.parent)
    return PublishedState(library, entries, snapshots, view_name)


def _rows_of(name: str, entry: PublishedIndex) -> tuple[str, str]:
    """What decides on the rows of an index."""
    return entry.postings or name, entry.generation


def _relative(folder: Path, library: Path) -> str:
    return Path(os.path.relpath(folder, library)).as_posix()


def remove_former(state: PublishedState) -> None:
    """Removes what the state before this one had, where a build has nothing to write."""
    from foreart.index.storage.publishing import sweep
    from foreart.index.storage.store import read_manifest

    for postings, snapshot in state.postings.items():
        sweep(state.library / postings, read_manifest(state.library / postings, snapshot))
    for name, entry in state.indexes.items():
        if not entry.postings:
            remove_generations(state.library / _INDEXES / name, keep={entry.generation})


def remove_views(state: PublishedState) -> None:
    """Removes all views and alignments but those of a state."""
    library, keep = state.library, state.view_name
    folder = library / _VIEWS
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name != keep and path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
    if keep:
        remove_alignments(folder / keep, {entry.rows for entry in state.indexes.values()})
        (library / VIEW).unlink(missing_ok=True)
    for path in library.iterdir():  # of a killed build
        if TEMPORARY.fullmatch(path.name) and path.is_file():
            path.unlink(missing_ok=True)
