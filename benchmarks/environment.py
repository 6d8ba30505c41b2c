"""The environment of a measurement: versions and machine, written with every result."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
RESULTS = Path(__file__).resolve().parent / "results"
_TICKS = os.sysconf("SC_CLK_TCK")


def environment(*packages: str) -> dict[str, Any]:
    """Versions of Python, foreart and the named packages, and the number of cores."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": {name: version(name) for name in ("foreart", *packages)},
    }


def save(name: str, result: dict[str, Any]) -> None:
    """Writes `results/NAME.json` and prints it."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(result, indent=2)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(text)


def own_memory(process: int) -> int:
    """Bytes that a process and those it started hold themselves; pages of files are left out, which others share."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # it has just ended
        return 0
    own = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")), 0)
    return own * 1024 + sum(own_memory(int(child)) for child in children)


def _used(process: int) -> Iterator[tuple[int, float]]:
    """Each process that a process has started, itself too, with the seconds of processor time that it has used."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return
    user, system = stat.rpartition(")")[2].split()[11:13]
    yield process, (int(user) + int(system)) / _TICKS
    for child in children:
        yield from _used(int(child))


class Watch(threading.Thread):
    """The greatest memory of a process and its children, and their processor time, looked at ten times a second."""

    def __init__(self, process: int | None = None) -> None:
        super().__init__(daemon=True)
        self.process, self.peak = os.getpid() if process is None else process, 0
        self._seconds: dict[int, float] = {}

    def run(self) -> None:
        """Until the process ends."""
        while now := own_memory(self.process):
            self.peak = max(self.peak, now)
            self._seconds.update(_used(self.process))
            time.sleep(0.1)

    @property
    def processor_seconds(self) -> float:
        """Of all processes; the last tenth of a second of each may be missing."""
        return round(sum(self._seconds.values()), 2)

    @property
    def megabytes(self) -> int:
        """The greatest so far."""
        return round(self.peak / 1e6)


@dataclass(frozen=True)
class Ran:
    """What a command took, and what it said."""

    seconds: float
    megabytes: int
    output: str


def ran(command: Sequence[str]) -> Ran:
    """Runs a command to its end and watches its memory."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watch = Watch(process.pid)
        watch.start()
        output = process.communicate()[0]
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Ran(time.perf_counter() - began, watch.megabytes, output)
