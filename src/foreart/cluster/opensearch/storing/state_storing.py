"""Stores the published state of a library in an OpenSearch cluster, and lets searches use it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foreart.cluster.cluster_settings import ClusterSettings
from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor, opensearch_door
from foreart.cluster.opensearch.stored_fields import DEFAULT_NAME, StoredState, index_body, index_of, stored_state
from foreart.cluster.opensearch.storing.bulk_sending import BulkSender
from foreart.cluster.opensearch.storing.document_records import DocumentRecords
from foreart.cluster.opensearch.storing.index_aliases import Aliases
from foreart.cluster.opensearch.storing.stored_documents import await_copies, missing_rows, refresh
from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import as_indexed
from foreart.corpus.writer import lock
from foreart.durable import replace_text
from foreart.errors import ClusterError, StaleIndex
from foreart.index.published_state import PublishedState, published_state

# What says of an alias which library it belongs to, so that no other library takes it.
_IDENTITY = "library-id"
# At most so many shards, one for each node that holds data.
_MOST_SHARDS = 8


@dataclass(frozen=True, slots=True)
class Storing:
    """What a storing did: the index, the documents that were sent, and those that were there already."""

    index: str
    sent: int
    there: int


def store_state(
    library: Path,
    corpus: Corpus,
    settings: ClusterSettings,
    progress: Callable[[int, int], None] | None = None,
    door: OpenSearchDoor | None = None,
) -> Storing:
    """Stores the published state behind the alias; what a killed storing has sent is not sent again."""
    door = door or opensearch_door(settings)
    state = published_state(library)
    if not state.indexes:
        raise ClusterError(f"there is no index in {library} to store: `foreart build` builds them")
    try:
        with closing(lock(library / "store.writer", library, ClusterError)):
            return _stored(library, corpus, settings, state, door, progress or (lambda done, total: None))
    finally:
        door.close()


def _stored(
    library: Path,
    corpus: Corpus,
    settings: ClusterSettings,
    state: PublishedState,
    door: OpenSearchDoor,
    progress: Callable[[int, int], None],
) -> Storing:
    aliases = Aliases(door, settings.name or DEFAULT_NAME)
    stored = stored_state(state, identity(library))
    index = index_of(aliases.name, stored.fingerprint)
    aliases.check_owner(stored)
    aliases.remove_old(stored.library, keep=index)
    known = aliases.description(index)
    if known is None:
        aliases.create(index, index_body(stored, shards=settings.shards or _shards(door)))
    elif known.fingerprint != stored.fingerprint or known.fields != stored.fields:
        raise ClusterError(f"the index {index} has another form: delete it, and run the same command again")
    allow_many_clauses(door)
    refresh(door, index)
    missing = missing_rows(door, index, state.view)
    if len(missing):
        aliases.open_for_writing(index)
        try:
            _send(state, corpus, stored, door, aliases.writing(index), missing, progress)
        except StaleIndex:  # unless another machine has stored the rest of it meanwhile
            current = aliases.current()
            if current is None or current[0] != index:
                raise
        refresh(door, index)
        if left := len(missing_rows(door, index, state.view)):
            raise ClusterError(f"{index} lacks {left} documents that were stored: run the same command again")
    await_copies(door, index)
    aliases.switch(index)
    return Storing(index, len(missing), len(state.view) - len(missing))


def _send(
    state: PublishedState,
    corpus: Corpus,
    stored: StoredState,
    door: OpenSearchDoor,
    alias: str,
    rows: np.ndarray,
    progress: Callable[[int, int], None],
) -> None:
    indexes = {field.index: state.index(field.index) for field in stored.fields}
    records = DocumentRecords(stored, indexes, state.view, as_indexed(corpus, state.view))
    done, total = len(state.view) - len(rows), len(state.view)

    def sent(number: int) -> None:
        nonlocal done
        done += number
        progress(done, total)

    BulkSender(door, alias).send(records.of(rows), sent)


def identity(library: Path) -> str:
    """A random name of a library, kept in it: what it has stored is recognised by it, wherever the folder is."""
    path = library / _IDENTITY
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        replace_text(path, secrets.token_hex(8) + "\n")
        return path.read_text("utf-8").strip()


def _shards(door: OpenSearchDoor) -> int:
    """One for each node that holds data."""
    nodes = int(door.call("GET", "/_cluster/health").get("number_of_data_nodes", 1))
    return max(1, min(nodes, _MOST_SHARDS))


def allow_many_clauses(door: OpenSearchDoor) -> None:
    """Lets queries have as many words as drafts have; without the right to that, they are asked in parts."""
    try:
        door.call("PUT", "/_cluster/settings", {"persistent": {"indices.query.bool.max_clause_count": 16_384}})
    except ClusterError:
        return
