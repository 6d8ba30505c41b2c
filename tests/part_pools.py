"""Pools that make the parts of a build without a cluster."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from foreart.part_files import Task


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
