"""Work on all cores. Threads do it: compiled code, NumPy and the database let go of Python's lock meanwhile."""

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


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(task: Callable[[Part], Result], parts: Sequence[Part], threads: int) -> list[Result]:
    """The results of a task for each part, in order; an error of a part is raised here.

    For work of milliseconds: the caller works too, and nothing is left running. A pool of threads takes longer to
    start than some queries take, and one that is kept does not survive a fork.
    """
    helpers = min(threads, len(parts)) - 1
    if helpers < 1:
        return [task(part) for part in parts]
    results: dict[int, Result] = {}
    errors: list[BaseException] = []
    # One iterator for all: who is done takes the next part.
    waiting = iter(enumerate(parts))
    started = [Thread(target=_work, args=(task, waiting, results, errors)) for _ in range(helpers)]
    for thread in started:
        thread.start()
    _work(task, waiting, results, errors)
    for thread in started:
        thread.join()
    if errors:
        raise errors[0]
    return [results[place] for place in range(len(parts))]


def in_order(pool: Executor, task: Callable[[Part], Result], parts: Iterable[Part], *, ahead: int) -> Iterator[Result]:
    """The results of a task that a pool does for each part, in order, as they are taken.

    Parts come from a source of any length: `ahead` results may lie around, and no more parts are read.
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
    """Room to work, as others left it, for one at a time: fresh pages take longer than the work of some queries."""
    try:
        room = free.pop()
    except IndexError:
        room = make()
    yield room
    # Not given back after an error: what it left behind is not known.
    free.append(room)


def _work(
    task: Callable[[Part], Result],
    waiting: Iterator[tuple[int, Part]],
    results: dict[int, Result],
    errors: list[BaseException],
) -> None:
    try:
        for place, part in waiting:
            if errors:
                return
            results[place] = task(part)
    except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
        errors.append(error)
