"""The command as a process: full disks, closed pipes, old encodings and Ctrl-C end in one sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.commands import DRAFT, FIRST, SAMPLE

FOREART = [sys.executable, "-m", "foreart"]


def foreart(*words: object, **given: object) -> subprocess.CompletedProcess[bytes]:
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **given}
    return subprocess.run([*FOREART, *map(str, words)], **given)


@pytest.mark.parametrize(
    "words",
    [("list",), ("list", "--json"), ("export",), ("show", FIRST), ("search", DRAFT, "--json"), ("stats",), ("doctor",)],
)
def test_a_full_disk_behind_standard_output_is_told(folder: Path, words: tuple[object, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = foreart(*words, "-l", folder, stdout=full)
    assert done.stderr.decode().splitlines()[-1] == "Error: No space left on device"
    assert (done.returncode, b"Traceback" in done.stderr, b"ignored" in done.stderr) == (1, False, False)


@pytest.mark.parametrize("words", [("list",), ("export",), ("formats",)])
def test_a_reader_that_has_seen_enough_is_no_error(folder: Path, words: tuple[object, ...]) -> None:
    at = () if words == ("formats",) else ("-l", folder)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = foreart(*words, *at, stdout=pipe)
    assert (done.returncode, done.stderr.strip()) == (1, b"")


@pytest.mark.parametrize("closed", [1, 2])
def test_closed_streams_break_nothing(folder: Path, closed: int) -> None:
    code = f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    for words in (("list",), ("export",), ("show", "nothing"), ("search", str(DRAFT))):
        command = [sys.executable, "-c", code, "-m", "foreart", *words, "-l", str(folder)]
        done = subprocess.run(command, capture_output=True, timeout=120)
        assert done.returncode == (1 if words == ("show", "nothing") else 0), done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8", "cp1252"])
def test_any_encoding_of_the_terminal_will_do(folder: Path, encoding: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    for words in (("list",), ("search", DRAFT), ("stats",), ("doctor",), ("formats",), ("show", FIRST), ("families",)):
        at = () if words == ("formats",) else ("-l", folder)
        done = foreart(*words, *at, env=env)
        assert done.returncode == 0, done.stderr
    shown = {"latin-1": "Cathéter", "ascii": "Cath?ter"}.get(encoding, "Cathéter")
    assert shown in foreart("list", "-l", folder, env=env).stdout.decode(encoding)
    listed = json.loads(foreart("list", "--json", "-l", folder, env=env).stdout.decode("utf-8"))
    assert any(row["title"].startswith("Cathéter") for row in listed)


def test_names_that_are_no_text_are_read_and_told(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\x1b[31m.jsonl"
    with open(name, "wb") as file:
        file.write((SAMPLE / "patents.jsonl").read_bytes() + b'{"id": "", "title": "x"}\n')
    done = subprocess.run([*FOREART, "add", name, "-l", str(tmp_path / "l")], capture_output=True, timeout=120)
    assert (done.returncode, b"1 rejected" in done.stdout) == (0, True), done.stderr
    missing = subprocess.run([*FOREART, "search", b"\xfe\x1b[31m", "-l", str(tmp_path / "l")], capture_output=True)
    assert (missing.returncode, b"\x1b" in missing.stderr, b"Traceback" in missing.stderr) == (1, False, False)
    assert b"\\udcfe\\u001b[31m: there is no such file" in missing.stderr


# Says `ready` when Python has started: what comes before is not ours.
MAIN = "from foreart.cli import main; print('ready', flush=True); main()"


def interrupted(moment: float, *words: object) -> tuple[int, str]:
    """A command whose whole group of processes is told Ctrl-C at some moment: how it ends and what it says."""
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(moment)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("a worker still runs")
    return process.returncode, told.decode()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is long enough for several processes."""
    file = tmp_path_factory.mktemp("many") / "many.jsonl"
    records = [json.loads(line) for line in (SAMPLE / "patents.jsonl").read_text("utf-8").splitlines()]
    with file.open("w", encoding="utf-8") as out:
        for number in range(1500):
            record = {**records[number % len(records)], "id": f"XX{8000000 + number}A1"}
            out.write(json.dumps(record) + "\n")
    return file


MOMENTS = [0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0]


def is_well_ended(code: int, told: str) -> bool:
    """One sentence, or nothing to say: the work was done, and at most the interpreter was still ending."""
    said = told.strip().splitlines()
    ours = 'File "' in told.replace('File "<string>"', "")  # else it came between `ready` and `main`
    unsaid = code == -2 and (not said or not ours)
    return (code == 130 and len(said) == 1 and said[0].startswith("stopped")) or code == 0 or unsaid


def test_ctrl_c_in_a_loading_is_one_sentence_at_any_moment(tmp_path: Path, many: Path) -> None:
    for moment in MOMENTS:
        code, told = interrupted(moment, "add", many, "-l", tmp_path / str(moment), "--workers", 2)
        assert is_well_ended(code, told), (moment, code, told)
        if (tmp_path / str(moment) / "corpus.db").exists():
            assert foreart("doctor", "-l", tmp_path / str(moment)).returncode == 0


def test_ctrl_c_in_a_build_is_one_sentence_at_any_moment(tmp_path: Path, many: Path) -> None:
    assert foreart("add", many, "-l", tmp_path).returncode == 0
    for moment in MOMENTS:
        code, told = interrupted(moment, "build", "-l", tmp_path)
        assert is_well_ended(code, told), (moment, code, told)
    assert foreart("build", "-l", tmp_path).returncode == 0
    assert foreart("doctor", "-l", tmp_path).returncode == 0
