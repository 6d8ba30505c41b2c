"""Updates of a library killed at 50 moments, and several at once: the old state or the new, never a mixture."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import foreart as fa
from foreart.doctor import examine
from foreart.document.patent import Patent
from foreart.index.published_state import published_state
from foreart.library import Library
from foreart.sources import read

DRAFT = fa.read_draft(fa.SAMPLE / "drafts" / "insulin-pump.txt")
PATENTS: list[Patent] = list(read(fa.SAMPLE / "patents.jsonl"))
KILLS = 50

# Imports and compiles once; each build is a forked process that starts at once, and is killed before the durable change
# of that number or after so many seconds, if these are not 0.
BUILDER = """
import os, signal, sys, time
from pathlib import Path
from foreart.library import Library

def counted(real, left):
    def call(*parameters, **named):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*parameters, **named)
    return call

def work(folder, change):
    left = [change]
    os.fsync = counted(os.fsync, left)
    Path.replace, Path.rename, Path.mkdir = (counted(each, left) for each in (Path.replace, Path.rename, Path.mkdir))
    os.rmdir, os.unlink = counted(os.rmdir, left), counted(os.unlink, left)
    try:
        with Library(folder) as library:
            library.build()
        return change - left[0], ""
    except Exception as error:
        return -1, str(error)

def started(folder, change):
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        found = work(folder, change)
        os.write(writing, repr(found).encode())
        os._exit(0)
    os.close(writing)
    return process, reading

with Library(sys.argv[1]) as warm:
    warm.build()
    warm.ranker()
print("ready", flush=True)
for line in sys.stdin:
    folder, change, seconds, processes = line.split()
    began = time.monotonic()
    running = [started(folder, int(change)) for _ in range(int(processes))]
    if float(seconds):
        time.sleep(float(seconds))
        os.kill(running[0][0], signal.SIGKILL)
    ended = []
    for process, reading in running:
        with os.fdopen(reading, "rb") as told:
            ended.append(eval(told.read() or b"None"))
        os.waitpid(process, 0)
    print(repr((time.monotonic() - began, ended)), flush=True)
"""


class Builder:
    """Builds a library in processes of its own."""

    def __init__(self, warm: Path) -> None:
        command = [sys.executable, "-c", BUILDER, str(warm)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._line() == "ready"

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def build(
        self, folder: Path, *, change: int = 0, seconds: float = 0.0, processes: int = 1
    ) -> tuple[float, list[tuple[int, str] | None]]:
        """The seconds of the builds; for each the number of its durable changes and its error, None if killed."""
        assert self._process.stdin is not None
        print(folder, change, seconds, processes, file=self._process.stdin, flush=True)
        found: tuple[float, list[tuple[int, str] | None]] = eval(self._line())
        return found

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Two equal libraries of 40 of the 50 patents; copied while no connection is open, whose locks that would end."""
    with Library(tmp_path / "library") as library:
        library.corpus.add(PATENTS[:40])
        library.build()
    shutil.copytree(tmp_path / "library", tmp_path / "warm")
    return tmp_path


@pytest.fixture
def library(made: Path) -> Iterator[Library]:
    with Library(made / "library") as library:
        yield library


@pytest.fixture
def builder(made: Path) -> Iterator[Builder]:
    with closing(Builder(made / "warm")) as builder:
        yield builder


class States:
    """What a search has found in each state of the corpus; it has to find the same again."""

    def __init__(self, library: Library) -> None:
        self.folder = library.folder
        self.found: dict[str, list[tuple[str, float, str]]] = {}

    def check(self) -> str:
        """The state is whole, and what it was when it was seen first."""
        with Library(self.folder) as fresh:
            state = published_state(self.folder)
            corpus = state.view.corpus
            assert {fresh.index(name).description.corpus for name in fresh.indexes} == {corpus}
            result = fresh.search(DRAFT, k=20, cutoff="2030-01-01")
            found = [(hit.id, hit.score, hit.title) for hit in result.hits]
            # The fingerprint of the result is that of the view without what was removed since.
            assert found == self.found.setdefault(result.corpus_fingerprint, found)
        return corpus

    def healthy(self) -> bool:
        """Whether the doctor sees no damage."""
        return not [check for check in examine(self.folder) if check.state == "bad"]


def changed(library: Library, place: int) -> None:
    """A document is replaced, one is added or removed."""
    library.corpus.add([replace(PATENTS[place % 40], title=f"Title {place}")])
    number = PATENTS[40 + place % 10]
    if number.id in library.corpus.ids():
        library.corpus.remove([number.id])
    else:
        library.corpus.add([number])


@pytest.mark.slow
def test_fifty_killed_updates(library: Library, builder: Builder) -> None:
    draw, states = random.Random(3), States(library)
    states.check()
    changed(library, 0)
    seconds, ended = builder.build(library.folder, change=1_000_000)
    assert ended[0] is not None and not ended[0][1]
    changes = ended[0][0]
    assert changes > 20
    before, old, new = states.check(), 0, 0
    for place in range(1, KILLS + 1):
        changed(library, place)
        if place % 2:
            _, ended = builder.build(library.folder, change=draw.randint(1, changes))
        else:
            _, ended = builder.build(library.folder, seconds=draw.uniform(0.0, seconds))
        assert ended == [None] or not ended[0][1]  # type: ignore[index]
        now = states.check()
        assert now in (before, library.corpus.fingerprint)
        old, new = old + (now == before), new + (now != before)
        before = now
        if place % 10 == 0:
            assert states.healthy()
            builder.build(library.folder)
            before = states.check()
            assert before == library.corpus.fingerprint
    assert old > 10
    assert new
    assert states.healthy()


@pytest.mark.slow
def test_builds_at_once_publish_the_new_state_once(library: Library, builder: Builder) -> None:
    states = States(library)
    before = states.check()
    refused = 0
    for place in range(6):
        changed(library, place)
        _, ended = builder.build(library.folder, processes=3)
        errors = [error for each in ended if each is not None for _, error in [each] if error]
        assert len(errors) < 3
        assert all("is being written by another foreart process" in error for error in errors), errors
        refused += len(errors)
        now = states.check()
        assert before != now == library.corpus.fingerprint
        before = now
    assert refused
    assert states.healthy()


@pytest.mark.slow
def test_one_of_two_builds_is_killed(library: Library, builder: Builder) -> None:
    """The lock ends with its process: the other one, or the next, publishes."""
    states, draw = States(library), random.Random(5)
    before = states.check()
    seconds, _ = builder.build(library.folder)
    for place in range(6):
        changed(library, place)
        builder.build(library.folder, seconds=draw.uniform(0.05, max(0.2, seconds)), processes=2)
        assert states.check() in (before, library.corpus.fingerprint)
        builder.build(library.folder)
        before = states.check()
        assert before == library.corpus.fingerprint
    assert states.healthy()
