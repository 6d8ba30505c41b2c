"""One pool of worker processes with a bounded queue; each process keeps its libraries open.

Processes, not threads: a search is half Python, which holds the interpreter lock (two threads on two cores did 3.3
searches a second, one thread 3.2), and the server itself must answer meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.exceptions import HTTPException

from foreart.child_process import TaskOutcome, outcome_of
from foreart.library import Library
from foreart.processes import WorkerProcesses

LOG = logging.getLogger("foreart.server")
PRELOAD = ("foreart.server.work.search_tasks", "foreart.sources.drafts.draft_files")

Task = Callable[..., Any]

_libraries: dict[str, Library] = {}


class WorkerPool:
    """Runs tasks of libraries; answers 503 if too many are waiting."""

    def __init__(self, workers: int, waiting: int) -> None:
        self._workers = workers
        self._limit = workers + waiting
        self._pending = 0
        self._lock = Lock()
        self._processes: WorkerProcesses | None = None

    async def run(self, task: Task, folder: Path, /, **arguments: Any) -> bytes:  # noqa: ANN401 those of the task
        """The JSON of a task's result; errors of the tree are raised here."""
        for attempt in (1, 2):
            future = self._submit(task, folder, arguments)
            try:
                outcome = await asyncio.wrap_future(future)
            except BrokenExecutor:
                # A worker was killed; tasks change nothing, so the same one may run again in a new pool.
                self._replace()
                if attempt == 2:
                    raise
            else:
                return outcome.result()
        raise AssertionError

    def warm(self, task: Task, folders: Sequence[Path]) -> None:
        """Starts every process and opens the libraries in it before the first request."""
        for _ in range(self._workers):
            for folder in folders:
                self._submit(task, folder, {})

    def close(self) -> None:
        """Ends the processes; what waits is dropped."""
        with self._lock:
            processes, self._processes = self._processes, None
        if processes is not None:
            processes.shutdown(wait=False, cancel_futures=True)

    def _submit(self, task: Task, folder: Path, arguments: dict[str, Any]) -> Future[TaskOutcome]:
        with self._lock:
            if self._pending >= self._limit:
                raise HTTPException(503, "the server is busy: try again in a few seconds", {"Retry-After": "2"})
            if self._processes is None:
                self._processes = WorkerProcesses(self._workers, preload=PRELOAD)
            try:
                future: Future[TaskOutcome] = self._processes.submit(perform, task, str(folder), arguments)
            except BrokenExecutor:
                self._processes = WorkerProcesses(self._workers, preload=PRELOAD)
                future = self._processes.submit(perform, task, str(folder), arguments)
            self._pending += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, future: Future[TaskOutcome]) -> None:
        with self._lock:
            self._pending -= 1

    def _replace(self) -> None:
        LOG.warning("a worker process was killed; a new one is started")
        self.close()


def perform(task: Task, folder: str, arguments: dict[str, Any]) -> TaskOutcome:
    """Runs a task in a worker process, with the library of a folder."""
    library = _libraries.get(folder)
    if library is None:
        library = _libraries[folder] = Library(folder)
    return outcome_of(lambda: task(library, **arguments))
