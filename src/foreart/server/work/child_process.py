"""A child process for one task, with limits of memory and time: files from outside may be made to harm."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foreart.errors import BadFile
from foreart.processes import Channel, ChildProcess
from foreart.server.work.task_outcome import TaskFailure, TaskOutcome, outcome_of

LOG = logging.getLogger("foreart.server")
MEMORY = 1 << 30
SECONDS = 60.0


def in_child(
    task: Callable[..., Any],
    *arguments: Any,  # noqa: ANN401 those of the task
    what: str,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> bytes:
    """The JSON of a task's result. Data go through a pipe and never into a file; BadFile if a limit is exceeded."""
    child = ChildProcess(_child, memory, int(seconds) + 1)
    try:
        with child.channel as channel:
            channel.send((task, arguments))
            if not channel.poll(seconds):
                raise BadFile(f"{what} takes more than {seconds:.0f} seconds to read: save it in another format")
            outcome: TaskOutcome = channel.recv()
    except (EOFError, OSError):
        raise BadFile(f"{what} cannot be read: its reader was stopped because it used too much memory") from None
    finally:
        child.kill()
    try:
        return outcome.result()
    except TaskFailure as failure:
        LOG.error("%s", failure)
        raise BadFile(f"{what} cannot be read: save it in another format") from None


def _child(channel: Channel, memory: int, seconds: int) -> None:
    _limit(memory, seconds)
    task, arguments = channel.recv()
    channel.send(outcome_of(lambda: task(*arguments)))


def _limit(memory: int, seconds: int) -> None:
    """Limits the address space beyond what the process has, the time of its processor, and the files it may write."""
    if os.name == "nt":
        return
    import resource

    sizes = Path("/proc/self/statm")
    used = int(sizes.read_text().split()[0]) * resource.getpagesize() if sizes.exists() else 0
    resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
