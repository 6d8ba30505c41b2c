"""Runs all checks of a library folder and the installation."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from foreart.corpus import Corpus
from foreart.doctor.corpus_checks import REPAIR, database_checks, load_checks, record_checks
from foreart.doctor.health_check import HealthCheck
from foreart.doctor.index_checks import index_checks, published_checks, view_checks
from foreart.doctor.installation_checks import disk_check, installation_checks
from foreart.doctor.kept_file_checks import cluster_checks, desk_checks, matter_checks
from foreart.doctor.ranking_checks import candidate_checks, learned_checks, review_checks
from foreart.errors import CorpusError, IndexingError

_OF_CORPUS = (
    database_checks,
    record_checks,
    load_checks,
    published_checks,
    index_checks,
    view_checks,
    learned_checks,
    review_checks,
    candidate_checks,
    cluster_checks,
    matter_checks,
    desk_checks,
)


def examine(folder: Path) -> list[HealthCheck]:
    """Runs all checks of a library folder and the installation."""
    return [*installation_checks(), *disk_check(folder), *_corpus(folder)]


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
        for check in _OF_CORPUS:
            try:
                yield from list(check(corpus))
            except IndexingError as error:
                yield HealthCheck("published", "bad", str(error))
            except sqlite3.DatabaseError as error:
                yield HealthCheck("corpus", "bad", f"{path} is damaged ({error}): {REPAIR}")
