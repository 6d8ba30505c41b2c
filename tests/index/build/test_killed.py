"""If a build, update or merge is killed at any moment, either the old or the new postings open."""

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

KILLS = 17  # of each of three jobs
SIZE = 16

# Imports and compiles once; each job is a forked process that starts immediately.
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
    # Every durable change goes through one of these.
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
    """Runs jobs, and kills them on request."""

    def __init__(self, script: Path, corpus: Path) -> None:
        script.write_text(WORKERS)
        command = [sys.executable, str(script), str(corpus), str(SIZE)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._answer() == "ready"

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def do(self, work: str, folder: Path, corpus: Path, *, steps: int = 0, seconds: float = 0.0) -> bool:
        """Whether the job finished; it is killed before its n-th durable step, or after some seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{work} {folder} {corpus} {steps} {seconds}\n")
        self._process.stdin.flush()
        code = int(self._answer())
        assert code in (0, -signal.SIGKILL)
        return code == 0

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    """A corpus, and the same corpus after some changes."""
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
    """The fingerprint of postings that open and pass verification; empty if there are none."""
    try:
        manifest = store.load(folder).manifest
    except IndexingError as error:
        assert "there is no index" in str(error)
        return ""
    assert store.verify(folder) == []
    assert manifest is not None
    return manifest.fingerprint


def jobs(corpora: tuple[Path, Path]) -> list[tuple[str, Path]]:
    """A build, an update that merges, and a merge of all segments."""
    return [("update", corpora[0]), ("update", corpora[1]), ("merge", corpora[1])]


def kill_time(rng: random.Random, span: float) -> dict[str, float]:
    """When to kill: between two durable steps, or at a random moment."""
    return {"steps": rng.randrange(1, 50)} if rng.random() < 0.5 else {"seconds": rng.random() * span}


@pytest.mark.slow
def test_killed_between_durable_steps_and_at_random_moments(
    tmp_path: Path, workers: Workers, corpora: tuple[Path, Path]
) -> None:
    rng = random.Random(7)
    complete, old, killed = tmp_path / "complete", tmp_path / "old", tmp_path / "killed"
    complete.mkdir()
    known = []
    for work, corpus in jobs(corpora):
        shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(complete, old)
        started = time.monotonic()
        assert workers.do(work, complete, corpus)
        span = time.monotonic() - started
        states, kills = {fingerprint(old), fingerprint(complete)}, 0
        while kills < KILLS:
            shutil.rmtree(killed, ignore_errors=True)
            shutil.copytree(old, killed)
            while not workers.do(work, killed, corpus, **kill_time(rng, span)):
                kills += 1
                states.add(fingerprint(killed))
            assert fingerprint(killed) == fingerprint(complete)
            assert {path.name for path in killed.iterdir()} == {path.name for path in complete.iterdir()}
            assert len(list(killed.rglob("*"))) == len(list(complete.rglob("*")))
        known.append(states)
    with Corpus(corpora[1]) as corpus:
        check(store.load(complete), corpus)
    # Either the old postings (or none), or the new ones.
    assert [len(states) for states in known] == [2, 2, 2]
