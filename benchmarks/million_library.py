"""One library of drawn documents, made and asked step by step through the commands that users have."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import million_documents as drawing
from foreart.processes import WorkerProcesses
from million_documents import Plan
from million_steps import Steps

CHUNK = 50_000  # documents that are drawn, added, and their files deleted
DRAFTS = 4
_COLD, _WORKERS = 5, 2
# Steps by the place of their figures in the result: `group.name`.
Table = dict[str, Callable[[], dict[str, Any]]]
_made: list[drawing.Library] = []  # of this process


class Making:
    """The steps of a library of so many documents, in a folder of its own."""

    def __init__(self, steps: Steps, plan: Plan, name: str = "") -> None:
        self.steps, self.plan = steps, plan
        self.name = name or f"{plan.documents}"
        self.folder = steps.folder / self.name
        self.library = self.folder / "library"
        self.folder.mkdir(parents=True, exist_ok=True)

    def make(self) -> Table:
        """Adds and builds: what a first answer needs."""
        return {
            "make.add": partial(self.added, "add", 0, self.plan.documents, self.library),
            "make.build": partial(self._foreart, "build", "build", "--library", self.library),
        }

    def learn(self) -> Table:
        """Learns the ranking."""
        return {"make.learn": partial(self._foreart, "learn", "learn", "--library", self.library)}

    def update(self) -> Table:
        """A build with nothing new; a week's documents alone from nothing; the same added, and the build after it."""
        first, last = self.plan.documents, self.plan.documents + self.plan.week
        alone = self.folder / "week"

        def build_alone() -> dict[str, Any]:
            found = self._foreart("week alone, build", "build", "--library", alone)
            shutil.rmtree(alone, ignore_errors=True)
            return found

        return {
            "update.build, nothing new": partial(
                self._foreart, "build, nothing new", "build", "--library", self.library
            ),
            "update.week alone, add": partial(self.added, "week alone, add", first, last, alone),
            "update.week alone, build": build_alone,
            "update.week, add": partial(self.added, "week, add", first, last, self.library),
            "update.week, build": partial(self._foreart, "week, build", "build", "--library", self.library),
        }

    def answers(self, step: str) -> dict[str, Any]:
        """Searches from cold processes, and everything else in a warm one."""
        drafts = self._drafts()

        def cold() -> dict[str, Any]:
            command: list[str | Path] = ["search", drafts[0], "--library", self.library, "-k", "100"]
            runs = [self.steps.foreart(f"{self.name}: {step}, cold", *command) for _ in range(_COLD)]
            seconds = [run["seconds"] for run in runs]
            return {
                "seconds": median(seconds),
                "best": min(seconds),
                "processor_seconds": median(run["processor_seconds"] for run in runs),
                "runs": _COLD,
                "megabytes": max(run["megabytes"] for run in runs),
            }

        def warm() -> dict[str, Any]:
            script = str(Path(__file__).with_name("million_asking.py"))
            run = self.steps.command(f"{self.name}: {step}, warm", [script, str(self.library), *map(str, drafts)])
            return dict(json.loads(run["output"]))

        return {"cold": self._once(f"{step}, cold", cold), "warm": self._once(f"{step}, warm", warm)}

    def size(self) -> dict[str, Any]:
        """Bytes on disk, by the top of the folder."""

        def measured() -> dict[str, Any]:
            parts: dict[str, float] = {}
            for path in self.library.rglob("*"):
                if path.is_file():
                    top = path.relative_to(self.library).parts[0]
                    parts[top] = parts.get(top, 0) + path.stat().st_size / 1e6
            return {"megabytes": round(sum(parts.values())), "parts": {name: round(mb) for name, mb in parts.items()}}

        return self._once("disk", measured)

    def added(self, step: str, first: int, last: int, library: Path) -> dict[str, Any]:
        """Draws and adds documents chunk by chunk; the time of drawing is told apart."""
        chunks = []
        with WorkerProcesses(_WORKERS, prepare=partial(_prepare, self.plan)) as pool:  # they start when asked
            for start in range(first, last, CHUNK):
                make = partial(self._chunk, step, start, min(last, start + CHUNK), library, pool)
                chunks.append(self._once(f"{step} {start}", make))
        found: dict[str, Any] = {
            name: round(sum(chunk[name] for chunk in chunks), 2)
            for name in ("seconds", "processor_seconds", "drawing", "text_megabytes")
        }
        found["megabytes"] = max(chunk["megabytes"] for chunk in chunks)
        for name in ("seconds", "processor_seconds"):
            found[f"chunk_{name}"] = [chunk[name] for chunk in chunks]
        if killed := sum(chunk.get("killed", 0) for chunk in chunks):
            found["killed"] = killed
        return found

    def remove(self) -> None:
        """Deletes the library."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _chunk(self, step: str, start: int, last: int, library: Path, pool: WorkerProcesses) -> dict[str, Any]:
        """Draws a chunk, unless a killed run did, adds it, and deletes its files."""
        folder = self.folder / "drawn"

        def drawn() -> dict[str, Any]:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            began = time.perf_counter()
            bounds = [start + (last - start) * part // _WORKERS for part in range(_WORKERS + 1)]
            tasks = [pool.submit(_draw, begin, end, folder / f"{begin}.jsonl.zst") for begin, end in pairwise(bounds)]
            size = sum(task.result() for task in tasks)
            return {"drawing": round(time.perf_counter() - began, 2), "text_megabytes": round(size / 1e6, 1)}

        told = self._once(f"{step} {start}, drawing", drawn)
        files = sorted(folder.glob("*.zst"))
        added = self._run(f"{step} {start}", "add", *files, "--library", library)
        shutil.rmtree(folder, ignore_errors=True)
        return told | added

    def _drafts(self) -> list[Path]:
        folder = self.steps.folder / "drafts"
        names = [folder / f"{place}.txt" for place in range(DRAFTS)]
        if not all(name.exists() for name in names):
            folder.mkdir(exist_ok=True)
            for name, text in zip(names, drawing.Library(Plan(1)).drafts(DRAFTS), strict=True):
                name.write_text(text, encoding="ascii")
        return names

    def _foreart(self, step: str, *arguments: str | Path) -> dict[str, Any]:
        return self._once(step, partial(self._run, step, *arguments))

    def _run(self, step: str, *arguments: str | Path) -> dict[str, Any]:
        return self.steps.foreart(f"{self.name}: {step}", *arguments)

    def _once(self, step: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        return self.steps.once(f"{self.name}: {step}", make)


def _prepare(plan: Plan) -> None:
    """What a process needs to draw; made once."""
    _made[:] = [drawing.Library(plan)]


def _draw(first: int, last: int, file: Path) -> int:
    return _made[0].write(first, last, file)
