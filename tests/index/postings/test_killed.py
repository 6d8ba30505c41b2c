"""Killed at any moment of building, updating, merging and publishing, the old postings open, or the new ones."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreart.corpus import Corpus
from foreart.errors import IndexingError
from foreart.index.storage import store
from random_patents import change, check, made

KILLS = 17  # of each of three works
SIZE = 16

# Everything is imported and compiled once; each work is a process of its own that begins at once.
WORKERS = """
import os, signal, sys, tempfile, time, traceback
from pathlib import Path
from foreart.corpus import Corpus
from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.snapshot_updating import update

SIZE = int(sys.argv[2])

def counted(real, left):
    def call(*parameters, **named):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*parameters, **named)
    return call

def work(name, folder, corpus, steps):
    left = [steps]
    # All that lasts goes through one of these.
    os.fsync = counted(os.fsync, left)
    Path.replace, Path.rename, Path.mkdir = (counted(each, left) for each in (Path.replace, Path.rename, Path.mkdir))
    os.rmdir, os.unlink = counted(os.rmdir, left), counted(os.unlink, left)
    with Corpus(corpus) as opened:
        update(folder, opened, DocumentRows(size=SIZE), merge=name == "merge")

with tempfile.TemporaryDirectory() as warm, Corpus(sys.argv[1]) as corpus:
    update(warm, corpus, DocumentRows(size=SIZE), merge=True)
print("ready", flush=True)
for line in sys.stdin:
    name, folder, corpus, steps, seconds = line.split()
    process = os.fork()
    if not process:
        try:
            work(name, folder, corpus, int(steps))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if float(seconds):
        time.sleep(float(seconds))
        os.kill(process, signal.SIGKILL)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


class Workers:
    """Does works, and kills those that it is told to."""

    def __init__(self, script: Path, corpus: Path) -> None:
        script.write_text(WORKERS)
        command = [sys.executable, str(script), str(corpus), str(SIZE)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._told() == "ready"

    def _told(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def do(self, work: str, folder: Path, corpus: Path, *, steps: int = 0, seconds: float = 0.0) -> bool:
        """Whether the work came to its end; it is killed before some step that lasts, or after a time."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{work} {folder} {corpus} {steps} {seconds}\n")
        self._process.stdin.flush()
        ended = int(self._told())
        assert ended in (0, -signal.SIGKILL)
        return ended == 0

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    """A corpus, and the same after some changes."""
    before, after = tmp_path / "before.db", tmp_path / "after.db"
    made(before, 54).close()
    with Corpus(before) as corpus:
        corpus.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(before, after)
    with Corpus(after) as corpus:
        change(corpus, random.Random(1), 700)
        change(corpus, random.Random(2), 800)
    return before, after


@pytest.fixture
def workers(tmp_path: Path, corpora: tuple[Path, Path]) -> Iterator[Workers]:
    started = Workers(tmp_path / "workers.py", corpora[0])
    yield started
    started.close()


def fingerprint(folder: Path) -> str:
    """Of postings that open and are sound in every byte; empty if there are none."""
    try:
        manifest = store.load(folder).manifest
    except IndexingError as error:
        assert "there is no index" in str(error)
        return ""
    assert store.verify(folder) == []
    assert manifest is not None
    return manifest.fingerprint


def works(corpora: tuple[Path, Path]) -> list[tuple[str, Path]]:
    """A build, an update that merges, and the merging of all."""
    return [("update", corpora[0]), ("update", corpora[1]), ("merge", corpora[1])]


def killing(rng: random.Random, span: float) -> dict[str, float]:
    """When: between two steps that last, or at any moment."""
    return {"steps": rng.randrange(1, 50)} if rng.random() < 0.5 else {"seconds": rng.random() * span}


@pytest.mark.slow
def test_killed_before_steps_that_last_and_at_random_moments(
    tmp_path: Path, workers: Workers, corpora: tuple[Path, Path]
) -> None:
    rng = random.Random(7)
    whole, old, killed = tmp_path / "whole", tmp_path / "old", tmp_path / "killed"
    whole.mkdir()
    known = []
    for work, corpus in works(corpora):
        shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(whole, old)
        began = time.monotonic()
        assert workers.do(work, whole, corpus)
        span = time.monotonic() - began
        states, kills = {fingerprint(old), fingerprint(whole)}, 0
        while kills < KILLS:
            shutil.rmtree(killed, ignore_errors=True)
            shutil.copytree(old, killed)
            while not workers.do(work, killed, corpus, **killing(rng, span)):
                kills += 1
                states.add(fingerprint(killed))
            assert fingerprint(killed) == fingerprint(whole)
            assert {path.name for path in killed.iterdir()} == {path.name for path in whole.iterdir()}
            assert len(list(killed.rglob("*"))) == len(list(whole.rglob("*")))
        known.append(states)
    with Corpus(corpora[1]) as corpus:
        check(store.load(whole), corpus)
    # None or the old ones, or the new ones.
    assert [len(states) for states in known] == [2, 2, 2]
