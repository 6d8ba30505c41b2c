"""Pools that make the parts of a build without a cluster."""

from __future__ import annotations

import os
import pickle
import random
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from foreart.part_files import PartTask, Task


class Disorderly:
    """Runs tasks in this process, shuffled and some twice, after they were pickled; remembers those that ran."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        self.ran: list[object] = []

    def completed(self, tasks: Iterable[Task], root: Path) -> Iterator[Task]:
        """All tasks, in any order."""
        waiting = list(tasks)
        self._rng.shuffle(waiting)
        for task in waiting:
            sent: Task = pickle.loads(pickle.dumps(task))
            sent.write(root)
            if self._rng.random() < 0.3:
                sent.write(root)
            self.ran.append(task)
            yield task


class Failing(Disorderly):
    """Fails after some tasks, as if the process were killed."""

    def __init__(self, after: int) -> None:
        super().__init__(after)
        self._left = after

    def completed(self, tasks: Iterable[Task], root: Path) -> Iterator[Task]:
        """Some tasks; then InterruptedError."""
        for task in super().completed(tasks, root):
            yield task
            self._left -= 1
            if not self._left:
                raise InterruptedError


@dataclass(frozen=True)
class EndingTask(PartTask):
    """Ends its process, as the kernel does with one that has taken all memory."""

    path: Path
    documents: int = 1

    def is_written(self, root: Path) -> bool:
        """Never."""
        return False

    def write(self, root: Path) -> None:
        """kill -9."""
        os.kill(os.getpid(), signal.SIGKILL)
