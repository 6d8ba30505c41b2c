"""Output to the terminal: text of any origin is printed as text, never as markup or control sequences."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.text import Text

# Control characters except tab and newline, line separators, bidirectional overrides and lone surrogates.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """Escapes characters that a terminal interprets; JSON stays the same JSON."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """A visible text without line breaks, so that a file name cannot forge a second message."""
    return visible(text).replace("\n", "\\n")


class SafeConsole(Console):
    """A console without markup, emoji codes and highlighting that makes control characters visible."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Escapes all segments except the control segments that rich itself creates."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def output(width: int | None = None) -> Console:
    """Where results go."""
    return SafeConsole(width=width)


@cache
def messages() -> Console:
    """Where progress and summaries go: standard error, so that results can be piped."""
    return SafeConsole(stderr=True)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    write_line(json.dumps(value, ensure_ascii=False, indent=2))


def write_line(text: str) -> None:
    """One line of results, in UTF-8 whatever the terminal expects."""
    sys.stdout.buffer.write(visible(text).encode() + b"\n")


def announce(text: str) -> None:
    """One line that a waiting program reads at once."""
    write_line(text)
    sys.stdout.flush()


def write_bytes(data: bytes) -> None:
    """Raw bytes, or escaped text if standard output is a terminal."""
    sys.stdout.buffer.write(visible(data.decode("utf-8", "replace")).encode() if sys.stdout.isatty() else data)


def ask(question: str) -> str:
    """One line from standard input; the question goes to standard error, so that results can be piped."""
    messages().print(Text(question, "bold"), end="")
    return sys.stdin.readline().strip()


def ask_secret(question: str) -> str:
    """One line from the terminal that is not echoed."""
    answer: str = click.prompt(one_line(question), hide_input=True, err=True)
    return answer


@contextmanager
def progress(text: str, *columns: ProgressColumn) -> Iterator[Callable[..., None]]:
    """A progress bar on standard error; the yielded function updates its text, the count done and the total.

    By default the bar shows done of total and the time remaining.
    """
    default_columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    described = TextColumn("{task.description}", markup=False)
    with Progress(described, *(columns or default_columns), console=messages(), transient=True) as bar:
        task = bar.add_task(text)

        def show(text: str | None = None, done: float | None = None, total: float | None = None) -> None:
            description = None if text is None else one_line(text)
            bar.update(task, description=description, completed=done, total=total)

        yield show


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """A count of printed results on standard error, unless the results themselves go to the terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} " + what), TimeElapsedColumn())
    with Progress(*columns, console=messages(), transient=True, disable=sys.stdout.isatty()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner on standard error; the yielded function changes its text."""
    with messages().status(Text(what)) as status:
        yield lambda text: status.update(Text(one_line(text)))
