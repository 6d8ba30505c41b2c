"""A crawl that is killed with SIGKILL at random moments and restarted ends with exactly the same corpus."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawl.graph import network, reached
from crawl.site import later, serving, site_of, status

KILLS = 25
# One process has imported everything and forks a child for each crawl, so that starting is fast and a kill is real.
FORK_SERVER = """
import json, os, signal, sys, time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from foreart.corpus import Corpus
from foreart.crawl import CrawlAccess, CrawlSpec, CrawlConditions, CrawlPolicy, crawl, crawler, open_source

def child(folder, address, seeds):
    crawler._COMMIT_SECONDS = 0.02
    access = CrawlAccess(address=address, rate=1000, policy=CrawlPolicy(first_wait=0.005, attempts=4))
    source = open_source("google", Path(folder), access)
    spec = CrawlSpec(CrawlConditions(classes=("A61",), published_from="2000"))
    with closing(source), Corpus(Path(folder) / "corpus.db", create=True) as corpus:
        crawl(corpus, source, seeds, spec)

for line in sys.stdin:
    *what, alive = json.loads(line)
    pid = os.fork()
    if not pid:
        try:
            child(*what)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    end = time.monotonic() + (1000 if alive is None else alive)
    ended, status = os.waitpid(pid, os.WNOHANG)
    while not ended and time.monotonic() < end:
        time.sleep(0.003)
        ended, status = os.waitpid(pid, os.WNOHANG)
    if not ended:
        os.kill(pid, signal.SIGKILL)  # ours until it is waited for
        ended, status = os.waitpid(pid, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


class ForkServer:
    """Starts crawls, and can kill them."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", FORK_SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, folder: Path, address: str, seeds: list[str], *, alive: float | None = None) -> tuple[int, float]:
        """How the crawl ended, and how long it took; killed after `alive` seconds."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        began = time.monotonic()
        self.process.stdin.write(json.dumps([str(folder), address, seeds, alive]) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline()), time.monotonic() - began

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    content = {table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}
    connection.close()
    return content


@pytest.fixture
def folder_in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory if the system has one: a killed process loses nothing that the kernel has."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="foreart-kill-") as name:
        yield Path(name)


@pytest.mark.slow
def test_a_killed_crawl_resumes_and_ends_with_the_same_corpus(folder_in_memory: Path) -> None:
    documents = network(80, seed=3)
    seeds = ["US7000001B2", "US7000002B2"]
    with serving(site_of(documents)) as site:
        expected_ids = list(reached(site.documents, seeds))
        for place, number in enumerate(expected_ids):
            if place % 11 == 4:
                site.faults[number] = status(500, times=1) if place % 2 else later(0, times=1)
        site.delay = 0.002
        forks = ForkServer()
        try:
            assert forks.run(folder_in_memory / "whole", site.address, seeds)[0] == 0
            ended, span = forks.run(folder_in_memory / "again", site.address, seeds)
            assert ended == 0
            expected = dump(folder_in_memory / "whole" / "corpus.db")
            assert {row[1] for row in expected["patent"]} == set(expected_ids)
            rng = random.Random(1)
            killed = rounds = most = 0
            while killed < KILLS:
                rounds += 1
                folder = folder_in_memory / f"killed{rounds}"
                ended, times = -signal.SIGKILL, 0
                while ended and killed < KILLS:
                    # At any point of the crawl, most often early, so that one crawl is killed many times.
                    ended, _ = forks.run(folder, site.address, seeds, alive=rng.random() ** 2 * 0.8 * span)
                    killed += ended != 0
                    times += ended != 0
                most = max(most, times)
                if ended:
                    assert forks.run(folder, site.address, seeds)[0] == 0
                assert dump(folder / "corpus.db") == expected
            assert most >= 3
        finally:
            forks.close()
