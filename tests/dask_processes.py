"""A real Dask cluster on loopback whose scheduler and workers are processes that a test may kill one by one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src"
_SECONDS = 60.0


class DaskProcesses:
    """A scheduler on a free port, and workers of one thread without a guardian: one that is killed stays away."""

    def __init__(self, folder: Path, *, settings: Mapping[str, str] | None = None) -> None:
        """`settings` are variables of the environment, which Dask reads."""
        self._settings = dict(settings or {})
        self._folder = folder
        self._file = folder / "scheduler.json"
        arguments = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file))
        self.scheduler = self._started("dask_scheduler", *arguments)
        self._await(lambda: self._file.exists() and self._file.read_text().endswith("}"))
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        """What `--on` takes."""
        return str(json.loads(self._file.read_text())["address"]).replace("tcp://", "dask://")

    def start_workers(self, count: int) -> None:
        """Starts workers, and waits until the scheduler knows them."""
        for _ in range(count):
            arguments = (self.address.replace("dask://", "tcp://"), "--nthreads", "1", "--no-nanny", "--no-dashboard")
            own = ("--memory-limit", "0", "--local-directory", str(self._folder))
            self.workers.append(self._started("dask_worker", *arguments, *own))
        self._await(lambda: self.known() >= len(self.workers))

    def known(self) -> int:
        """How many workers the scheduler has."""
        from distributed import Client

        with Client(self.address.replace("dask://", "tcp://"), set_as_default=False, timeout=10) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])

    def kill_worker(self) -> None:
        """kill -9 of one worker."""
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def kill_scheduler(self) -> None:
        """kill -9 of the scheduler."""
        self.scheduler.send_signal(signal.SIGKILL)
        self.scheduler.wait()

    def stop(self) -> None:
        """Ends all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _started(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        log = (self._folder / f"{module}-{time.monotonic_ns()}.log").open("wb")
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        environment = {
            **os.environ,
            "PYTHONPATH": f"{SOURCE}{os.pathsep}{TESTS}",
            "OPENBLAS_NUM_THREADS": "1",
            **self._settings,
        }
        with log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=self._folder)

    def _await(self, happened: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _SECONDS
        while not happened():
            assert time.monotonic() < deadline, [log.read_text() for log in self._folder.glob("*.log")]
            time.sleep(0.05)


@contextmanager
def dask_processes(folder: Path, workers: int, *, settings: Mapping[str, str] | None = None) -> Iterator[DaskProcesses]:
    """A cluster in a folder of its own."""
    folder.mkdir()
    cluster = DaskProcesses(folder, settings=settings)
    try:
        cluster.start_workers(workers)
        yield cluster
    finally:
        cluster.stop()
