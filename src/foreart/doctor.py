"""Health checks of installation, corpus, indexes and ranking; nothing is changed."""

from __future__ import annotations

import platform
import re
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path
from typing import Literal

from foreart.corpus import Corpus, integrity
from foreart.corpus.indexed_corpus import changes_since
from foreart.corpus.views import FILE as VIEW
from foreart.corpus.views import damaged_columns, load_view
from foreart.errors import CorpusError, ForeartError, IndexingError
from foreart.index import load
from foreart.index.published_state import FILE as PUBLISHED
from foreart.index.published_state import newest, published_state
from foreart.review.queue import FILE as REVIEW
from foreart.review.queue import load_review
from foreart.search.ranking import LEARNED, load_learned, outgrown, ranking_path

_REPAIR = "keep a copy, then load its files into a new library"
# A line of metadata such as `gensim>=4.4; python_version < '3.14' and extra == 'word2vec'`.
_REQUIREMENT = re.compile(r"(?P<package>[\w.-]+)[^;]*;.*\bextra == ['\"](?P<extra>\w+)['\"]")
# The maximum number of records that are read back: about half a minute.
MAX_RECORDS = 20_000


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The result of one check: `ok`, `note` (information) or `bad` (the sentence says how to repair it)."""

    subject: str
    state: Literal["ok", "note", "bad"]
    sentence: str


def examine(folder: Path) -> list[HealthCheck]:
    """Runs all checks of a library folder and the installation."""
    return [*_installation(), *_disk(folder), *_corpus(folder)]


def _installation() -> Iterator[HealthCheck]:
    yield HealthCheck(
        "foreart", "ok", f"{version('foreart')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    for extra, packages in sorted(extras().items()):
        if all(map(_is_installed, packages)):
            yield HealthCheck(f"extra {extra}", "ok", "installed")
        else:
            yield HealthCheck(f"extra {extra}", "note", f"not installed: pip install 'foreart[{extra}]'")


def extras() -> dict[str, list[str]]:
    """The packages of each extra, from the metadata of this installation; without `all`, the union of the others."""
    packages: dict[str, list[str]] = {}
    for line in metadata("foreart").get_all("Requires-Dist") or ():
        match = _REQUIREMENT.match(line)
        if match and match["extra"] != "all":
            packages.setdefault(match["extra"], []).append(match["package"])
    return packages


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def _disk(folder: Path) -> Iterator[HealthCheck]:
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(existing).free
    state: Literal["ok", "bad"] = "ok" if free > 1 << 30 else "bad"
    yield HealthCheck("disk", state, f"{free / (1 << 30):.1f} GiB free at {existing}")


def _corpus(folder: Path) -> Iterator[HealthCheck]:
    path = folder / "corpus.db"
    if not path.exists():
        yield HealthCheck("corpus", "note", f"none at {path} yet: `foreart add FILE...` creates it")
        return
    try:
        corpus = Corpus(path)
    except CorpusError as error:
        yield HealthCheck("corpus", "bad", str(error))
        return
    with corpus:
        for check in (_database, _records, _loads, _published, _indexes, _view, _learned, _review):
            try:
                yield from list(check(corpus))
            except IndexingError as error:
                yield HealthCheck("published", "bad", str(error))
            except sqlite3.DatabaseError as error:
                yield HealthCheck("corpus", "bad", f"{path} is damaged ({error}): {_REPAIR}")


def _database(corpus: Corpus) -> Iterator[HealthCheck]:
    problems = integrity.file_problems(corpus)
    if problems:
        yield HealthCheck("corpus", "bad", f"{corpus.path} is damaged ({'; '.join(problems)}): {_REPAIR}")
    else:
        yield HealthCheck("corpus", "ok", f"{corpus.path}: {len(corpus):,} patents, file intact")
    if integrity.families_are_stale(corpus):
        yield HealthCheck(
            "families", "note", "not computed since the last change: the next `foreart add` computes them"
        )


def _records(corpus: Corpus) -> Iterator[HealthCheck]:
    step = max(1, len(corpus) // MAX_RECORDS)
    examined = list(integrity.examined_records(corpus, step))
    bad = [number for number, intact in examined if not intact]
    if bad:
        yield HealthCheck(
            "records", "bad", f"{len(bad)} are damaged, {bad[0]} among them: remove them and add their files again"
        )
    else:
        which = "every stored patent reads" if step == 1 else f"{len(examined):,} stored patents, evenly spaced, read"
        yield HealthCheck("records", "ok", f"{which} back as stored")


def _loads(corpus: Corpus) -> Iterator[HealthCheck]:
    for file, done in integrity.unfinished_loads(corpus):
        yield HealthCheck(
            "loading", "note", f"{file} was interrupted after record {done:,}: `foreart add {file}` continues"
        )
    rejected = integrity.reject_count(corpus)
    if rejected:
        yield HealthCheck("rejects", "note", f"{rejected:,} records could not be read: `foreart rejects` lists them")


def _indexes(corpus: Corpus) -> Iterator[HealthCheck]:
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


def _published(corpus: Corpus) -> Iterator[HealthCheck]:
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


def _view(corpus: Corpus) -> Iterator[HealthCheck]:
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


def _learned(corpus: Corpus) -> Iterator[HealthCheck]:
    path = ranking_path(corpus.path.parent) / LEARNED
    if not path.exists():
        if (published_state(corpus.path.parent).view_folder / VIEW).exists():
            sentence = "default weights: `foreart learn` learns weights from this corpus"
            yield HealthCheck("ranking", "note", sentence)
        return
    try:
        learned = load_learned(path)
    except ForeartError as error:
        yield HealthCheck("ranking", "bad", str(error))
        return
    reason = outgrown(learned, corpus)
    state = "this state of the corpus" if learned.corpus == corpus.fingerprint else "an earlier state of the corpus"
    queries = learned.training.get("queries", learned.training.get("teachers", 0))  # the key of foreart 0.1
    sentence = f"learned from {queries:,} documents of {state}"
    if reason:
        yield HealthCheck("ranking", "note", f"{sentence}; {reason}: `foreart learn` again")
    else:
        yield HealthCheck("ranking", "ok", sentence)


def _review(corpus: Corpus) -> Iterator[HealthCheck]:
    """What reviews use; no finding before a ranking was learned, or if that cannot be read."""
    folder = ranking_path(corpus.path.parent)
    try:
        ranking = load_learned(folder / LEARNED) if (folder / LEARNED).exists() else None
    except ForeartError:
        return
    if ranking is None:
        return
    if not (folder / REVIEW).exists():
        sentence = "default weights, and no estimate of what is unread: `foreart learn` learns both"
        yield HealthCheck("review", "note", sentence)
        return
    try:
        review = load_review(folder / REVIEW)
    except ForeartError as error:
        yield HealthCheck("review", "bad", str(error))
        return
    sentence = f"learned from {review.training.get('reviews', 0):,} simulated reviews"
    if review.ranking != ranking.fingerprint:
        yield HealthCheck("review", "note", f"{sentence} of another ranking: `foreart learn` again")
    elif review.stopping is None:
        yield HealthCheck("review", "note", f"{sentence}; these are too few to estimate what is unread")
    else:
        yield HealthCheck("review", "ok", f"{sentence} of this ranking")
