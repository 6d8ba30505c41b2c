"""What a model reads when a tool fails: one sentence that names the next step, and never what was given."""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from foreart import errors

# The next step for each error whose sentence has none; a subclass comes before its base.
NEXT_STEPS: tuple[tuple[type[errors.ForeartError], str], ...] = (
    (errors.NotInCorpus, "`search` and `similar` give numbers of it, and `foreart add` loads more"),
    (errors.CorpusBusy, "try again when the other process has finished"),
    (errors.WrongVersion, "`foreart doctor` says what to do"),
    (errors.IndexingError, "`foreart build` builds them"),
    (errors.BadNumber, "write it as US7585299B2"),
    (errors.UnknownFormat, "give the text itself as `text`"),
    (errors.BadFile, "give the text itself as `text`"),
)
_LONGEST = 1_000
_FILE = "corpus.db"


def sentence_of(error: BaseException, library: Path | None = None) -> str:
    """The sentence for an error, without the path of the library; empty for an error that nobody expected."""
    if isinstance(error, errors.ForeartError):
        said = str(error) if library is None else str(error).replace(str(library), "LIBRARY")
        shown = "".join(sign if sign.isprintable() else " " for sign in said[:_LONGEST])
        return _with_step(" ".join(shown.split()), error)
    if isinstance(error, sqlite3.Error):
        return "the corpus could not be used: `foreart doctor` checks it"
    if isinstance(error, MemoryError):
        return "this needs more memory than there is: ask for fewer documents"
    if isinstance(error, OSError):
        return f"the library could not be read ({error.strerror or 'unknown reason'}): `foreart doctor` checks it"
    return ""


def mismatch_sentence(problems: Iterable[Mapping[str, Any]]) -> str:
    """The place and the rule of the first argument that does not fit, without its value."""
    first = next(iter(problems))
    where = ".".join(str(part) for part in first["loc"])
    what = "a field that is needed is missing" if first["type"] == "missing" else first["msg"]
    return f"{where or 'the arguments'}: {what[:1].lower()}{what[1:]}"[:300]


def place_of(error: BaseException) -> str:
    """The type of an error and where it was raised, for the log: its text may quote a draft."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{at}"


def _with_step(sentence: str, error: errors.ForeartError) -> str:
    if "`" in sentence or "pip install" in sentence:
        return sentence
    if isinstance(error, errors.CorpusError) and _FILE in sentence:
        return f"{sentence}; `foreart doctor` checks it"
    step = next((step for kind, step in NEXT_STEPS if isinstance(error, kind)), "")
    return f"{sentence}; {step}" if step else sentence
