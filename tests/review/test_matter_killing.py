"""A review that is killed with SIGKILL at random moments, and two processes that write to one matter."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foreart.errors import WrongPassphrase
from foreart.review.matters import fold, sealing
from foreart.review.matters.event_log import EventLog, create_log
from foreart.review.matters.matter_events import (
    CategoryGiven,
    DocumentJudged,
    DocumentsShown,
    Event,
    MatterCreated,
    NoteWritten,
    RedoAsked,
    UndoAsked,
)
from matter_world import PASSPHRASE, TIME

KILLS = 50
# Forks a writer for each line that it is sent: file, passphrase, rater, number of the first step.
FORKS = """
import os, sys, time
sys.path.insert(0, {tests!r})
from foreart.review.matters.event_log import EventLog
from matter_world import TIME
from review.test_matter_killing import step
for line in sys.stdin:
    path, passphrase, rater, first, last = line.rstrip("\\n").split("|")
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        print("end", flush=True)
        continue
    os.write(1, b"pid %d\\n" % os.getpid())
    from pathlib import Path
    log = EventLog(Path(path), passphrase)
    os.write(1, b"opened\\n")
    for number in range(int(first), int(last)):
        log.append(step(number), time=TIME, rater=rater)
        os.write(1, b"ack %d\\n" % number)
    os._exit(0)
"""


def step(number: int) -> Event:
    """The scripted review: judgements with undo and redo, categories and notes."""
    document = f"XX{number}A"
    steps: tuple[Event, ...] = (
        DocumentsShown((document,)),
        DocumentJudged(document, ("relevant", "maybe", "no", "later")[number % 4], (f"XX{number}B1",), number),
        CategoryGiven(document, "X", (1, number % 9 + 1)),
        NoteWritten(f"note {number} " + "long " * (number % 50 * 100), document),
        UndoAsked(),
        RedoAsked(),
        UndoAsked(),
    )
    return steps[number % len(steps)]


@pytest.fixture
def forks():
    tests = str(Path(__file__).resolve().parents[1])
    command = [sys.executable, "-c", FORKS.format(tests=tests)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        process.kill()


def start(process: subprocess.Popen[str], path: Path, passphrase: str, rater: str, first: int, last: int) -> int:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{path}|{passphrase}|{rater}|{first}|{last}\n")
    process.stdin.flush()
    return int(process.stdout.readline().split()[1])


def acknowledged(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    count = 0
    while (line := process.stdout.readline()) != "end\n":
        count += line.startswith("ack")
    return count


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("passphrase", ["", PASSPHRASE], ids=["open", "sealed"])
def test_a_killed_review_keeps_all_that_was_acknowledged(
    tmp_path: Path, forks, passphrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, path = random.Random(17), tmp_path / "clock.matter"
    monkeypatch.setattr(sealing, "COST", {"memory": 64, "passes": 1, "lanes": 1})
    create_log(path, MatterCreated("t"), time=TIME, rater="ann", passphrase=passphrase)
    done, cut, kills = 0, 0, KILLS // 2
    for _ in range(kills):
        child = start(forks, path, passphrase, "ann", done, 100_000)
        # Most kills fall into the writing, some into the opening.
        if chance.random() < 0.8:
            assert forks.stdout.readline() == "opened\n"
        time.sleep(chance.uniform(0.0, 0.06))
        os.kill(child, 9)
        acks = acknowledged(forks)
        log = EventLog(path, passphrase)
        kept = [item.event for item in log.events[1:]]
        log.close()
        # All that was acknowledged, and at most the one event whose acknowledgement was on its way.
        assert done + acks <= len(kept) <= done + acks + 1
        assert kept == [step(number) for number in range(len(kept))]
        cut += acks > 0
        done = len(kept)
    assert cut > kills // 4, "too few kills fell into the writing"
    replay = tmp_path / "replay.matter"
    create_log(replay, MatterCreated("t"), time=TIME, rater="ann")
    log, killed = EventLog(replay), EventLog(path, passphrase)
    for number in range(done):
        log.append(step(number), time=TIME, rater="ann")
    assert fold(log.events) == fold(killed.events)
    log.close()
    killed.close()


# Changes the passphrase to and fro, and says before and after each change which one it is to be.
CHANGES = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from foreart.review.matters import sealing
from foreart.review.matters.event_log import EventLog
sealing.COST = {{"memory": 64, "passes": 1, "lanes": 1}}
path, number = Path(sys.argv[1]), int(sys.argv[2])
log = EventLog(path, f"passphrase number {{number}}")
while True:
    print("from", number, flush=True)
    log.change_passphrase(f"passphrase number {{number}}", f"passphrase number {{number + 1}}")
    number += 1
"""


def test_a_killed_change_of_the_passphrase_leaves_the_old_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing, "COST", {"memory": 64, "passes": 1, "lanes": 1})
    chance, path, number = random.Random(5), tmp_path / "clock.matter", 0
    create_log(path, MatterCreated("t"), time=TIME, rater="ann", passphrase="passphrase number 0")
    log = EventLog(path, "passphrase number 0")
    for n in range(60):
        log.append(step(n), time=TIME, rater="ann")
    events = log.events
    log.close()
    code, changed = CHANGES.format(tests=str(Path(__file__).resolve().parents[1])), 0
    for _ in range(8):
        command = [sys.executable, "-c", code, str(path), str(number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == f"from {number}\n"
            time.sleep(chance.uniform(0.0, 0.15))
            process.kill()
            told = [int(line.split()[1]) for line in process.stdout if line.endswith("\n")]
        started = max([number, *told])
        opened = []
        for tried in (started, started + 1):
            try:
                log = EventLog(path, f"passphrase number {tried}")
            except WrongPassphrase:
                continue
            opened.append(tried)
            assert log.events == events
            log.close()
        assert len(opened) == 1
        changed += opened[0] - number
        number = opened[0]
    assert changed > 8, "too few changes were made between kills"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_processes_write_to_one_matter(tmp_path: Path, forks) -> None:
    path = tmp_path / "clock.matter"
    create_log(path, MatterCreated("t"), time=TIME, rater="ann")
    start(forks, path, "", "bob", 0, 40)
    log = EventLog(path)
    for number in range(40):
        log.append(step(number), time=TIME, rater="ann")
    assert acknowledged(forks) == 40
    log.refresh()
    for rater in ("ann", "bob"):
        assert [item.event for item in log.events[1:] if item.rater == rater] == [step(number) for number in range(40)]
    assert [item.n for item in log.events] == list(range(1, 82))
    log.close()
