"""What a process reports of a task: JSON bytes, or the error in a form that every process can read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from foreart import errors
from foreart.errors import ForeartError


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


def _made(kind: type[ForeartError], sentence: str) -> ForeartError:
    """An error with a sentence, whatever its constructor takes."""
    error = kind.__new__(kind)
    error.args = (sentence,)
    return error
