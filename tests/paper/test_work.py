"""Finished steps are there whole, or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from foreart.paper.experiments.work import Done, Work

BASIS = {"corpus": "c", "pairs": "p"}


def test_a_step_is_found_again_only_for_the_same_question(tmp_path: Path) -> None:
    work = Work(tmp_path, basis=BASIS)
    assert work.load("lsa:full", {"dimensions": 5}) is None
    work.save("lsa:full", {"dimensions": 5}, Done({"auc": 0.5}, {"scores": np.arange(3.0)}, 1.5))
    found = work.load("lsa:full", {"dimensions": 5})
    assert found is not None
    assert (found.numbers, found.seconds) == ({"auc": 0.5}, 1.5)
    assert found.arrays["scores"].tolist() == [0.0, 1.0, 2.0]
    assert work.load("lsa:full", {"dimensions": 6}) is None
    assert work.load("lsa:claims", {"dimensions": 5}) is None
    assert Work(tmp_path, basis={**BASIS, "pairs": "q"}).load("lsa:full", {"dimensions": 5}) is None
    assert Work(tmp_path, basis=BASIS).load("lsa:full", {"dimensions": 5}) is not None


def test_names_with_signs_make_folders_of_their_own(tmp_path: Path) -> None:
    work = Work(tmp_path, basis=BASIS)
    for name in ("measures:0/1:max", "measures:0/1-idf:max", "../x"):
        work.save(name, {}, Done({"name": name}))
    assert sorted(path.parent for path in tmp_path.rglob("done.json")) == sorted(tmp_path.iterdir())
    found = work.load("measures:0/1:max", {})
    assert found is not None
    assert found.numbers == {"name": "measures:0/1:max"}


def test_a_damaged_step_is_no_step_and_can_be_saved_anew(tmp_path: Path) -> None:
    work = Work(tmp_path, basis=BASIS)
    for name in ("done.json", "scores.npy"):
        work.save("a", {}, Done({}, {"scores": np.ones(2)}))
        (work.folder_of("a", {}) / name).write_bytes(b"")
        assert work.load("a", {}) is None
    work.save("a", {}, Done({"n": 1}))
    found = work.load("a", {})
    assert found is not None
    assert found.numbers == {"n": 1}
    work.forget("a", {})
    assert work.load("a", {}) is None


def test_what_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    work = Work(tmp_path, basis=BASIS)
    with pytest.raises(ValueError, match="JSON"):
        work.save("a", {}, Done({"auc": float("nan")}))
    assert list(tmp_path.iterdir()) == []


def test_left_behind_by_a_killed_run_is_swept_but_not_what_is_young(tmp_path: Path) -> None:
    old, young = (tmp_path / f".{mark * 16}.new" for mark in "12")
    old.mkdir()
    young.mkdir()
    os.utime(old, (time.time() - 7200,) * 2)
    Work(tmp_path, basis=BASIS).sweep()
    assert list(tmp_path.iterdir()) == [young]


def test_killed_while_writing_there_is_no_half_step(tmp_path: Path) -> None:
    code = (
        "import sys, numpy as np\n"
        "from foreart.paper.experiments.work import Done, Work\n"
        f"work = Work({str(tmp_path)!r}, basis={BASIS!r})\n"
        "print('go', flush=True)\n"
        "while True:\n"
        "    work.save('a', {}, Done({}, {'scores': np.ones(2_000_000)}))\n"
        "    work.forget('a', {})\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
    found = Work(tmp_path, basis=BASIS).load("a", {})
    assert found is None or len(found.arrays["scores"]) == 2_000_000
