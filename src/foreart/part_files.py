"""Parts of long work: pure tasks that each write one file, run by a pool of processes on one machine or many.

A part is written under a temporary name and then renamed, and named after what it is made of. So a task may run twice,
and a process may be killed in the middle: the file has the same bytes. Work that was interrupted finds its parts again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from foreart import array_files
from foreart.array_files import Torn
from foreart.durable import TEMPORARY

# Documents of a part: enough to share most of their words, few enough that little is lost with a process.
DOCUMENTS = 512
PARTS = Path("building")


class PartTask(ABC):
    """Writes one part; can be pickled, and needs only files in a folder `root`, which may have other paths elsewhere.

    `path` is that of the part in it, and `documents` its share of the progress.
    """

    path: Path
    documents: int

    @abstractmethod
    def write(self, root: Path) -> None:
        """Writes the part; it may be there already."""

    @abstractmethod
    def is_written(self, root: Path) -> bool:
        """Whether the part is there, verified in full."""


Task = TypeVar("Task", bound=PartTask)


class TaskPool(Protocol):
    """Runs tasks, in any order and perhaps more than once, in processes that see the same folder."""

    def completed(self, tasks: Iterable[Task], root: Path) -> Iterator[Task]:
        """Each task when its part is written; takes tasks from the iterable only a few ahead."""


@dataclass(frozen=True)
class PartFolder:
    """The folder of a library, in which parts are kept until a build is over, and the pool that makes them.

    Paths of parts, and all others that tasks have, are relative to `root`.
    """

    root: Path
    pool: TaskPool

    @classmethod
    def opened(cls, root: Path, pool: TaskPool) -> PartFolder:
        """The folder, with the parts of an interrupted build, without files that a killed process left half written."""
        (root / PARTS).mkdir(exist_ok=True)
        for path in (root / PARTS).rglob(".*.new"):
            if TEMPORARY.fullmatch(path.name):
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        return cls(root, pool)

    def make(
        self,
        tasks: Iterable[Task],
        *,
        prepare: Callable[[Task], object] = lambda _: None,
        report: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Makes the parts that are not there; `report` is called with the number of documents done.

        `prepare` is called in this process with each task that is going to run.
        """
        done = 0

        def missing() -> Iterator[Task]:
            for task in tasks:
                if task.is_written(self.root):
                    finished(task)
                else:
                    prepare(task)
                    yield task

        def finished(task: Task) -> None:
            nonlocal done
            done += task.documents
            report(done)

        for task in self.pool.completed(missing(), self.root):
            finished(task)

    def path(self, kind: str, *source: object) -> Path:
        """The path of a part of a kind, named by a hash of what it is made of."""
        digest = hashlib.blake2b(digest_size=16)
        for each in (version("foreart"), *source):
            data = np.ascontiguousarray(each).tobytes() if isinstance(each, np.ndarray) else str(each).encode()
            digest.update(len(data).to_bytes(8, "little") + data)
        return PARTS / f"{digest.hexdigest()}.{kind}"

    def relative(self, path: Path) -> Path:
        """The path of a file of the library, relative to it."""
        return Path(os.path.relpath(path, self.root))


def remove_parts(root: Path) -> None:
    """Removes all parts: the build is over."""
    shutil.rmtree(root / PARTS, ignore_errors=True)


def write_part(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Writes a part; the folder must be there: it is removed when the work is over."""
    array_files.write_with_directory(path, arrays, {})


def read_part(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a part, memory-mapped."""
    return array_files.read(path, array_files.read_directory(path)[1])


def is_intact(path: Path) -> bool:
    """Whether a part is there and every byte is as it was written."""
    try:
        return not array_files.damaged(path, array_files.read_directory(path)[1])
    except (OSError, Torn):
        return False


def batches(positions: np.ndarray) -> list[np.ndarray]:
    """Documents in order, divided where their position passes a multiple of `DOCUMENTS`.

    So that work that continues with fewer documents has the same batches again.
    """
    if not len(positions):
        return []
    return np.split(positions, np.flatnonzero(np.diff(positions // DOCUMENTS)) + 1)


def joined(values: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Concatenated bytes, and the offsets of each value."""
    ends = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum([len(each) for each in values], out=ends[1:])
    return np.frombuffer(b"".join(values), dtype=np.uint8), ends


def split(data: np.ndarray, ends: np.ndarray) -> list[bytes]:
    """The values again."""
    whole, bounds = data.tobytes(), ends.tolist()
    return [whole[start:end] for start, end in pairwise(bounds)]
