"""One pool of worker processes with a bounded queue; each process keeps its libraries open.

Processes, not threads: a search is half Python, which holds the interpreter lock (two threads on two cores did 3.3
searches a second, one thread 3.2), and the server itself must answer meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.exceptions import HTTPException

from foreart.child_process import TaskOutcome, outcome_of
from foreart.library import Library
from foreart.parallel import cores, limit_cores
from foreart.processes import WorkerProcesses

LOG = logging.getLogger("foreart.server")
# What workers, readers of drafts and jobs import: their processes are forks of one that has all of it.
PRELOAD = (
    "foreart.server.work.search_tasks",
    "foreart.server.work.reason_tasks",
    "foreart.server.work.upload_warming",
    "foreart.child_process",
    "pypdf",
)

Task = Callable[..., Any]

_libraries: dict[str, Library] = {}


class WorkerPool:
    """Runs tasks of libraries; answers 503 if too many are waiting.

    A task that can wait starts only if a worker stays idle for the others (with one worker: if nothing else runs), so
    what a page fetches ahead never holds up what somebody waits for.

    `warm(library)` runs in every process, for each of `folders`, before its first task.
    """

    def __init__(self, workers: int, waiting: int, *, warm: Task | None = None, folders: Sequence[Path] = ()) -> None:
        self._workers = workers
        self._waiting = waiting
        self._limit = workers + waiting
        threads = max(1, cores() // workers)
        self._prepare = partial(prepare, threads, warm, [str(folder) for folder in folders])
        self._closed = False
        self._pending = 0
        self._later: list[asyncio.Future[None]] = []
        self._lock = Lock()
        self._processes: WorkerProcesses | None = None

    async def run(
        self,
        task: Task,
        folder: Path,
        /,
        *,
        can_wait: bool = False,
        **arguments: Any,  # noqa: ANN401 those of the task
    ) -> bytes:
        """The JSON of a task's result; errors of the tree are raised here."""
        if can_wait:
            await self._idle_worker()
        for attempt in (1, 2):
            future, processes = self._submit(task, folder, arguments)
            try:
                # If nobody waits any longer, the task leaves the queue.
                outcome = await asyncio.wrap_future(future)
            except BrokenExecutor:
                # A worker was killed; tasks can be repeated, so the same one may run again in a new pool.
                self._replace(processes)
                if attempt == 2:
                    raise
            else:
                return outcome.result()
        raise AssertionError

    def start(self) -> None:
        """Starts every process, so that the first request finds them warm."""
        with self._lock:
            self._closed = False
            self._processes = self._started()

    def close(self) -> None:
        """Ends the processes, whatever they do; what waits is dropped."""
        with self._lock:
            self._closed = True
            processes, self._processes = self._processes, None
        if processes is not None:
            processes.kill()

    async def _idle_worker(self) -> None:
        """Returns when a task that can wait may start; nothing may be awaited between this and its start."""
        while self._pending >= max(1, self._workers - 1):
            if len(self._later) >= self._waiting:
                raise HTTPException(503, "the server is busy: try again in a few seconds", {"Retry-After": "2"})
            turn = asyncio.get_running_loop().create_future()
            self._later.append(turn)
            try:
                await turn
            finally:
                self._later.remove(turn)

    def _submit(
        self, task: Task, folder: Path, arguments: dict[str, Any]
    ) -> tuple[Future[TaskOutcome], WorkerProcesses]:
        with self._lock:
            if self._closed:
                raise HTTPException(503, "the server is stopping", {"Retry-After": "10"})
            if self._pending >= self._limit:
                raise HTTPException(503, "the server is busy: try again in a few seconds", {"Retry-After": "2"})
            processes = self._processes or self._started()
            try:
                future: Future[TaskOutcome] = processes.submit(perform, task, str(folder), arguments)
            except BrokenExecutor:
                processes = self._started()
                future = processes.submit(perform, task, str(folder), arguments)
            self._processes = processes
            self._pending += 1
        future.add_done_callback(self._done)
        return future, processes

    def _started(self) -> WorkerProcesses:
        processes = WorkerProcesses(self._workers, preload=PRELOAD, prepare=self._prepare)
        for _ in range(self._workers):  # a process is started for each task that finds no idle one
            processes.submit(os.getpid)
        return processes

    def _done(self, future: Future[TaskOutcome]) -> None:
        with self._lock:
            self._pending -= 1
        for turn in [*self._later]:  # each looks for itself whether it may start
            with suppress(RuntimeError):  # its loop is closed
                turn.get_loop().call_soon_threadsafe(_wake, turn)

    def _replace(self, broken: WorkerProcesses) -> None:
        """Leaves a broken pool, unless another request has left it already."""
        with self._lock:
            if self._processes is not broken:
                return
            self._processes = None
        LOG.warning("a worker process was killed; new ones are started")
        broken.kill()


def _wake(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


def prepare(threads: int, warm: Task | None, folders: Sequence[str]) -> None:
    """Runs in a new worker process; a library that cannot be opened says so when it is asked for something.

    Searches at the same time share the cores; with two threads each, they computed a third more for the same result.
    """
    limit_cores(threads)
    for folder in folders:
        with suppress(Exception):
            if warm is not None:
                warm(_library(folder))


def perform(task: Task, folder: str, arguments: dict[str, Any]) -> TaskOutcome:
    """Runs a task in a worker process, with the library of a folder."""
    return outcome_of(lambda: task(_library(folder), **arguments))


def _library(folder: str) -> Library:
    library = _libraries.get(folder)
    if library is None:
        library = _libraries[folder] = Library(folder)
    return library
