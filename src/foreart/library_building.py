"""Builds the indexes of a library, and publishes them with their view as one state: a killed build changes nothing."""

from __future__ import annotations

import errno
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import drop_former_records, keep_former_records
from foreart.corpus.views import CorpusView, damaged_columns, read_view, write_view
from foreart.corpus.writer import lock
from foreart.errors import ClusterError, ForeartError, IndexingError, StaleIndex
from foreart.index.build.corpus_scan import Scan, scan
from foreart.index.building import build_all
from foreart.index.index import Description
from foreart.index.index_kinds import Kind
from foreart.index.published_state import (
    PublishedState,
    newest,
    publish_state,
    published_state,
    remove_former,
    remove_views,
)
from foreart.index.registry import make_kind
from foreart.part_files import PartFolder, TaskPool, remove_parts

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """`merge` rewrites postings as a build from nothing would, `refresh` learns topics and word vectors again.

    `workers` processes extract the publication numbers from texts. With a `pool`, its processes do this, and count,
    invert and encode documents too; they must see the folder of the library under the same path.
    """

    merge: bool = False
    refresh: bool = False
    workers: int = 1
    pool: TaskPool | None = None
    progress: Progress | None = None


def publish_indexes(
    folder: Path, corpus: Corpus, wanted: Mapping[str, tuple[Kind, str]], how: BuildOptions | None = None
) -> PublishedState:
    """Builds indexes by name, of these kinds and sections, updates all others, and publishes them as one state."""
    options = how or BuildOptions()
    with _only_builder(folder):
        keep_former_records(corpus)
        before = _state_before(folder)
        remove_views(before)
        if not options.merge and not options.refresh and _is_current(before, corpus, wanted):
            remove_former(before)
            remove_parts(folder)
            return before
        fingerprint, scanned = corpus.fingerprint, scan(corpus)
        parts = None if options.pool is None else PartFolder.opened(folder, options.pool)
        build = partial(_build, folder, corpus, before=before, parts=parts, scanned=scanned)
        build(wanted, options=options)
        others = _others(newest(folder), wanted)
        build(others, options=replace(options, refresh=False), optional=True)
        view_name = _view_name(folder, corpus, before, options, parts)
        if corpus.fingerprint != fingerprint:
            raise StaleIndex(
                f"the corpus {corpus.path} changed while it was indexed: build again when no process writes to it"
            )
        state = newest(folder, view_name).aligned(before)
        if _names(state) != _names(before):
            publish_state(state)
            drop_former_records(corpus)
        remove_parts(folder)
        return state


def _is_current(state: PublishedState, corpus: Corpus, wanted: Mapping[str, tuple[Kind, str]]) -> bool:
    """Whether a state has all that is wanted, whole, by this foreart, of the corpus as it is: nothing must be read."""
    known = newest(state.library)
    if not state.view_name or (known.indexes, known.postings) != (state.indexes, state.postings):
        return False
    view = _intact_view(state)
    if view is None or view.corpus != corpus.fingerprint or not all(map(state.is_aligned, state.indexes)):
        return False
    try:
        abouts = {name: state.index(name).description for name in state.indexes}
    except ForeartError:  # damaged, or what it needs is missing
        return False
    ours = version("foreart")
    return all((about.corpus, about.foreart) == (view.corpus, ours) for about in abouts.values()) and all(
        name in abouts and _is_of(abouts[name], *kind) for name, kind in wanted.items()
    )


def _is_of(about: Description, kind: Kind, sections: str) -> bool:
    return (about.features, about.parameters, about.sections) == (kind.name, kind.parameters, sections)


def _names(state: PublishedState) -> tuple[object, ...]:
    return state.indexes, state.postings, state.view_name, {name: each.rows for name, each in state.indexes.items()}


def _state_before(folder: Path) -> PublishedState:
    try:
        return published_state(folder)
    except IndexingError:  # damaged: this build writes a new one
        return newest(folder)


def _build(
    folder: Path,
    corpus: Corpus,
    wanted: Mapping[str, tuple[Kind, str]],
    *,
    before: PublishedState,
    options: BuildOptions,
    parts: PartFolder | None,
    scanned: Scan,
    optional: bool = False,
) -> None:
    """Builds indexes, those of the same sections together; one that is not asked for may fail, and stays as it is."""
    keep = before.generations()
    for sections in dict.fromkeys(sections for _, sections in wanted.values()):
        kinds = {folder / "indexes" / name: kind for name, (kind, own) in wanted.items() if own == sections}
        for group in ({path: kind} for path, kind in kinds.items()) if optional else (kinds,):
            try:
                build_all(
                    corpus,
                    group,
                    sections=sections,
                    postings=folder / "postings",
                    merge=options.merge,
                    refresh=options.refresh,
                    keep=keep,
                    parts=parts,
                    scanned=scanned,
                    progress=options.progress,
                )
            except (StaleIndex, ClusterError):
                raise
            except ForeartError:
                if not optional:
                    raise


def _others(state: PublishedState, wanted: Mapping[str, tuple[Kind, str]]) -> dict[str, tuple[Kind, str]]:
    """The kinds and sections of the other indexes that were built before."""
    others = {}
    for name in state.indexes.keys() - wanted.keys():
        try:
            about = state.index(name).description
            others[name] = make_kind(about.features, about.parameters), about.sections
        except ForeartError:  # damaged, or what it needs is missing: `doctor` reports it
            continue
    return dict(sorted(others.items()))


def _view_name(
    folder: Path, corpus: Corpus, before: PublishedState, options: BuildOptions, parts: PartFolder | None
) -> str:
    """The name of the view of the corpus as it is: the published one, or a new one."""
    old = _intact_view(before)
    if old is not None and old.corpus == corpus.fingerprint and before.view_name:
        return before.view_name
    view = read_view(corpus, old, workers=options.workers, parts=parts, progress=options.progress)
    name = secrets.token_hex(8)
    write_view(view, replace(before, view_name=name).view_folder)
    return name


def _intact_view(state: PublishedState) -> CorpusView | None:
    try:
        return None if damaged_columns(state.view_folder) else state.view
    except IndexingError:  # missing, outdated or damaged
        return None


@contextmanager
def _only_builder(folder: Path) -> Iterator[None]:
    """One build at a time; translates a full disk into an error that says what to do."""
    try:
        with closing(lock(folder / "build.writer", folder, IndexingError)):
            yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise IndexingError(
            f"the disk is full: searches of {folder} use the state before, and finished parts are kept; free some "
            "space and run `foreart build` again to continue"
        ) from error
