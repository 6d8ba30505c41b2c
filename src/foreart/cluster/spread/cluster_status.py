"""What a cluster says of itself and of a library: its workers, the shards of each, and whether it can open them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from foreart.cluster.spread.shard_plan import placed
from foreart.cluster.spread.spread_state import SpreadStates


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """A worker: the numbers of the shards that it answers for, of those it has as the second, and what is wrong."""

    name: str
    address: str
    threads: int
    shards: tuple[int, ...]
    copies: tuple[int, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """A cluster and a library."""

    address: str
    library: str
    fingerprint: str
    documents: int
    shards: int
    workers: tuple[WorkerStatus, ...]

    @property
    def holds(self) -> bool:
        """Whether every worker can answer."""
        return not any(worker.problem for worker in self.workers)


def cluster_status(states: SpreadStates, library: Path) -> ClusterStatus:
    """Lets every worker open its shards of the published state, and reports those that cannot."""
    state = states(library)
    workers = {worker.name: worker for worker in states.door.workers()}
    plan = state.shards.plan
    places = placed(plan, list(workers))
    problems = state.shards.opened_by(list(workers.values()), places)
    return ClusterStatus(
        address=str(states.settings.home),
        library=str(library),
        fingerprint=plan.fingerprint,
        documents=len(state.view),
        shards=len(plan.shards),
        workers=tuple(
            WorkerStatus(
                name,
                worker.address,
                worker.threads,
                tuple(number for number, names in places.items() if names[0] == name),
                tuple(number for number, names in places.items() if name in names[1:]),
                problems[name],
            )
            for name, worker in workers.items()
        ),
    )
