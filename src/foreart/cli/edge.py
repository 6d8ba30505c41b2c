"""The edge of the process: every way in which a command can end early becomes one sentence and an exit code."""

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
        """One sentence, which is no error."""
        click.echo(self.format_message(), file=file, err=file is None)


@contextmanager
def resumable(sentence: str) -> Iterator[None]:
    """Says after Ctrl-C what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"stopped; {sentence}") from None


@contextmanager
def edge() -> Iterator[None]:
    """Turns what a person can act on into one sentence; output that cannot be written is an error like any other."""
    try:
        yield
        sys.stdout.flush()
    except click.ClickException as error:
        error.message = _safe(error.message)  # type: ignore[misc]
        raise
    except KeyboardInterrupt:
        raise Interrupted("stopped") from None
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        _discard_output()
        raise SystemExit(1) from None
    except (ForeartError, OSError, sqlite3.Error, MemoryError, BrokenExecutor, UnicodeEncodeError) as error:
        _discard_output()
        raise click.ClickException(_sentence(error)) from error


def open_streams() -> None:
    """Makes the standard streams fit to print any text: none is missing, and none fails on a character."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 as long as the process
        else:
            stream.reconfigure(errors="replace")


def _sentence(error: Exception) -> str:
    told = str(error)
    if isinstance(error, sqlite3.Error):
        told = f"the corpus could not be used: {error}; `foreart doctor` examines it"
    elif isinstance(error, MemoryError):
        told = "there is not enough memory for this"
    elif isinstance(error, BrokenExecutor):
        told = "a worker process was killed, perhaps because memory ran out; the same command goes on from there"
    elif isinstance(error, UnicodeEncodeError):
        told = f"{error.object[:80]} is not text: it has bytes that no character has"
    elif isinstance(error, OSError) and error.strerror:
        told = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return _safe(told).replace("\n", "\\n")


def _safe(message: str) -> str:
    """A message of bearable length that steers no terminal: values and names of files in it may be anything."""
    from foreart.cli.printing import visible

    return visible(message if len(message) <= _LONGEST else f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 2 :]}")


def _discard_output() -> None:
    """Drops what could not be written, lest Python tries again at exit and complains."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
