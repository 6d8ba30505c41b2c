"""The one door to the terminal: text of any origin is printed as text, never as markup or control sequences."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache

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

# Control characters but tab and newline, line separators, bidirectional overrides and lone surrogates.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """A text with escapes in place of what steers a terminal; JSON stays the same JSON."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """A visible text without line breaks: a name of a file cannot forge a second message."""
    return visible(text).replace("\n", "\\n")


class SafeConsole(Console):
    """A console without markup, emoji codes and highlighting that makes control characters visible."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of anything printed; what rich itself sends to the terminal is marked as control."""
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


def write_bytes(data: bytes) -> None:
    """Bytes as they are, unless a terminal would obey them."""
    sys.stdout.buffer.write(visible(data.decode("utf-8", "replace")).encode() if sys.stdout.isatty() else data)


@contextmanager
def progress(text: str, *columns: ProgressColumn) -> Iterator[Callable[..., None]]:
    """A progress bar on standard error; the function given changes its text, the number done and the total.

    By default the bar shows done of total and the time that is left.
    """
    usual = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    described = TextColumn("{task.description}", markup=False)
    with Progress(described, *(columns or usual), console=messages(), transient=True) as shown:
        task = shown.add_task(text)

        def show(text: str | None = None, done: float | None = None, total: float | None = None) -> None:
            told = None if text is None else one_line(text)
            shown.update(task, description=told, completed=done, total=total)

        yield show


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Progress of printed results: a count on standard error, unless the results themselves run over the terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} " + what), TimeElapsedColumn())
    with Progress(*columns, console=messages(), transient=True, disable=sys.stdout.isatty()) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done: shown.update(task, completed=done)


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner on standard error; the function given changes its text."""
    with messages().status(Text(what)) as status:
        yield lambda text: status.update(Text(one_line(text)))
