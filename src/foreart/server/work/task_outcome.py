"""What a process reports of a task: JSON bytes, or the error in a form that every process can read."""

from __future__ import annotations

import json
import sqlite3
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreart import errors
from foreart.errors import ForeartError


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
