"""Worker processes: they end with the process that started them, and leave Ctrl-C to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import house
from foreart.processes import WorkerProcesses

# Starts two workers that work for long; says `ready` when both do.
PARENT = """
import sys, time
from pathlib import Path
from foreart.processes import WorkerProcesses

def work(folder, number):
    Path(folder, str(number)).touch()
    time.sleep(60)

if __name__ == "__main__":
    try:
        with WorkerProcesses(2) as pool:
            futures = [pool.submit(work, sys.argv[1], number) for number in range(9)]
            while len(list(Path(sys.argv[1]).iterdir())) < 2:
                time.sleep(0.01)
            print("ready", flush=True)
            futures[0].result()
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process with two busy workers, in a group of its own."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT, "utf-8")
    (tmp_path / "begun").mkdir()
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "begun")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield process
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def group_ends(group: int, within: float = 20) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_workers_end_when_their_parent_is_killed(parent: subprocess.Popen[str]) -> None:
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert group_ends(parent.pid)


def test_workers_do_not_see_ctrl_c(parent: subprocess.Popen[str]) -> None:
    """The parent is told once; the workers, which the terminal tells too, go on until it ends them."""
    assert parent.stdout is not None
    os.killpg(parent.pid, signal.SIGINT)
    time.sleep(0.3)
    parent.send_signal(signal.SIGKILL)  # it waits for the tasks that have begun
    parent.wait()
    assert group_ends(parent.pid)
    assert parent.stderr is not None
    assert "Traceback" not in parent.stderr.read()


def test_results_and_errors_come_back() -> None:
    with WorkerProcesses(2, preload=("json",)) as pool:
        assert list(pool.map(abs, (-1, 2, -3))) == [1, 2, 3]
        with pytest.raises(ValueError, match="invalid literal"):
            pool.submit(int, "x").result()


def test_all_processes_are_started_here() -> None:
    users = {
        path.name
        for path in house.modules()
        if any(word in path.read_text("utf-8") for word in ("ProcessPoolExecutor", "multiprocessing"))
    }
    assert users == {"processes.py"}
