"""The state of a library that an OpenSearch cluster has, as searches see it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from foreart.cluster.cluster_settings import ClusterSettings
from foreart.cluster.opensearch.asking.field_asking import FieldAsker
from foreart.cluster.opensearch.asking.multi_search import MultiSearch
from foreart.cluster.opensearch.asking.stored_index import StoredIndex
from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor, opensearch_door
from foreart.cluster.opensearch.stored_fields import DEFAULT_NAME, StoredState
from foreart.cluster.opensearch.storing.index_aliases import Aliases
from foreart.cluster.spread.shard_plan import state_of
from foreart.errors import IndexingError, StaleIndex
from foreart.index import Index
from foreart.index.published_state import PublishedState
from foreart.index.storage.row_alignment import Alignment

# Seconds for which the alias is not looked up again.
_FRESH = 2.0


@dataclass(frozen=True, eq=False)
class ClusterState(PublishedState):
    """A state whose documents are scored by the index `stored_in` of a cluster."""

    door: OpenSearchDoor = field(kw_only=True)
    stored_in: str = field(kw_only=True)
    stored: StoredState = field(kw_only=True)
    gone: Callable[[], None] = field(kw_only=True)
    _asked: dict[str, Index] = field(default_factory=dict, kw_only=True)

    def index(self, name: str) -> Index:
        """An index of the state."""
        if name not in self._asked:
            try:
                whole = super().index(name)
            except (OSError, IndexingError) as error:
                raise _not_here(self, error) from None
            self._asked[name] = StoredIndex(whole, self.stored.by_index.get(name), self._asker, self.view.ids)
        return self._asked[name]

    def alignment(self, name: str) -> Alignment | None:
        """None for indexes that the cluster has, whose rows are those of the view whatever their order is here."""
        return None if name in self.stored.by_index else super().alignment(name)

    @cached_property
    def _asker(self) -> FieldAsker:
        return FieldAsker(MultiSearch(self.door, self.stored_in, gone=self.gone), self.view.days, self.view.ids)


class ClusterStates:
    """Opens the state that the alias of a library names; `door` is the connection of all of them."""

    def __init__(self, settings: ClusterSettings, door: OpenSearchDoor | None = None) -> None:
        self.settings = settings
        self.door = door or opensearch_door(settings)
        self.aliases = Aliases(self.door, settings.name or DEFAULT_NAME)
        self._known: tuple[float, str, StoredState] | None = None

    def __call__(self, library: Path) -> ClusterState:
        """The state that searches use now."""
        index, stored = self._current(fresh=True)
        state = state_of(library, stored.state)
        found = ClusterState(
            library,
            state.indexes,
            state.postings,
            state.view_name,
            door=self.door,
            stored_in=index,
            stored=stored,
            gone=self._forget,
        )
        try:
            same = found.view.corpus == stored.corpus
        except (OSError, IndexingError) as error:
            raise _not_here(found, error) from None
        if not same:
            raise _not_here(found, None)
        return found

    def name(self, library: Path) -> str:
        """The index that the alias names now: what changes when another state is published."""
        return self._current(fresh=False)[0]

    def _forget(self) -> None:
        """Looks the alias up again: its index was deleted, so there may be another one."""
        self._known = None

    def _current(self, *, fresh: bool) -> tuple[str, StoredState]:
        now = time.monotonic()
        if self._known is None or fresh or now > self._known[0] + _FRESH:
            current = self.aliases.current()
            if current is None:
                raise self.aliases.nothing_stored()
            self._known = now, *current
        return self._known[1], self._known[2]

    def close(self) -> None:
        """Ends the connection."""
        self.door.close()


def _not_here(state: ClusterState, error: Exception | None) -> StaleIndex:
    reason = f" ({error})" if error is not None and not isinstance(error, OSError) else ""
    return StaleIndex(
        f"{state.library} does not have the state that {state.door.home} has{reason}: `foreart build --on "
        f"{state.door.home}` stores the one that it has"
    )
