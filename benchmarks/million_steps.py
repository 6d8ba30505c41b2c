"""Steps that can be killed at any moment: what is done stands in a file, and commands end with who started them."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environment import Watch
from foreart.durable import replace_text

_BEAT = 2.0  # seconds after which the time of a running command is written down
_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


class Steps:
    """The record of a work folder: results by size and step; the time of attempts that were killed counts too."""

    def __init__(self, folder: Path, about: dict[str, Any]) -> None:
        self.folder, self._file = folder, folder / "state.json"
        folder.mkdir(parents=True, exist_ok=True)
        self._state: dict[str, Any] = {"about": about, "done": {}, "running": None, "lost": {}}
        if self._file.exists():
            self._state = json.loads(self._file.read_text("utf-8"))
            if self._state["about"] != about:
                raise SystemExit(
                    f"{folder} holds a run of other documents or of another version: name another --folder"
                )
        if (running := self._state["running"]) is not None:
            lost = self._state["lost"].setdefault(running["step"], {"seconds": 0.0, "attempts": 0})
            lost["seconds"] += running["seconds"]
            lost["attempts"] += 1
            self._running(None)

    def once(self, step: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The result of a step, made if it was not made before."""
        done = self._state["done"]
        if step not in done:
            print(f"{time.strftime('%H:%M:%S')} {step}", file=sys.stderr, flush=True)
            done[step] = make()
            self._running(None)
        result: dict[str, Any] = done[step]
        return result

    def command(self, step: str, arguments: Sequence[str]) -> dict[str, Any]:
        """Runs a Python command to its end: seconds, with those of killed attempts, and the peak of its memory.

        Processor time stands beside wall time: where others use the machine, only the first can be compared.
        """
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *arguments], stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent
        ) as process:
            watch = Watch(process.pid)
            watch.start()
            while True:
                try:
                    output = process.communicate(timeout=_BEAT)[0]
                    break
                except subprocess.TimeoutExpired:
                    self._running({"step": step, "seconds": round(time.perf_counter() - began, 1)})
        seconds = time.perf_counter() - began
        if process.returncode:
            raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}: run the same again to continue")
        lost = self._state["lost"].get(step)
        found: dict[str, Any] = {"seconds": round(seconds + (lost["seconds"] if lost else 0.0), 2)}
        found["processor_seconds"] = watch.processor_seconds
        found["megabytes"] = watch.megabytes
        if lost:
            found["killed"] = lost["attempts"]
        return found | {"output": output}

    def foreart(self, step: str, *arguments: str | Path) -> dict[str, Any]:
        """Runs a command of foreart; what it says is left out."""
        found = self.command(step, ["-m", "foreart", *map(str, arguments), "--json"])
        return {name: value for name, value in found.items() if name != "output"}

    def _running(self, running: dict[str, Any] | None) -> None:
        self._state["running"] = running
        replace_text(self._file, json.dumps(self._state, indent=1))


@dataclass(frozen=True)
class Machine:
    """What a run was made on."""

    processor: str
    memory_gb: float
    free_disk_gb: float
    load_at_start: float

    @classmethod
    def of(cls, folder: Path) -> Machine:
        """This machine, with the disk of a folder."""
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        disk = os.statvfs(folder)
        return cls(
            processor=names[0] if names else "",
            memory_gb=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
            free_disk_gb=round(disk.f_bavail * disk.f_frsize / 1e9, 1),
            load_at_start=round(os.getloadavg()[0], 2),
        )


def end_with_parent() -> None:
    """A command whose benchmark was killed must not go on: the next run would wait for it or measure beside it."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
