"""Checks of the corpus: its file, its records, unfinished loads."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.corpus import Corpus, integrity
from foreart.doctor.health_check import HealthCheck

REPAIR = "keep a copy, then load its files into a new library"
# The maximum number of records that are read back: about half a minute.
MAX_RECORDS = 20_000


def database_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """The pages of the file, and whether families are up to date."""
    problems = integrity.file_problems(corpus)
    if problems:
        yield HealthCheck("corpus", "bad", f"{corpus.path} is damaged ({'; '.join(problems)}): {REPAIR}")
    else:
        yield HealthCheck("corpus", "ok", f"{corpus.path}: {len(corpus):,} patents, file intact")
    if integrity.families_are_stale(corpus):
        yield HealthCheck(
            "families", "note", "not computed since the last change: the next `foreart add` computes them"
        )


def record_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """Stored patents, read back and compared with their hashes."""
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


def load_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """Interrupted loads, and records that could not be read."""
    for file, done in integrity.unfinished_loads(corpus):
        yield HealthCheck(
            "loading", "note", f"{file} was interrupted after record {done:,}: `foreart add {file}` continues"
        )
    rejected = integrity.reject_count(corpus)
    if rejected:
        yield HealthCheck("rejects", "note", f"{rejected:,} records could not be read: `foreart rejects` lists them")
