"""Checks of what people keep in a library: settings of a cluster, matters, records of the desk."""

from __future__ import annotations

import json
from collections.abc import Iterator

from foreart.cluster.cluster_settings import cluster_settings
from foreart.cluster.spread.shard_plan import FILE as SHARDS
from foreart.cluster.spread.shard_plan import kept_plan
from foreart.corpus import Corpus
from foreart.doctor.health_check import HealthCheck
from foreart.errors import ClusterError, DamagedMatter, MatterError
from foreart.review.matters import list_matters, matter_path
from foreart.review.matters.event_log import EventLog

_DESK = "desk"


def cluster_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """Where the library is searched, and the plan of its shards; no finding for a library of this machine alone."""
    folder = corpus.path.parent
    try:
        home = cluster_settings(folder).home
    except ClusterError as error:
        yield HealthCheck("cluster", "bad", str(error))
    else:
        if home is not None:
            yield HealthCheck("cluster", "note", f"searches and builds of this library run on {home}")
    if (folder / SHARDS).exists() and kept_plan(folder) is None:
        sentence = f"{folder / SHARDS} cannot be read: the next search on the cluster writes it again"
        yield HealthCheck("shards", "note", sentence)


def matter_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """Every matter that is not sealed, from its first event to its last; no finding if there is none."""
    entries = list_matters(corpus.path.parent)
    sealed = sum(entry.sealed for entry in entries)
    verified = 0
    for entry in entries:
        if entry.sealed:
            continue
        try:
            EventLog(matter_path(corpus.path.parent, entry.name)).close()
            verified += 1
        except MatterError as error:
            yield HealthCheck(f"matter {entry.name}", "bad" if isinstance(error, DamagedMatter) else "note", str(error))
    if entries:
        unread = f"; {sealed} sealed, which only their passphrases can verify" if sealed else ""
        yield HealthCheck("matters", "ok", f"{verified} verified{unread}")


def desk_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """The drafts, searches and grades that the desk keeps; no finding if it keeps none."""
    files = sorted((corpus.path.parent / _DESK).glob("*/*.json"))
    readable = 0
    for file in files:
        try:
            json.loads(file.read_bytes())
            readable += 1
        except (OSError, ValueError, RecursionError) as error:
            sentence = f"{file} cannot be read ({type(error).__name__}): restore it from a backup, or delete it"
            yield HealthCheck("desk", "bad", sentence)
    if files and readable == len(files):
        yield HealthCheck("desk", "ok", f"{readable:,} kept {'record' if readable == 1 else 'records'}, readable")
