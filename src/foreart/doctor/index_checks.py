"""Checks of the published state: its indexes and its view of the corpus."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import changes_since
from foreart.corpus.views import FILE as VIEW
from foreart.corpus.views import damaged_columns, load_view
from foreart.doctor.health_check import HealthCheck
from foreart.errors import ForeartError
from foreart.index import load
from foreart.index.published_state import FILE as PUBLISHED
from foreart.index.published_state import newest, published_state


def index_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """Every index: can it be opened, do its checksums match, is it of this corpus?"""
    folder = corpus.path.parent
    state = published_state(folder)
    names = sorted({path.name for path in (folder / "indexes").glob("*") if path.is_dir()} | set(state.indexes))
    if not names:
        yield HealthCheck("index", "note", "none yet: `foreart build` creates it")
    damaged: dict[str, list[str]] = {}
    for name in names:
        try:
            index = state.index(name) if name in state.indexes else load(folder / "indexes" / name)
        except ForeartError as error:
            yield HealthCheck(f"index {name}", "bad", str(error))
            continue
        if name not in state.indexes:
            yield HealthCheck(f"index {name}", "note", "built, but not published: run `foreart build` again")
            continue
        arrays = state.indexes[name].postings or name
        if arrays not in damaged:  # several word indexes share their postings
            damaged[arrays] = state.verify(name)
        if damaged[arrays]:
            yield HealthCheck(f"index {name}", "bad", "; ".join(damaged[arrays]))
        elif not state.alignment_is_right(name):
            sentence = f"its rows in {state.view_folder} are not those of the view: run `foreart build`"
            yield HealthCheck(f"index {name}", "bad", sentence)
        elif index.description.corpus != corpus.fingerprint:
            yield HealthCheck(f"index {name}", "note", "older than the corpus: run `foreart build` again")
        else:
            sentence = f"{len(index):,} documents, up to date with the corpus; all checksums match"
            yield HealthCheck(f"index {name}", "ok", sentence)


def published_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """What changed since the indexes were published together; no finding if nothing was built yet."""
    folder = corpus.path.parent
    if not (folder / PUBLISHED).exists():
        return
    try:
        state = published_state(folder)
        note = changes_since(corpus, state.view).note
    except ForeartError as error:
        yield HealthCheck("published", "bad", str(error))
        return
    indexes = f"{len(state.indexes)} indexes and the view of the corpus are one published state"
    if newest(folder).indexes != state.indexes:
        yield HealthCheck("published", "note", f"{indexes}; a build was interrupted: `foreart build` completes it")
    elif note:
        yield HealthCheck("published", "note", f"{indexes}; {note}")
    else:
        yield HealthCheck("published", "ok", indexes)


def view_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """The view of the corpus; no finding if nothing was built yet."""
    folder = published_state(corpus.path.parent).view_folder
    if not (folder / VIEW).exists():
        if (corpus.path.parent / "indexes").exists():
            yield HealthCheck("view", "note", f"searches need {folder / VIEW}: `foreart build` creates it")
        return
    try:
        view, wrong = load_view(folder), damaged_columns(folder)
    except ForeartError as error:
        yield HealthCheck("view", "bad", str(error))
        return
    if wrong:
        sentence = f"{folder / VIEW}: wrong checksum of {', '.join(wrong)}: run `foreart build`"
        yield HealthCheck("view", "bad", sentence)
    elif view.corpus != corpus.fingerprint:
        yield HealthCheck("view", "note", "older than the corpus: run `foreart build` again")
    else:
        links = f"{len(view.cited.values):,} citations" if len(view.cited.values) else "no citations except in texts"
        sentence = f"{len(view):,} documents, up to date with the corpus; {links}; all checksums match"
        yield HealthCheck("view", "ok", sentence)
