"""A few threads for work that takes milliseconds: the caller works too, and nothing is left running."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def cores() -> int:
    """How many threads are of use."""
    return os.cpu_count() or 1


def side_by_side(task: Callable[[Part], Result], parts: Sequence[Part], threads: int) -> list[Result]:
    """The results of a task for each part, in order; an error of a part is raised here.

    A pool of threads takes longer to start than some queries take, and one that is kept does not survive a fork.
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
