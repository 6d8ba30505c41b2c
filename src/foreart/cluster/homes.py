"""Opens the published state of a library where its settings, or `--on`, say."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from foreart.cluster.cluster_settings import cluster_settings
from foreart.index.published_state import PublishedState, published_state


class StateOpener(Protocol):
    """Opens the state that searches use; keeps a connection, if it has one, until it is closed."""

    def __call__(self, library: Path) -> PublishedState:
        """The state that searches use now."""

    def close(self) -> None:
        """Ends the connection."""


class OwnStates:
    """Opens the states of a library on this machine."""

    def __call__(self, library: Path) -> PublishedState:
        """The state that searches use now."""
        return published_state(library)

    def close(self) -> None:
        """There is nothing to end."""


def state_opener(library: Path, on: str = "") -> StateOpener:
    """How the states of a library are opened; `on` is an address, `here`, or nothing for the library's settings."""
    settings = cluster_settings(library, on)
    if settings.home is None:
        return OwnStates()
    from foreart.cluster.spread.spread_state import SpreadStates

    return SpreadStates(settings)
