"""Single keys from a terminal, and lines from a terminal or a pipe."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import click

# Elsewhere (Windows), click reads keys.
_POSIX = find_spec("termios") is not None
if _POSIX:
    import termios
    import tty

_ESCAPE = "\x1b"


class KeyReader:
    """Reads keys without Enter; keys that are typed ahead are kept. A pipe gives one key a line.

    The terminal stays in this mode from `reading` to its end: switching for each key would drop what was typed between.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdin.isatty()
        self._file = sys.stdin.fileno() if self._is_terminal else -1

    @contextmanager
    def reading(self) -> Iterator[None]:
        """The time in which keys are read; the terminal is as before when it ends."""
        if not self._is_terminal or not _POSIX:
            yield
            return
        before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file, termios.TCSADRAIN)
        try:
            yield
        finally:
            termios.tcsetattr(self._file, termios.TCSADRAIN, before)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """A time in which the terminal reads lines, with an echo."""
        if not self._is_terminal or not _POSIX:
            yield
            return
        keys = termios.tcgetattr(self._file)
        lines = [*keys[:3], keys[3] | termios.ICANON | termios.ECHO, *keys[4:]]
        termios.tcsetattr(self._file, termios.TCSADRAIN, lines)
        try:
            yield
        finally:
            termios.tcsetattr(self._file, termios.TCSADRAIN, keys)

    @property
    def echoes(self) -> bool:
        """Whether a key must be printed by the program."""
        return self._is_terminal

    def key(self) -> str:
        """The next key; EOFError at the end of the input."""
        if not self._is_terminal:
            return self._line()
        if not _POSIX:
            return click.getchar()
        while (key := _decoded(self._file)) == _ESCAPE:
            self._skip_sequence()
        return key

    def line(self) -> str:
        """A line, without spaces around it."""
        with self.paused():
            return self._line()

    def _skip_sequence(self) -> None:
        """Reads the rest of an arrow or function key, whose characters are no keys."""
        if not select.select([self._file], [], [], 0.02)[0] or os.read(self._file, 1) not in (b"[", b"O"):
            return
        while not b"@" <= os.read(self._file, 1) <= b"~":
            pass

    @staticmethod
    def _line() -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()


def _decoded(file: int) -> str:
    """One character of UTF-8."""
    data = b""
    while len(data) < 4:
        more = os.read(file, 1)
        if not more or more == b"\x04":  # Ctrl-D
            raise EOFError
        data += more
        try:
            return data.decode()
        except UnicodeDecodeError:
            continue
    return ""
