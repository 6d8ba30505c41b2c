"""The boundary of the process: turns every exception into one sentence and an exit code."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from typing import IO, Any

import click

from foreart.errors import ForeartError

_LONGEST = 4_000


class Interrupted(click.ClickException):
    """Ctrl-C, with the exit code that shells expect."""

    exit_code = 130

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints one sentence without the prefix "Error:"."""
        click.echo(self.format_message(), file=file, err=file is None)


@contextmanager
def resumable(sentence: str) -> Iterator[None]:
    """Reports after Ctrl-C what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"stopped; {sentence}") from None


@contextmanager
def edge() -> Iterator[None]:
    """Turns errors a user can act on into one sentence, including output that cannot be written."""
    try:
        yield
        sys.stdout.flush()
    except click.ClickException as error:
        error.message = _safe(error.message)  # type: ignore[misc]
        raise
    except KeyboardInterrupt:
        raise Interrupted("stopped") from None
    except BrokenPipeError:
        # The reader of our output (head, less) has closed the pipe.
        _discard_output()
        raise SystemExit(1) from None
    except (ForeartError, OSError, sqlite3.Error, MemoryError, BrokenExecutor, UnicodeEncodeError) as error:
        _discard_output()
        raise click.ClickException(_sentence(error)) from error


def open_streams() -> None:
    """Makes the standard streams accept any text: none is missing, and none fails on a character."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 as long as the process
        else:
            stream.reconfigure(errors="replace")


def _sentence(error: Exception) -> str:
    sentence = str(error)
    if isinstance(error, sqlite3.Error):
        sentence = f"the corpus could not be used: {error}; `foreart doctor` checks it"
    elif isinstance(error, MemoryError):
        sentence = "not enough memory"
    elif isinstance(error, BrokenExecutor):
        sentence = "a worker process was killed, perhaps because memory ran out; run the same command again to resume"
    elif isinstance(error, UnicodeEncodeError):
        sentence = f"{error.object[:80]} is not text: it has bytes that are not valid UTF-8"
    elif isinstance(error, OSError) and error.strerror:
        sentence = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return _safe(sentence).replace("\n", "\\n")


def _safe(message: str) -> str:
    """A message of limited length without control sequences: values and file names in it may be anything."""
    from foreart.cli.printing import visible

    return visible(message if len(message) <= _LONGEST else f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 2 :]}")


def _discard_output() -> None:
    """Drops output that could not be written, so that Python does not try again at exit and complain."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
