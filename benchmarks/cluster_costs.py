"""What a search costs on one process and on clusters, asked in turn, draft by draft, in the same minutes."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from cluster_running import Running, anonymous, bytes_sent, running
from foreart.cluster.cluster_settings import HERE, ClusterSettings, keep_settings
from foreart.document.draft import Draft
from foreart.library import Library
from foreart.search import Result

K = 100
ONE = "one process"


@dataclass
class Home:
    """A library that is searched in one place, and what that took by draft."""

    name: str
    library: Library
    cluster: Running | None = None
    seconds: dict[int, list[float]] = field(default_factory=dict)
    asking: float = 0.0
    working: float = 0.0
    sent: int = 0
    different: int = 0

    def round(self, drafts: Sequence[Draft], wanted: Sequence[str]) -> None:
        """Searches for every draft once."""
        asking, working, sent = time.process_time(), self._working(), self._sent()
        for number, draft in enumerate(drafts):
            began = time.perf_counter()
            found = self.library.search(draft, k=K, passages=False)
            self.seconds.setdefault(number, []).append(time.perf_counter() - began)
            self.different += bool(wanted) and listed(found) != wanted[number]
        self.asking += time.process_time() - asking
        self.working += self._working() - working
        self.sent += self._sent() - sent

    def _working(self) -> float:
        return self.cluster.processor_seconds() if self.cluster else 0.0

    def _sent(self) -> int:
        return bytes_sent([os.getpid(), *self.cluster.processes]) if self.cluster else 0

    def figures(self, one: Home) -> dict[str, Any]:
        """Times in milliseconds; `more` is what a search takes longer than on one process, draft by draft."""
        every = sorted(each for times in self.seconds.values() for each in times)
        pairs = [
            theirs - ours
            for number, times in self.seconds.items()
            for theirs, ours in zip(times, one.seconds[number], strict=True)
        ]
        best = [min(times) - min(one.seconds[number]) for number, times in self.seconds.items()]
        return {
            "searches": len(every),
            "median_ms": _ms(median(every)),
            "best_ms": _ms(median(min(times) for times in self.seconds.values())),
            "slowest_ms": _ms(every[-1]),
            "processor_ms_asking": _ms(self.asking / len(every)),
            "processor_ms_cluster": _ms(self.working / len(every)),
            "kilobytes_sent": round(self.sent / len(every) / 1e3, 1),
            "more_ms_median": _ms(median(pairs)),
            "more_ms_of_best": _ms(median(best)),
            "different_from_one_process": self.different,
            "memory_mb": self.cluster.memory() if self.cluster else {"asking": round(anonymous(os.getpid()) / 1e6, 1)},
        }


def listed(result: Result) -> str:
    """The list with all digits of its scores."""
    return repr([(hit.id, hit.score) for hit in result.hits])


def costs(
    library: Path, drafts: Sequence[Draft], *, rounds: int, workers: Sequence[int], opensearch: str = ""
) -> dict[str, Any]:
    """Every home in turn; with OpenSearch if an address is given, where the library has been built."""
    with ExitStack() as opened:
        homes = [Home(ONE, opened.enter_context(Library(library, on=HERE)))]
        for number in workers:
            cluster = opened.enter_context(running(library, number))
            keep_settings(library, ClusterSettings(cluster.address, shards=number))
            home = Home(f"Dask, {number} workers", opened.enter_context(Library(library)), cluster)
            home.library.search(drafts[0], k=K, passages=False)  # the plan of its shards is made here
            keep_settings(library, ClusterSettings())
            homes.append(home)
        if opensearch:
            homes.append(Home("OpenSearch", opened.enter_context(Library(library, on=opensearch))))
        wanted: list[str] = [listed(homes[0].library.search(draft, k=K, passages=False)) for draft in drafts]
        for home in homes:  # warm
            home.round(drafts, [])
            home.seconds, home.asking, home.working, home.sent = {}, 0.0, 0.0, 0
        for _ in range(rounds):
            for home in homes:
                home.round(drafts, [] if home.name == "OpenSearch" else wanted)
        return {
            "drafts": len(drafts),
            "rounds": rounds,
            "load": os.getloadavg()[0],
            "homes": {home.name: home.figures(homes[0]) for home in homes},
            "disk_mb": _disk(library),
        }


def _disk(library: Path) -> dict[str, int]:
    """Megabytes of the corpus, and of the indexes and views that workers open."""
    sizes: dict[str, int] = {"corpus": 0, "indexes": 0}
    for path in library.rglob("*"):
        if path.is_file():
            sizes["corpus" if path.name.startswith("corpus.db") else "indexes"] += path.stat().st_size
    return {name: round(size / 1e6) for name, size in sizes.items()}


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
