"""A Dask cluster for a measurement: its processes, what they have used, and the bytes that its connections sent."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from million_steps import end_with_parent

_TICKS = os.sysconf("SC_CLK_TCK")
_SENT = re.compile(r"bytes_sent:(\d+)")
_OWNER = re.compile(r"pid=(\d+)")


@dataclass(frozen=True)
class Running:
    """A cluster that `foreart cluster start` runs: the process with the scheduler, which has started the workers."""

    address: str
    process: subprocess.Popen[str]

    @property
    def workers(self) -> list[int]:
        """The processes of the workers; one that has just been killed is missing until Dask starts another."""
        return [child for child in children(self.process.pid) if b"spawn_main" in _command(child)]

    @property
    def processes(self) -> list[int]:
        """The scheduler and all workers."""
        return [self.process.pid, *self.workers]

    def processor_seconds(self) -> float:
        """Of the scheduler and the workers that run now."""
        return sum(map(processor_seconds, self.processes))

    def memory(self) -> dict[str, float]:
        """Megabytes that the scheduler and the largest worker hold themselves, without pages of files."""
        workers = max(map(anonymous, self.workers), default=0)
        return {"scheduler": round(anonymous(self.process.pid) / 1e6, 1), "worker": round(workers / 1e6, 1)}


@contextmanager
def running(library: Path, workers: int) -> Iterator[Running]:
    """`foreart cluster start` on a free port, until the block ends or this process does."""
    words = ["cluster", "start", "--workers", str(workers), "--port", "0", "--json", "--library", str(library)]
    with subprocess.Popen(
        [sys.executable, "-m", "foreart", *words], stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"no cluster of {workers} workers could be started")
        try:
            yield Running(json.loads(line)["address"], process)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()


def children(process: int) -> list[int]:
    """The processes that a process has started, by any of its threads."""
    found: list[int] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, path.read_text().split())
        except OSError:  # the thread has just ended
            continue
    return found


def anonymous(process: int) -> int:
    """Bytes that a process holds itself, without those it has started."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon")), 0)


def processor_seconds(process: int) -> float:
    """Of a process that runs, without those it has started."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def bytes_sent(processes: list[int]) -> int:
    """What open connections of some processes have sent, as the kernel counts it (`ss -tni`)."""
    lines = subprocess.run(["ss", "-tnipHO"], capture_output=True, text=True, check=True).stdout.splitlines()
    owned = [line for line in lines if any(int(owner) in processes for owner in _OWNER.findall(line))]
    return sum(int(found.group(1)) for line in owned if (found := _SENT.search(line)))


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
