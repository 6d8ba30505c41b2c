"""Tasks go to workers that have the shards open, whatever happens to others; the scheduler keeps nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cluster.conftest import RunningCluster, needs_dask, running_cluster
from foreart.cluster.cluster_settings import NO_TLS, ClusterSettings
from foreart.cluster.home_address import home_address
from foreart.cluster.spread.dask_connection import connected_client
from foreart.cluster.spread.dask_door import DaskDoor, DaskWorker, WorkerTask, door_of
from foreart.cluster.spread.shard_requests import ShardAnswers
from foreart.cluster.spread.spread_state import SpreadStates
from foreart.errors import ClusterError
from foreart.index import Question
from foreart.library import SAMPLE, Library

pytestmark = needs_dask


def functions() -> tuple[Callable[[Any, int], Any], ...]:
    """Made in a function, so that they are sent by value: workers cannot import this module."""

    def who(fatal: set[int], threads: int) -> int:
        """The process that is asked; it ends first if it is one of these."""
        if os.getpid() in fatal or -1 in fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    def slow(process: int, threads: int) -> int:
        """The process that is asked; one of them takes long."""
        if os.getpid() == process:
            time.sleep(20)
        return os.getpid()

    def brief(process: int, threads: int) -> tuple[bytes, int]:
        """A long answer, and the process, which may end when it has answered."""
        if os.getpid() == process:
            threading.Timer(0.03, os.kill, (process, signal.SIGKILL)).start()
        return bytes(80_000_000), os.getpid()

    def length(request: bytes, threads: int) -> int:
        return len(request)

    return who, slow, brief, length


who, slow, brief, length = functions()


@pytest.fixture
def door(built: Path) -> Iterator[DaskDoor]:
    """To a cluster of this test alone."""
    with running_cluster(built) as running, closing(door_of(ClusterSettings(running.address))) as found:
        yield found


def processes(door: DaskDoor) -> dict[DaskWorker, int]:
    """All three workers with their processes, as soon as those that were killed have been started again."""
    while True:
        with suppress(ClusterError):  # one of them was lost a moment ago
            workers = door.workers()
            found = door.ask([WorkerTask(who, set(), worker, alone=True) for worker in workers])
            if len(workers) == 3:
                return dict(zip(workers, found, strict=True))
        time.sleep(0.2)


def test_a_task_of_a_lost_worker_goes_to_the_next_one_of_its_own(door: DaskDoor) -> None:
    for _ in range(3):
        known = processes(door)
        first, second, third = known
        for others in ((second,), (third,)):
            killed = {known[first]}
            assert door.ask([WorkerTask(who, killed, first, others)]) == [known[others[0]]]


def test_an_answer_that_is_lost_with_its_worker_is_made_by_the_next_one(door: DaskDoor) -> None:
    for _ in range(3):
        known = processes(door)
        first, second, _ = known
        size, process = door.ask([WorkerTask(brief, known[first], first, (second,))])[0]
        assert (len(size), process) == (80_000_000, known[second])


def test_a_task_of_a_slow_worker_is_also_given_to_the_next_one(door: DaskDoor) -> None:
    known = processes(door)
    first, second, _ = known
    began = time.monotonic()
    assert door.ask([WorkerTask(slow, known[first], first, (second,))]) == [known[second]]
    assert time.monotonic() - began < 15


def test_a_question_that_ends_every_worker_is_not_asked_for_ever(door: DaskDoor) -> None:
    first, second, third = door.workers()
    with pytest.raises(ClusterError, match="several workers were lost at the same question"):
        door.ask([WorkerTask(who, {-1}, first, (second, third))])


def test_a_task_for_one_worker_alone_says_that_it_was_lost(door: DaskDoor) -> None:
    first = door.workers()[0]
    with pytest.raises(ClusterError, match=f"worker {first.name} was lost"):
        door.ask([WorkerTask(who, {-1}, first, alone=True)])


def test_the_scheduler_keeps_no_task(built: Path, cluster: RunningCluster) -> None:
    def kept_tasks(dask_scheduler: Any) -> list[str]:  # sent by value
        return [key for key in dask_scheduler.tasks if key.startswith("foreart")]

    with closing(connected_client(home_address(cluster.address), NO_TLS)) as client:
        for _ in range(2):
            with Library(built, on=cluster.address) as library:
                for _ in range(5):
                    library.search(library.draft(SAMPLE / "drafts" / "insulin-pump.txt"))
        deadline = time.monotonic() + 30
        while (kept := client.run_on_scheduler(kept_tasks)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert kept == []


def test_neither_side_keeps_queries(door: DaskDoor) -> None:
    def kept(dask_scheduler: Any = None) -> int:  # sent by value
        import gc

        gc.collect()
        lists = [each for each in gc.get_objects() if isinstance(each, list | tuple)]
        return sum(isinstance(part, bytes) and len(part) > 60_000 for each in lists for part in each)

    worker = door.workers()[0]
    for _ in range(60):
        door.ask([WorkerTask(length, os.urandom(65_536), worker)])
    assert kept() <= 15
    with closing(connected_client(door._home, NO_TLS)) as client:
        assert client.run_on_scheduler(kept) <= 30


def test_a_worker_that_has_just_started_is_asked_when_its_shards_are_open(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = DaskDoor.ask

    def noted(door: DaskDoor, tasks: list[WorkerTask]) -> list[ShardAnswers]:
        found = ask(door, tasks)
        asked[:] = [answer.worker.rpartition(":")[2] for answer in found]
        return found

    monkeypatch.setattr(DaskDoor, "ask", noted)
    with running_cluster(folder) as running, closing(SpreadStates(ClusterSettings(running.address))) as states:
        state = states(folder)
        shards, index = state.shards, state.index("log-tfidf")
        query = index.encode("an insulin pump")
        before = running.workers
        until(lambda: index.nearest(query, 3) and len(shards._open) == 3)
        assert set(asked) <= {str(worker) for worker in before}
        os.kill(before[0], signal.SIGKILL)
        monkeypatch.setattr(DaskDoor, "begin", lambda *_: None)  # the new one never opens its shards
        until(lambda: len(set(running.workers) - set(before)) == 1 and len(states.door.workers()) == 3)
        for _ in range(5):
            index.nearest(query, 3)
            assert set(asked) <= {str(worker) for worker in before[1:]}
        monkeypatch.undo()


def until(found: Any) -> None:
    """Waits for something to become true."""
    deadline = time.monotonic() + 120
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_search_asks_the_cluster_few_times(
    built: Path, cluster: RunningCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    ask = DaskDoor.ask

    def counted(door: DaskDoor, tasks: list[WorkerTask]) -> list[ShardAnswers]:
        asked.append(len(tasks))
        return ask(door, tasks)

    monkeypatch.setattr(DaskDoor, "ask", counted)
    with Library(built, on=cluster.address) as library:
        draft = library.draft(SAMPLE / "drafts" / "insulin-pump.txt")
        library.search(draft)
        before = len(asked)
        library.search(draft)
        index = library.index("log-tfidf")
        full = len(asked)
        assert 1 <= full - before <= 6
        rows = np.arange(len(index) // 10)
        index.answers([Question(index, "scores_of", index.encode("a pump"), rows=rows)])
        assert len(asked) == full
        index.answers([Question(index, "scores_of", index.encode("a pump"), rows=np.arange(len(index)))])
        assert len(asked) == full + 1
