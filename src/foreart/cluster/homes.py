"""Opens the published state of a library, and stores it, where its settings, or `--on`, say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from foreart.cluster.build_workers import build_pool
from foreart.cluster.cluster_settings import cluster_settings
from foreart.corpus import Corpus
from foreart.index.published_state import PublishedState, published_state, state_name
from foreart.part_files import TaskPool


class StateOpener(Protocol):
    """Opens the state that searches use; keeps a connection, if it has one, until it is closed."""

    def __call__(self, library: Path) -> PublishedState:
        """The state that searches use now."""

    def name(self, library: Path) -> str:
        """A text that changes whenever another state is published, without opening it."""

    def close(self) -> None:
        """Ends the connection."""


class OwnStates:
    """Opens the states of a library on this machine."""

    def __call__(self, library: Path) -> PublishedState:
        """The state that searches use now."""
        return published_state(library)

    def name(self, library: Path) -> str:
        """A text that changes whenever another state is published."""
        return state_name(library)

    def close(self) -> None:
        """There is nothing to end."""


def state_opener(library: Path, on: str = "") -> StateOpener:
    """How the states of a library are opened; `on` is an address, `here`, or nothing for the library's settings."""
    settings = cluster_settings(library, on)
    if settings.home is None:
        return OwnStates()
    if settings.home.kind == "opensearch":
        from foreart.cluster.opensearch.asking.stored_states import ClusterStates

        return ClusterStates(settings)
    from foreart.cluster.spread.spread_state import SpreadStates

    return SpreadStates(settings)


@contextmanager
def build_home(
    library: Path, corpus: Corpus, on: str = "", progress: Callable[[int, int], None] | None = None
) -> Iterator[TaskPool | None]:
    """The workers that build a library, None for this machine; then stores what was built, if its home is a store."""
    with build_pool(library, on) as pool:
        yield pool
    settings = cluster_settings(library, on)
    if settings.home is not None and settings.home.kind == "opensearch":
        from foreart.cluster.opensearch.storing.state_storing import store_state

        store_state(library, corpus, settings, progress)
