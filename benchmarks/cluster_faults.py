"""Searches that go on for long, while workers are killed, or while builds are published; the memory they take."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from cluster_costs import listed
from cluster_running import Running, anonymous
from foreart.cluster.cluster_settings import HERE, ClusterSettings
from foreart.cluster.spread.dask_door import door_of
from foreart.document.draft import Draft
from foreart.library import Library

_POINTS, _WHOLE, _K, _BEST = 20, 50, 20, 3
_BETWEEN = 5  # searches between two kills, or two states


def soak(
    library: Path, cluster: Running, drafts: Sequence[Draft], searches: int, minutes: float = 600
) -> dict[str, Any]:
    """Searches one after another, one in fifty by all channels, the others by words alone, so that it ends in time."""
    memory: list[dict[str, float]] = []
    wanted: dict[tuple[int, bool], str] = {}
    different, number, began = 0, 0, time.perf_counter()
    with Library(library, on=cluster.address) as opened:
        while number < searches and time.perf_counter() - began < 60 * minutes:
            place, whole = number // _WHOLE % len(drafts), number % _WHOLE == 0
            index = "" if whole else "log-tfidf"
            found = listed(opened.search(drafts[place], k=_BEST, passages=False, index=index))
            different += wanted.setdefault((place, whole), found) != found
            number += 1
            if number % max(1, searches // _POINTS) == 0:
                own = round(anonymous(os.getpid()) / 1e6, 1)
                memory.append({"searches": number, **cluster.memory(), "asking": own})
                print(memory[-1], file=sys.stderr, flush=True)
    first = memory[len(memory) // 4]
    return {
        "searches": number,
        "by_all_channels": f"one in {_WHOLE}",
        "different": different,
        "seconds": round(time.perf_counter() - began),
        "megabytes": memory,
        "grown_mb_after_a_quarter": {
            name: round(memory[-1][name] - first[name], 1) for name in ("scheduler", "worker", "asking")
        },
    }


@dataclass
class Searching:
    """Threads that search until they are stopped, each over a connection of its own."""

    library: Path
    on: str
    drafts: Sequence[Draft]
    threads: int = 2
    spans: list[tuple[float, float]] = field(default_factory=list)
    lists: dict[int, set[str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def __enter__(self) -> Searching:
        self._stopped = threading.Event()
        self._running = [threading.Thread(target=self._search, args=(number,)) for number in range(self.threads)]
        for thread in self._running:
            thread.start()
        self.wait(_BETWEEN)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._running:
            thread.join()

    def _search(self, first: int) -> None:
        with Library(self.library, on=self.on) as library:
            number = first
            while not self._stopped.is_set():
                began = time.monotonic()
                try:
                    found = library.search(self.drafts[number % len(self.drafts)], k=_K, passages=False)
                except Exception as error:  # noqa: BLE001 every one is reported
                    self.failed.append(f"{type(error).__name__}: {error}"[:300])
                else:
                    self.lists.setdefault(number % len(self.drafts), set()).add(listed(found))
                self.spans.append((began, time.monotonic()))
                number += 1

    def wait(self, searches: int) -> None:
        """Until so many more are over."""
        wanted = len(self.spans) + searches
        while len(self.spans) < wanted:
            time.sleep(0.05)

    def answered_after(self, moment: float) -> float:
        """Seconds from a moment to the first answer to a search that began after it."""
        return min(end for began, end in self.spans if began >= moment) - moment

    def slowest_over(self, moment: float) -> float:
        """Seconds of the slowest search that ran at a moment."""
        return max((end - began for began, end in self.spans if began <= moment <= end), default=0.0)

    def figures(self) -> dict[str, Any]:
        """What all searches took, and how many failed."""
        times = sorted(end - began for began, end in self.spans)
        return {
            "searches": len(times),
            "failed": len(self.failed),
            "errors": self.failed[:5],
            "median_seconds": round(median(times), 2),
            "slowest_seconds": round(times[-1], 2),
        }


def killed(library: Path, cluster: Running, drafts: Sequence[Draft], kills: int) -> dict[str, Any]:
    """Workers ended with -9 while searches run; the next when all are there again."""
    chance, number = random.Random(0), len(cluster.workers)
    moments: list[float] = []
    settings = ClusterSettings(cluster.address)
    with closing(door_of(settings)) as door, Searching(library, cluster.address, drafts) as searching:
        before = searching.figures()
        for _ in range(kills):
            while len(door.workers()) < number:  # Dask does not start a worker again that ended while it started
                time.sleep(0.1)
            moments.append(time.monotonic())
            os.kill(chance.choice(cluster.workers), signal.SIGKILL)
            searching.wait(_BETWEEN * searching.threads)
    again = [searching.answered_after(moment) for moment in moments]
    over = [searching.slowest_over(moment) for moment in moments]
    return {
        "kills": kills,
        "workers": number,
        **searching.figures(),
        "median_seconds_before": before["median_seconds"],
        "different": sum(len(found) - 1 for found in searching.lists.values()),
        "answered_again_seconds": {"median": round(median(again), 2), "longest": round(max(again), 2)},
        "search_over_a_kill_seconds": {"median": round(median(over), 2), "longest": round(max(over), 2)},
        "load": os.getloadavg()[0],
    }


def switched(library: Path, cluster: Running, drafts: Sequence[Draft], switches: int) -> dict[str, Any]:
    """A document removed, or the next one, and what is left published, while searches run."""
    seconds: list[float] = []
    with Library(library, on=HERE) as writing, Searching(library, cluster.address, drafts) as searching:
        ids = list(writing.index().ids)
        for number in range(switches):
            began = time.monotonic()
            writing.corpus.remove([ids[number]])
            writing.build()
            seconds.append(time.monotonic() - began)
            searching.wait(1)
    return {
        "switches": switches,
        **searching.figures(),
        "build_seconds": round(median(seconds), 1),
        "different_lists": sum(len(found) for found in searching.lists.values()),
    }
