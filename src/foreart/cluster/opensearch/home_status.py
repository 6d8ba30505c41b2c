"""What an OpenSearch cluster says of a library: its health, and the state that searches there use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from foreart.cluster.opensearch.asking.stored_states import ClusterStates
from foreart.cluster.opensearch.storing.stored_documents import check_complete
from foreart.cluster.spread.shard_plan import fingerprint_of, state_record
from foreart.errors import ForeartError
from foreart.index.published_state import published_state


@dataclass(frozen=True, slots=True)
class HomeStatus:
    """An OpenSearch cluster and a library. `newest` is whether it has the state that was built last."""

    address: str
    version: str
    health: str
    nodes: int
    name: str
    index: str
    documents: int
    stored: int
    bytes: int
    shards: int
    newest: bool
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether searches are answered in full."""
        return not self.problem


def home_status(states: ClusterStates, library: Path) -> HomeStatus:
    """Asks for the health of the cluster, and whether every document of the state is there."""
    door = states.door
    version = str(door.call("GET", "/").get("version", {}).get("number", ""))
    health = door.call("GET", "/_cluster/health")
    current = states.aliases.current()
    if current is None:
        raise states.aliases.nothing_stored()
    index, stored = current
    stored_bytes, shards = _size(states, index)
    documents, problem = 0, ""
    try:
        answer = door.call("POST", f"/{index}/_search", {"size": 0, "track_total_hits": True})
        check_complete(answer, index)
        documents = int(answer["hits"]["total"]["value"])
        if documents != stored.documents:
            problem = f"{index} has {documents} of {stored.documents} documents: delete it and store it again"
    except ForeartError as error:
        problem = str(error)
    return HomeStatus(
        str(door.home),
        version,
        str(health.get("status", "")),
        int(health.get("number_of_nodes", 0)),
        states.aliases.name,
        index,
        stored.documents,
        documents,
        stored_bytes,
        shards,
        fingerprint_of(state_record(published_state(library))) == stored.fingerprint,
        problem,
    )


def _size(states: ClusterStates, index: str) -> tuple[int, int]:
    """The bytes of all copies, and the number of shards; zeros without the right to know."""
    try:
        stats = states.door.call("GET", f"/{index}/_stats/store")
    except ForeartError:
        return 0, 0
    return int(stats["_all"]["total"].get("store", {}).get("size_in_bytes", 0)), int(stats["_shards"]["total"])
