"""Long work: one child process each, with events that a page can follow, and cancelled by ending the process.

Everything that a job writes is safe against a kill at any moment, so cancelling needs no help of the job.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from starlette.exceptions import HTTPException

from foreart.child_process import TaskFailure, TaskOutcome, outcome_of
from foreart.errors import ForeartError
from foreart.library import Library
from foreart.processes import Channel, ChildProcess, end_with_parent

LOG = logging.getLogger("foreart.server")
JobState = Literal["waiting", "running", "done", "failed", "cancelled"]
Report = Callable[[str, int, int], None]
_MOST_EVENTS = 500
_MOST_JOBS = 200
# Jobs use all cores, but somebody waits for each search.
_NICENESS = 3
_ENDED = ("done", "failed", "cancelled")


@dataclass(slots=True)
class Job:
    """One piece of long work: its state, and the events of it in order, each with its number."""

    id: str
    kind: str
    library: str
    started: float
    state: JobState = "waiting"
    events: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    result: Any = None
    error: str = ""
    count: int = 0

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in _ENDED

    def to_record(self) -> dict[str, Any]:
        """The job as JSON, with its last progress."""
        progress = next((data for _, name, data in reversed(self.events) if name == "progress"), None)
        return {
            "job": self.id,
            "kind": self.kind,
            "library": self.library,
            "state": self.state,
            "started": self.started,
            "progress": progress,
            "result": self.result,
            "error": self.error,
        }


class Jobs:
    """All jobs; of each library one at a time runs, the others wait. A bounded number may wait."""

    def __init__(self, waiting: int = 8) -> None:
        self._waiting = waiting
        self._jobs: dict[str, Job] = {}
        self._processes: dict[str, ChildProcess] = {}
        self._busy: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def start(
        self,
        kind: str,
        task: Callable[..., Any],
        library: str,
        folder: Path,
        *,
        after: Callable[[], None] = lambda: None,
        **arguments: Any,  # noqa: ANN401 those of the task
    ) -> Job:
        """Starts a job, or lets it wait for another one of the same library; 503 if too many wait.

        `after` runs when the job has ended, however that was.
        """
        with self._lock:
            if sum(not job.ended for job in self._jobs.values()) >= self._waiting:
                raise HTTPException(503, "too many jobs are waiting: try again later", {"Retry-After": "30"})
            for old in [name for name, job in self._jobs.items() if job.ended][:-_MOST_JOBS]:
                del self._jobs[old]
            job = Job(secrets.token_urlsafe(12), kind, library, time.time())
            self._jobs[job.id] = job
            turn = self._busy.setdefault(str(folder), threading.Lock())
        work = (task, str(folder), arguments)
        threading.Thread(target=self._run, args=(job, turn, work, after), daemon=True).start()
        return job

    def get(self, job_id: str) -> Job:
        """The job of an id; 404 if there is none."""
        if job_id not in self._jobs:
            raise HTTPException(404, "there is no such job")
        return self._jobs[job_id]

    def all(self) -> list[Job]:
        """All jobs, the latest first."""
        return sorted(self._jobs.values(), key=lambda job: -job.started)

    def cancel(self, job: Job) -> None:
        """Ends a job, whether it runs or waits."""
        with self._lock:
            if job.ended:
                return
            self._end(job, "cancelled", {})
            process = self._processes.get(job.id)
        if process is not None:
            process.terminate()

    def close(self) -> None:
        """Ends all jobs."""
        for job in self.all():
            self.cancel(job)

    def _run(self, job: Job, turn: threading.Lock, work: tuple[Any, ...], after: Callable[[], None]) -> None:
        with turn:
            with self._lock:
                process = None if job.ended else self._process(job, work)
            if process is not None:
                self._follow(job, process.channel)
                process.kill(after=5)
                process.channel.close()
                self._processes.pop(job.id, None)
            after()

    def _process(self, job: Job, work: tuple[Any, ...]) -> ChildProcess | None:
        try:
            process = self._processes[job.id] = ChildProcess(_work, *work, independent=True)
        except OSError as error:
            self._fail(job, f"no process can be started for this job ({error.strerror}): try again later")
            return None
        job.state = "running"
        return process

    def _follow(self, job: Job, channel: Channel) -> None:
        outcome: TaskOutcome | None = None
        try:
            while outcome is None:
                message = channel.recv()
                if isinstance(message, TaskOutcome):
                    outcome = message
                else:
                    with self._lock:
                        stage, done, total = message
                        _add(job, "progress", {"stage": stage, "done": done, "total": total})
        except (EOFError, OSError):
            outcome = TaskOutcome(error="ForeartError", sentence="the process of this job was killed: start it again")
        with self._lock:
            if not job.ended:
                try:
                    job.result = json.loads(outcome.result())
                    self._end(job, "done", {})
                except ForeartError as error:
                    self._fail(job, str(error))
                except TaskFailure as failure:
                    LOG.error("%s", failure)
                    self._fail(job, f"this job failed ({failure}): `foreart doctor` checks the library")

    def _fail(self, job: Job, sentence: str) -> None:
        job.error = sentence
        self._end(job, "failed", {"error": sentence})

    def _end(self, job: Job, state: JobState, data: dict[str, Any]) -> None:
        job.state = state
        _add(job, state, data)


def _add(job: Job, name: str, data: dict[str, Any]) -> None:
    job.count += 1
    job.events.append((job.count, name, data))
    del job.events[:-_MOST_EVENTS]


def _work(channel: Channel, task: Callable[..., Any], folder: str, arguments: dict[str, Any]) -> None:
    """Runs in the process of a job; ends with the server, so that nothing writes on without it."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    last = 0.0

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 0.2 or done == total:
            last = time.monotonic()
            channel.send((stage, int(done), int(total)))

    with Library(folder) as library:
        channel.send(outcome_of(lambda: task(library, report, **arguments)))
