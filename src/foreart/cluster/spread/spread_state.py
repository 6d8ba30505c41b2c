"""The published state of a library whose indexes are scored by a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from foreart.cluster.cluster_settings import ClusterSettings
from foreart.cluster.spread.dask_door import DaskDoor, door_of
from foreart.cluster.spread.shard_asking import Shards
from foreart.cluster.spread.shard_plan import ShardPlan, fingerprint_of, keep_plan, kept_plan, plan_of, state_record
from foreart.cluster.spread.spread_index import SpreadIndex
from foreart.index import Index
from foreart.index.published_state import PublishedState, published_state, state_name


@dataclass(frozen=True, eq=False)
class SpreadState(PublishedState):
    """A published state; its indexes ask the shards of `plan`, the view and the postings are mapped from the folder."""

    door: DaskDoor = field(kw_only=True)
    settings: ClusterSettings = field(kw_only=True)
    _spread: dict[str, Index] = field(default_factory=dict, kw_only=True)

    def index(self, name: str) -> Index:
        """An index of the state."""
        if name not in self._spread:
            whole = super().index(name)
            self._spread[name] = SpreadIndex(name, whole, lambda: self.shards) if len(whole) else whole
        return self._spread[name]

    @cached_property
    def shards(self) -> Shards:
        """The shards, by the plan that is kept, or by a new one."""
        record = state_record(self)
        folder = Path(self.settings.folder or self.library.resolve())
        return Shards(self.door, self._plan(fingerprint_of(record)), record, folder, version("foreart"))

    def _plan(self, fingerprint: str) -> ShardPlan:
        kept = kept_plan(self.library)
        wanted = self.settings.shards or (kept.asked if kept else 0) or len(self.door.workers())
        if kept is not None and kept.fingerprint == fingerprint and kept.asked == wanted:
            return kept
        plan = plan_of(fingerprint, self.wholes, wanted)
        with suppress(OSError):  # a library that may not be written is searched all the same
            keep_plan(self.library, plan, self._files())
        return plan

    @property
    def wholes(self) -> Mapping[str, Index]:
        """The indexes as this machine has them."""
        return {name: super(SpreadState, self).index(name) for name in self.indexes}

    def _files(self) -> set[Path]:
        folders = {folder / name for folder, names in self.generations().items() for name in names}
        return {*folders, self.view_folder}


class SpreadStates:
    """Opens the published states of a library on one cluster, over one connection."""

    def __init__(self, settings: ClusterSettings) -> None:
        self.settings = settings
        self.door = door_of(settings)

    def __call__(self, library: Path) -> SpreadState:
        """The state that searches use now."""
        state = published_state(library)
        return SpreadState(
            library, state.indexes, state.postings, state.view_name, door=self.door, settings=self.settings
        )

    def name(self, library: Path) -> str:
        """A text that changes whenever another state is published."""
        return state_name(library)

    def close(self) -> None:
        """Ends the connection."""
        self.door.close()
