"""The alias of a library and the indexes behind it: which one searches use, and which may be deleted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.cluster.opensearch.stored_fields import StoredState, of_mapping
from foreart.errors import ClusterError


@dataclass(frozen=True, slots=True)
class Aliases:
    """The alias `name`; its indexes are `name-FINGERPRINT`, and are written through an alias of their own."""

    door: OpenSearchDoor
    name: str

    def writing(self, index: str) -> str:
        """The alias through which an index is written: a request to it never makes an index."""
        return f"{index}.writing"

    def current(self) -> tuple[str, StoredState] | None:
        """The index that searches use, and what it says of itself; None if nothing was stored."""
        found = self.door.found(f"/{self.name}/_mapping")
        if not found:
            return None
        if len(found) > 1:
            raise ClusterError(f"{self.name} names {len(found)} indexes of {self.door.home}: leave it one of them")
        ((index, about),) = found.items()
        return index, of_mapping(about["mappings"], index)

    def nothing_stored(self) -> ClusterError:
        """What to say if `current` is None."""
        home = self.door.home
        return ClusterError(f"nothing was stored as {self.name} on {home}: `foreart build --on {home}` stores it")

    def description(self, index: str) -> StoredState | None:
        """What an index says of itself; None if there is none."""
        found = self.door.found(f"/{index}/_mapping")
        return of_mapping(found[index]["mappings"], index) if found else None

    def check_owner(self, stored: StoredState) -> None:
        """ClusterError if the alias is of another library, or an index has its name."""
        current = self.current()
        if current is None:
            return
        index, known = current
        if index == self.name:
            raise ClusterError(f"{self.name} is an index of {self.door.home}: choose another --name")
        if known.library != stored.library:
            raise ClusterError(
                f"{self.name} on {self.door.home} belongs to another library: choose another name with "
                f"`foreart cluster use {self.door.home} --name NAME`"
            )

    def create(self, index: str, body: dict[str, Any]) -> None:
        """Makes an index, and the alias through which it is written; waits until every shard has its copy.

        A node that is lost before would take the only one with it.
        """
        whole = {**body, "aliases": {self.writing(index): {}}}
        self.door.call("PUT", f"/{index}", whole, wait_for_active_shards="all")

    def open_for_writing(self, index: str) -> None:
        """The alias through which an index is written, if it was taken from it."""
        self._change([{"add": {"index": index, "alias": self.writing(index)}}])

    def switch(self, index: str) -> None:
        """Lets searches use an index: one request takes the alias from all others and gives it to this one."""
        mine = set(self._aliases())
        actions: list[dict[str, Any]] = [
            {"remove": {"index": other, "alias": self.name}} for other in sorted(mine - {index}) if self._has(other)
        ]
        actions.append({"add": {"index": index, "alias": self.name}})
        actions.append({"remove": {"index": index, "alias": self.writing(index), "must_exist": False}})
        self._change(actions)

    def remove_old(self, library: str, *, keep: str) -> None:
        """Deletes all indexes of a library but the one that searches use and `keep`: before a state is stored.

        The one that a state replaces stays until the next state is stored, so that searches which have begun end.
        """
        current = self.current()
        kept = {keep, current[0] if current else ""}
        for index in self._aliases():
            about = None if index in kept else self.description(index)
            if about is not None and about.library == library:
                self.door.call("DELETE", f"/{index}", ignore_unavailable="true")

    def _aliases(self) -> dict[str, set[str]]:
        """The aliases of each index of this library, by the form of their names."""
        found = self.door.found(f"/{self.name}-*/_alias") or {}
        own = re.compile(rf"{re.escape(self.name)}-[0-9a-f]{{16}}")
        return {index: set(about["aliases"]) for index, about in found.items() if own.fullmatch(index)}

    def _has(self, index: str) -> bool:
        return self.name in self._aliases().get(index, set())

    def _change(self, actions: list[dict[str, Any]]) -> None:
        answer = self.door.call("POST", "/_aliases", {"actions": actions})
        if not answer.get("acknowledged"):
            raise ClusterError(f"{self.door.home} did not confirm a change of aliases: run the same command again")
