"""Is everything sound? Installation, corpus, indexes and ranking, examined without changing anything."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from foreart.corpus import Corpus
from foreart.corpus.packing import is_intact
from foreart.errors import CorpusError, ForeartError
from foreart.index import load, stored_at, verify
from foreart.search.ranking import (
    BIBLIOGRAPHY,
    LEARNED,
    load_bibliography,
    load_learned,
    outgrown,
    problems,
    ranking_path,
)

_MEND = "keep a copy, then load its files into a new library"
# So many records are read back at most: about half a minute.
RECORDS = 20_000
EXTRAS = {"plots": "matplotlib", "parquet": "pyarrow"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `ok`, `note` (worth knowing) or `bad` (to be mended, and how)."""

    subject: str
    state: Literal["ok", "note", "bad"]
    sentence: str


def examine(folder: Path) -> list[Finding]:
    """All findings about a library folder and the installation."""
    return [*_installation(), *_disk(folder), *_corpus(folder)]


def _installation() -> Iterator[Finding]:
    yield Finding(
        "foreart", "ok", f"{version('foreart')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    for extra, module in EXTRAS.items():
        if importlib.util.find_spec(module) is None:
            yield Finding(f"extra {extra}", "note", f"not installed: pip install 'foreart[{extra}]'")
        else:
            yield Finding(f"extra {extra}", "ok", "installed")


def _disk(folder: Path) -> Iterator[Finding]:
    place = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(place).free
    state: Literal["ok", "bad"] = "ok" if free > 1 << 30 else "bad"
    yield Finding("disk", state, f"{free / (1 << 30):.1f} GiB free at {place}")


def _corpus(folder: Path) -> Iterator[Finding]:
    path = folder / "corpus.db"
    if not path.exists():
        yield Finding("corpus", "note", f"none at {path} yet: `foreart add FILE...` makes it")
        return
    try:
        corpus = Corpus(path)
    except CorpusError as error:
        yield Finding("corpus", "bad", str(error))
        return
    with corpus:
        for look in (_database, _records, _loads, _indexes, _bibliography, _learned):
            try:
                yield from list(look(corpus))
            except sqlite3.DatabaseError as error:
                yield Finding("corpus", "bad", f"{path} is damaged ({error}): {_MEND}")


def _database(corpus: Corpus) -> Iterator[Finding]:
    connection = corpus.connection
    problems = [row[0] for row in connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    if problems or orphans:
        what = "; ".join(problems) or f"{len(orphans)} rows without their patent"
        yield Finding("corpus", "bad", f"{corpus.path} is damaged ({what}): {_MEND}")
    else:
        yield Finding("corpus", "ok", f"{corpus.path}: {len(corpus):,} patents, file intact")
    stale = connection.execute("SELECT 1 FROM meta WHERE key = 'families' AND value = 'stale'").fetchone()
    if stale:
        yield Finding("families", "note", "not computed since the last change: the next `foreart add` computes them")


def _records(corpus: Corpus) -> Iterator[Finding]:
    step = max(1, len(corpus) // RECORDS)
    bad: list[str] = []
    looked = 0
    rows = corpus.connection.execute(
        "SELECT id, content, json FROM patent LEFT JOIN record USING (serial) WHERE serial % ? = 0", (step,)
    )
    for number, content, blob in rows:
        looked += 1
        if blob is None or not is_intact(blob, content):
            bad.append(number)
    if bad:
        yield Finding(
            "records", "bad", f"{len(bad)} are damaged, {bad[0]} among them: remove them and add their files again"
        )
    else:
        which = "every stored patent reads" if step == 1 else f"{looked:,} stored patents, evenly chosen, read"
        yield Finding("records", "ok", f"{which} back as stored")


def _loads(corpus: Corpus) -> Iterator[Finding]:
    rows = corpus.connection.execute("SELECT file, done FROM load WHERE NOT finished").fetchall()
    for file, done in rows:
        yield Finding("loading", "note", f"{file} was interrupted behind record {done:,}: `foreart add {file}` goes on")
    rejected = corpus.connection.execute("SELECT count(*) FROM reject").fetchone()[0]
    if rejected:
        yield Finding("rejects", "note", f"{rejected:,} records could not be read: `foreart rejects` lists them")


def _indexes(corpus: Corpus) -> Iterator[Finding]:
    found = sorted(path for path in (corpus.path.parent / "indexes").glob("*") if path.is_dir())
    if not found:
        yield Finding("index", "note", "none yet: `foreart build` makes it")
    damaged: dict[Path, list[str]] = {}
    for path in found:
        try:
            index = load(path)
        except ForeartError as error:
            yield Finding(f"index {path.name}", "bad", str(error))
            continue
        place = stored_at(path)
        if place not in damaged:  # several indexes of words share their postings
            damaged[place] = verify(path)
        if damaged[place]:
            yield Finding(f"index {path.name}", "bad", "; ".join(damaged[place]))
        elif index.description.corpus != corpus.fingerprint:
            yield Finding(f"index {path.name}", "note", "older than the corpus: run `foreart build` again")
        else:
            sentence = f"{len(index):,} documents, of the corpus as it is; every byte as it was written"
            yield Finding(f"index {path.name}", "ok", sentence)


def _bibliography(corpus: Corpus) -> Iterator[Finding]:
    """Who cites and names whom: nothing to say where nothing was built."""
    place = ranking_path(corpus.path.parent)
    built = (place.parent / "indexes").exists()
    if not (place / BIBLIOGRAPHY).exists():
        if built:
            yield Finding(
                "citations", "note", "not read yet: `foreart build`, without a kind, makes what ranking needs"
            )
        return
    try:
        found = load_bibliography(place)
    except ForeartError as error:
        yield Finding("citations", "bad", str(error))
        return
    wrong = problems(found)
    if wrong:
        yield Finding("citations", "bad", f"{place / BIBLIOGRAPHY} has {'; '.join(wrong)}: run `foreart build` again")
    elif found.corpus != corpus.fingerprint:
        yield Finding("citations", "note", "older than the corpus: run `foreart build` again")
    else:
        links = f"{len(found.cited.values):,} citations" if not found.from_texts else "no citations but those in texts"
        yield Finding("citations", "ok", f"{len(found):,} documents, of the corpus as it is; {links}; all lists whole")


def _learned(corpus: Corpus) -> Iterator[Finding]:
    path = ranking_path(corpus.path.parent) / LEARNED
    if not path.exists():
        if (path.parent / BIBLIOGRAPHY).exists():
            sentence = "by the weights that foreart brings along: `foreart learn` learns those of this corpus"
            yield Finding("ranking", "note", sentence)
        return
    try:
        learned = load_learned(path)
    except ForeartError as error:
        yield Finding("ranking", "bad", str(error))
        return
    why = outgrown(learned, corpus)
    state = "this state of the corpus" if learned.corpus == corpus.fingerprint else "an earlier state of the corpus"
    told = f"learned from {learned.training.get('teachers', 0):,} documents of {state}"
    if why:
        yield Finding("ranking", "note", f"{told}; {why}: `foreart learn` again")
    else:
        yield Finding("ranking", "ok", told)
