"""A pool of the workers of a Dask cluster that makes the parts of a build."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING
from uuid import uuid4

from foreart.child_process import TaskOutcome, type_and_place
from foreart.cluster.cluster_settings import ClusterSettings
from foreart.cluster.spread.dask_connection import connected_client
from foreart.errors import ClusterError, ForeartError
from foreart.part_files import PARTS, PartTask, Task

if TYPE_CHECKING:
    from distributed import Client, Future

# Seconds between two looks at the scheduler, without any worker, and until a file that a worker wrote is seen here.
_LOOK, _WITHOUT_WORKERS, _SHARED = 0.5, 60.0, 60.0
# Tasks that wait for each thread of a worker: enough that none is idle, few enough that little is written ahead.
_AHEAD = 2
# One prefix for all tasks, so that the scheduler keeps one statistic of them.
_PREFIX = "foreart-build"
_AGAIN = "parts that are finished are kept: run the same command again to continue"


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """Which worker made a part; or why it could not: a class of the error tree and a sentence, or a full disk."""

    worker: str
    error: str = ""
    sentence: str = ""
    disk_full: bool = False


class DaskPool:
    """Makes parts on all workers of a cluster; a part whose worker is lost is made by another one."""

    def __init__(self, settings: ClusterSettings) -> None:
        assert settings.home is not None
        self._settings, self._home = settings, settings.home
        self._client: Client = connected_client(settings.home, settings.tls)
        self._over = Event()  # set when a task is over

    def completed(self, tasks: Iterable[Task], root: Path) -> Iterator[Task]:
        """Each task when its part is written and can be seen here."""
        source = iter(tasks)
        folder = self._settings.folder or str(root.absolute())
        running: dict[Future, Task] = {}
        try:
            while True:
                room = self._room() - len(running)
                running |= {self._submitted(task, folder): task for task in islice(source, max(room, 0))}
                if not running:
                    return
                for future in self._finished(running):
                    task = running.pop(future)
                    checked(future.result())
                    _await_file(root, task)
                    yield task
        finally:
            if running and self._client.status == "running":
                with suppress(OSError, TimeoutError, RuntimeError):
                    self._client.cancel(list(running))

    def close(self) -> None:
        """Ends the connection."""
        with suppress(OSError, TimeoutError, RuntimeError):
            self._client.close(timeout=1)

    def _submitted(self, task: PartTask, folder: str) -> Future:
        arguments = task, folder, version("foreart")
        future = self._client.submit(written, *arguments, key=f"{_PREFIX}-{uuid4().hex}", pure=False)
        future.add_done_callback(lambda _: self._over.set())
        return future

    def _room(self) -> int:
        """How many tasks may run or wait; waits for the first worker."""
        deadline = time.monotonic() + _WITHOUT_WORKERS
        while not (threads := self._threads()):
            if time.monotonic() > deadline:
                raise self._without_workers()
            time.sleep(_LOOK)
        return threads * (1 + _AHEAD)

    def _threads(self) -> int:
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except (KeyError, OSError, TimeoutError, RuntimeError):  # a client that is lost knows no workers at all
            raise self._lost() from None
        return sum(int(about["nthreads"]) for about in workers.values())

    def _finished(self, running: dict[Future, Task]) -> list[Future]:
        """The tasks that are over, at least one; ClusterError if the scheduler or all workers are lost."""
        deadline = time.monotonic() + _WITHOUT_WORKERS
        while True:
            self._over.wait(_LOOK)
            self._over.clear()
            if self._client.status != "running" or any(each.status in ("cancelled", "lost") for each in running):
                raise self._lost()
            for future in running:
                if future.status == "error":
                    raise self._failed(future)
            if over := [future for future in running if future.status == "finished"]:
                return over
            if self._threads():
                deadline = time.monotonic() + _WITHOUT_WORKERS
            elif time.monotonic() > deadline:
                raise self._without_workers()

    def _lost(self) -> ClusterError:
        return ClusterError(f"the scheduler {self._home} was lost during a build: start it; {_AGAIN}")

    def _without_workers(self) -> ClusterError:
        return ClusterError(f"{self._home} has had no worker for {_WITHOUT_WORKERS:.0f} seconds: start some; {_AGAIN}")

    def _failed(self, future: Future) -> ClusterError:
        """A part that Dask could not have made: workers were lost again and again, or cannot load foreart."""
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return ClusterError(f"several workers were lost at the same part: have they enough memory? {_AGAIN}")
        if isinstance(error, ImportError | AttributeError | RuntimeError):  # the scheduler unpickles tasks too
            return ClusterError(
                "the scheduler or a worker cannot load this version of foreart: install `foreart[cluster]` there"
            )
        return ClusterError(f"a worker failed ({type(error).__name__}): its log says more; {_AGAIN}")


def written(task: PartTask, folder: str, foreart: str) -> PartOutcome:
    """Makes a part, on a worker. Errors become sentences: Dask would log them with all arguments."""
    worker = socket.gethostname()
    try:
        if (own := version("foreart")) != foreart:
            raise ClusterError(
                f"worker {worker} runs foreart {own} and this process {foreart}: install the same version on all "
                "machines"
            )
        if not (Path(folder) / PARTS).is_dir():
            raise ClusterError(
                f"worker {worker} does not see {folder}: all machines share the folder of the library, or `foreart "
                "cluster use --folder` says where the workers have it"
            )
        task.write(Path(folder))
    except ForeartError as error:
        return PartOutcome(worker, type(error).__name__, str(error))
    except MemoryError:
        return PartOutcome(worker, ClusterError.__name__, f"worker {worker} has not enough memory for a part; {_AGAIN}")
    except Exception as error:  # noqa: BLE001 it becomes a sentence
        full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        sentence = f"worker {worker} failed: {type_and_place(error)}; {_AGAIN}"
        return PartOutcome(worker, ClusterError.__name__, sentence, full)
    return PartOutcome(worker)


def checked(outcome: PartOutcome) -> None:
    """Raises the error of a worker."""
    if outcome.disk_full:
        raise OSError(errno.ENOSPC, f"the disk of worker {outcome.worker} is full")
    TaskOutcome(error=outcome.error, sentence=outcome.sentence).result()


def _await_file(root: Path, task: PartTask) -> None:
    """Waits until a part is seen: a network file system may show a new name late."""
    deadline = time.monotonic() + _SHARED
    while not (root / task.path).exists():
        if time.monotonic() > deadline:
            raise ClusterError(
                f"a worker wrote {task.path}, which is not in {root} here: all machines must share that folder"
            )
        time.sleep(_LOOK)
        list((root / PARTS).iterdir())  # a network file system then looks again
