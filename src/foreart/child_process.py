"""A child process for one task, with limits of memory and time, and what any process reports of a task."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreart import errors
from foreart.errors import BadFile, ForeartError
from foreart.processes import Channel, ChildProcess

LOG = logging.getLogger("foreart.server")
MEMORY = 1 << 30
SECONDS = 60.0


class TaskFailure(Exception):
    """An unexpected error in a process: its type and place, never its text, which may quote a draft."""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """The JSON of a result, or the class and sentence of an error of the tree."""

    data: bytes = b""
    error: str = ""
    sentence: str = ""

    def result(self) -> bytes:
        """The JSON; raises the error if there is one."""
        if not self.error:
            return self.data
        if self.error == TaskFailure.__name__:
            raise TaskFailure(self.sentence)
        raise _made(getattr(errors, self.error, ForeartError), self.sentence)


def outcome_of(task: Callable[[], Any]) -> TaskOutcome:
    """Runs a task. Errors that are not of the tree leave only their type: their text may quote a draft."""
    try:
        return TaskOutcome(json.dumps(task(), ensure_ascii=False, allow_nan=False, default=list).encode())
    except ForeartError as error:
        return TaskOutcome(error=type(error).__name__, sentence=str(error))
    except sqlite3.Error:
        return TaskOutcome(error="CorpusError", sentence="the corpus could not be used: `foreart doctor` checks it")
    except MemoryError:
        return TaskOutcome(error="ForeartError", sentence="this needs more memory than there is")
    except Exception as error:  # noqa: BLE001 the text of an unknown error must not leave the process
        return TaskOutcome(error=TaskFailure.__name__, sentence=type_and_place(error))


def type_and_place(error: BaseException) -> str:
    """What may be said of an unexpected error: its type, and the line that raised it."""
    if isinstance(error, TaskFailure):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an error"


def _made(kind: type[ForeartError], sentence: str) -> ForeartError:
    """An error with a sentence, whatever its constructor takes."""
    error = kind.__new__(kind)
    error.args = (sentence,)
    return error


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
