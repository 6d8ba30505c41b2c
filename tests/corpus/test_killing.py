"""A load that is killed with SIGKILL at random moments and restarted ends with exactly the same corpus."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foreart.corpus import Corpus

KILLS = 50

LOADER = """
import sys
from foreart.corpus import Corpus
from foreart.loading import load
if __name__ == "__main__":
    with Corpus(sys.argv[1], create=True) as corpus:
        print("ready", flush=True)
        load(sys.argv[3:], corpus, workers=int(sys.argv[2]), batch_bytes=20_000)
"""


def make_files(folder: Path, documents: int, words: int) -> list[str]:
    """Two files: the second replaces some patents of the first, completes others, and has malformed lines."""
    rng = random.Random(7)
    vocabulary = [f"word{number}" for number in range(3000)]

    def text(count: int) -> str:
        return " ".join(rng.choices(vocabulary, k=count))

    first, second = folder / "first.jsonl", folder / "second.jsonl"
    with first.open("w") as file:
        for number in range(documents):
            record = {"id": f"US{7000000 + number}B2", "title": f"Thing {number}", "description": text(words)}
            file.write(json.dumps(record | {"claims": [f"1. {text(40)}"], "publication_date": "2007-01-02"}) + "\n")
            if number % 50 == 7:
                file.write('{"id": "US1", "title": \n')
    with second.open("w") as file:
        for number in range(0, documents, 3):
            record = {"id": f"US{7000000 + number}B2", "abstract": text(50)}
            if number % 2:
                record["title"] = f"Better thing {number}"
            file.write(json.dumps(record) + "\n")
            if number % 60 == 9:
                file.write("not json at all\n")
    return [str(first), str(second)]


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table except the progress of loads."""
    connection = sqlite3.connect(path)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    content = {table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}
    connection.close()
    return content


def start(script: Path, corpus: Path, workers: int, files: list[str]) -> subprocess.Popen[str]:
    """A running load: the corpus is open."""
    command = [sys.executable, str(script), str(corpus), str(workers), *files]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    with process.stdout as output:
        assert output.readline() == "ready\n"
    return process


def run(script: Path, corpus: Path, workers: int, files: list[str]) -> float:
    """An uninterrupted load, and its duration after the start."""
    process = start(script, corpus, workers, files)
    began = time.monotonic()
    assert process.wait() == 0
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "documents", "words", "kills"), [(1, 500, 300, KILLS - 10), (2, 1200, 600, 10)])
def test_a_killed_load_resumes_and_ends_with_the_same_corpus(
    tmp_path: Path, workers: int, documents: int, words: int, kills: int
) -> None:
    script = tmp_path / "loader.py"
    script.write_text(LOADER)
    files = make_files(tmp_path, documents, words)

    complete = tmp_path / "complete.db"
    span = run(script, complete, workers, files)
    expected = dump(complete)
    assert len(expected["patent"]) == documents
    assert len(expected["reject"]) == len(range(7, documents, 50)) + len(range(9, documents, 60))

    rng = random.Random(workers)
    killed = rounds = 0
    while killed < kills:
        rounds += 1
        corpus = tmp_path / f"killed{rounds}.db"
        finished = False
        while not finished and killed < kills:
            process = start(script, corpus, workers, files)
            # At any point of the load, most often early, so that one corpus is killed many times.
            time.sleep(rng.random() ** 2 * span)
            process.send_signal(signal.SIGKILL)
            finished = process.wait() == 0
            if not finished:
                killed += 1
                with Corpus(corpus) as opened:
                    assert opened.connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        if not finished:
            run(script, corpus, workers, files)
        assert dump(corpus) == expected


def test_workers_do_not_outlive_a_killed_load(tmp_path: Path) -> None:
    script = tmp_path / "loader.py"
    script.write_text(LOADER)
    process = start(script, tmp_path / "corpus.db", 2, make_files(tmp_path, 1500, 800))
    time.sleep(0.8)
    process.send_signal(signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)  # the loader has its own process group: is any process left in it?
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a worker still runs")
