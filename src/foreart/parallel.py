"""Parallel work in threads: compiled code, NumPy and SQLite release the GIL."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


_limits: list[int] = []


def cores() -> int:
    """The number of cores this process may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min((allowed, *_limits))


def limit_cores(most: int) -> None:
    """Lets this process use so many cores at most: workers that share the machine with others begin with it."""
    _limits[:] = [max(1, most)]


def parallel_map(task: Callable[[Part], Result], parts: Sequence[Part], threads: int) -> list[Result]:
    """The results of a task for each part, in order; the first error is raised here.

    For tasks of milliseconds: the calling thread works too, and no thread outlives the call. A thread pool takes longer
    to start than some queries take, and a persistent one does not survive a fork.
    """
    helpers = min(threads, len(parts)) - 1
    if helpers < 1:
        return [task(part) for part in parts]
    results: dict[int, Result] = {}
    errors: list[BaseException] = []
    # All threads share one iterator: an idle thread takes the next part.
    waiting = iter(enumerate(parts))
    started = [Thread(target=_work, args=(task, waiting, results, errors)) for _ in range(helpers)]
    for thread in started:
        thread.start()
    _work(task, waiting, results, errors)
    for thread in started:
        thread.join()
    if errors:
        raise errors[0]
    return [results[position] for position in range(len(parts))]


def in_order(pool: Executor, task: Callable[[Part], Result], parts: Iterable[Part], *, ahead: int) -> Iterator[Result]:
    """The results of a task for each part, computed by a pool and yielded in order.

    Parts may come from an endless source: at most `ahead` results are pending, and no further parts are read.
    """
    waiting: deque[Future[Result]] = deque()
    try:
        for part in parts:
            waiting.append(pool.submit(task, part))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def pooled(free: list[Result], make: Callable[[], Result]) -> Iterator[Result]:
    """A scratch buffer from a pool, for one user at a time: allocating new pages takes longer than some queries."""
    try:
        buffer = free.pop()
    except IndexError:
        buffer = make()
    yield buffer
    # Not returned after an error: its state is unknown.
    free.append(buffer)


def _work(
    task: Callable[[Part], Result],
    waiting: Iterator[tuple[int, Part]],
    results: dict[int, Result],
    errors: list[BaseException],
) -> None:
    try:
        for position, part in waiting:
            if errors:
                return
            results[position] = task(part)
    except BaseException as error:  # noqa: BLE001 - raised again by the calling thread
        errors.append(error)
