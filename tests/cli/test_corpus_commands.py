"""The commands around the corpus, typed as a user types them."""

from __future__ import annotations

import gzip
import io
import json
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app

SAMPLE = str(resources.files("foreart").joinpath("sample/patents.jsonl"))


def foreart(*words: str, library: Path | None = None, stdin: bytes = b"") -> Result:
    environment = {"FOREART_LIBRARY": str(library)} if library else {}
    return CliRunner().invoke(app, list(words), input=io.BytesIO(stdin), env=environment, catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with the sample corpus."""
    folder = tmp_path_factory.mktemp("library")
    result = foreart("add", SAMPLE, "--json", library=folder)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["added"] == 50
    return folder


@pytest.fixture
def bad_file(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.jsonl"
    path.write_text('{"id": "US7000001B2", "title": "Good"}\n{"id": "US7000002B2", "title":\n{"title": "No number"}\n')
    return path


def test_read_prints_json_lines_and_tells_what_it_refused(bad_file: Path) -> None:
    result = foreart("read", str(bad_file))
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    record = json.loads(line)
    assert (record["id"], record["title"], record["claims"], record["citations"]) == ("US7000001B2", "Good", [], [])
    assert f"rejected: {bad_file}: document 2, byte 39: not valid JSON" in result.stderr
    assert f"rejected: {bad_file}: document 3, byte 70: no id" in result.stderr
    assert "3 records read: 1 patents, 2 rejected" in result.stderr


def test_read_keeps_the_bytes_of_what_it_refused(bad_file: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    foreart("read", str(bad_file), "--rejects", str(ledger))
    first = json.loads(ledger.read_text().splitlines()[0])
    assert first["position"] == "document 2, byte 39"
    assert first["raw"] == "eyJpZCI6ICJVUzcwMDAwMDJCMiIsICJ0aXRsZSI6Cg=="


def test_read_takes_standard_input_packed_or_not() -> None:
    data = Path(SAMPLE).read_bytes()
    plain = foreart("read", "-", stdin=data)
    packed = foreart("read", "-", stdin=gzip.compress(data))
    assert len(plain.stdout.splitlines()) == 50
    assert packed.stdout == plain.stdout


def test_read_says_so_when_nothing_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "holiday.txt"
    path.write_text("Dear all,\nit rains.\n")
    result = foreart("read", str(path))
    assert result.exit_code == 1
    assert f"{path}: no known patent format" in result.stderr


def test_a_missing_file_is_wrong_usage() -> None:
    result = foreart("read", "/nowhere/at/all.xml")
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


def test_adding_again_changes_nothing(library: Path) -> None:
    result = foreart("add", SAMPLE, "--json", library=library)
    summary = json.loads(result.stdout)
    counts = {key: summary[key] for key in ("read", "added", "replaced", "unchanged", "rejected", "documents")}
    assert counts == {"read": 50, "added": 0, "replaced": 0, "unchanged": 50, "rejected": 0, "documents": 50}


def test_add_tells_in_words(tmp_path: Path, bad_file: Path) -> None:
    result = foreart("add", str(bad_file), library=tmp_path / "library")
    assert result.exit_code == 0
    assert "3 read: 1 added, 0 replaced, 0 unchanged, 2 rejected" in result.stdout
    assert "foreart rejects" in result.stdout


def test_rejects_lists_the_ledger_and_gives_the_bytes_back(tmp_path: Path, bad_file: Path) -> None:
    folder = tmp_path / "library"
    foreart("add", str(bad_file), library=folder)
    rows = json.loads(foreart("rejects", "--json", library=folder).stdout)
    assert [(row["number"], row["position"]) for row in rows] == [
        (1, "document 2, byte 39"),
        (2, "document 3, byte 70"),
    ]
    assert foreart("rejects", "--raw", "1", library=folder).stdout_bytes == b'{"id": "US7000002B2", "title":\n'
    assert "2 rejected" in foreart("rejects", library=folder).stdout
    assert foreart("rejects", "--raw", "3", library=folder).exit_code == 1


def test_a_mended_file_leaves_the_ledger(tmp_path: Path, bad_file: Path) -> None:
    folder = tmp_path / "library"
    foreart("add", str(bad_file), library=folder)
    bad_file.write_text('{"id": "US7000001B2", "title": "Good"}\n')
    foreart("add", str(bad_file), library=folder)
    assert json.loads(foreart("rejects", "--json", library=folder).stdout) == []


def test_show_gives_the_record(library: Path) -> None:
    record = json.loads(foreart("show", "xx 5,304,988 a", "--json", library=library).stdout)
    assert record["id"] == "XX5304988A"
    assert record["claim_depends_on"][0] == []
    text = foreart("show", "XX5304988", library=library).stdout
    assert record["title"][:30] in text
    assert "CLAIMS" in text


def test_show_of_an_unknown_number_is_one_sentence(library: Path) -> None:
    result = foreart("show", "US1234567", library=library)
    assert result.exit_code == 1
    assert result.stderr == f"Error: US1234567 is not in the corpus {library}/corpus.db\n"


def test_commands_without_a_corpus_say_how_to_make_one(tmp_path: Path) -> None:
    for words in (["stats"], ["show", "US1"], ["list"], ["rejects"], ["export"], ["families"], ["remove", "US1"]):
        result = foreart(*words, library=tmp_path / "none")
        assert result.exit_code == 1, words
        assert "load files with `foreart add FILE...`" in result.stderr


def test_list_selects(library: Path) -> None:
    rows = json.loads(foreart("list", "--language", "de", "--json", library=library).stdout)
    assert [row["id"] for row in rows] == ["XX20110218877A1"]
    rows = json.loads(foreart("list", "--from", "2014", "--json", library=library).stdout)
    assert {row["id"] for row in rows} == {"XX20140257312A1", "XX20150320463A1", "XX20140726418A1"}
    assert "XX417733A" in foreart("list", library=library).stdout


def test_export_is_read_again(library: Path, tmp_path: Path) -> None:
    lines = foreart("export", "--class", "A61B 8", library=library).stdout
    copy = tmp_path / "copy.jsonl"
    copy.write_text(lines, encoding="utf-8")
    again = foreart("read", str(copy)).stdout
    assert again == lines
    assert len(lines.splitlines()) > 3


def test_families_have_reasons(library: Path) -> None:
    found = json.loads(foreart("families", "--json", library=library).stdout)
    members = {item["family"]: [member["id"] for member in item["members"]] for item in found}
    assert members["XX20060129477A1"] == ["XX20060129477A1", "XX7648516B2", "XX20100076391A1"]
    one = json.loads(foreart("families", "XX7648516", "--json", library=library).stdout)
    assert one[0]["members"][0]["reason"].startswith("family id")


def test_remove_by_number_and_by_selection(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    foreart("add", SAMPLE, library=folder)
    result = json.loads(foreart("remove", "XX5304988", "--json", library=folder).stdout)
    assert result == {"removed": 1, "missing": [], "documents": 49}
    assert foreart("remove", library=folder).exit_code == 2
    assert foreart("remove", "--language", "fr", library=folder, stdin=b"n\n").exit_code == 1
    result = json.loads(foreart("remove", "--language", "fr", "--yes", "--json", library=folder).stdout)
    assert (result["removed"], result["documents"]) == (1, 48)
    assert foreart("remove", "US1", library=folder).exit_code == 1


def test_doctor_finds_a_sound_corpus_sound_and_a_damaged_one_damaged(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    assert json.loads(foreart("doctor", "--json", library=folder).stdout)["ok"] is True
    foreart("add", SAMPLE, library=folder)
    assert json.loads(foreart("doctor", "--json", library=folder).stdout)["ok"] is True
    path = folder / "corpus.db"
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 4096] = b"\x55" * 4096
    path.write_bytes(data)
    result = foreart("doctor", library=folder)
    assert result.exit_code == 1
    assert "✗" in result.stdout


def test_formats_lists_every_reader() -> None:
    rows = json.loads(foreart("formats", "--json").stdout)
    assert {"uspto-xml-v4", "foreart-jsonl"} <= {row["name"] for row in rows}
    assert "uspto-xml-v4" in foreart("formats").stdout


def test_an_unknown_command_is_wrong_usage() -> None:
    assert foreart("serach").exit_code == 2


def test_a_reader_of_our_output_may_leave_early() -> None:
    command = f"{sys.executable} -m foreart read {SAMPLE} {SAMPLE} | head -n 1 > /dev/null; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in result.stderr


def test_progress_goes_to_standard_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "foreart", "add", SAMPLE, "--library", str(tmp_path), "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["read"] == 50


def test_nothing_opens_a_connection(tmp_path: Path) -> None:
    """Sockets are taken away: every command still works."""
    code = (
        "import socket, sys\n"
        "def refuse(*args, **kwargs): raise AssertionError('a connection was opened')\n"
        "socket.socket.connect = refuse; socket.create_connection = refuse; socket.getaddrinfo = refuse\n"
        "from foreart.cli import main\n"
        "sys.argv = ['foreart', *sys.argv[1:]]\n"
        "main()\n"
    )
    for words in (["add", SAMPLE], ["stats"], ["show", "XX5304988"], ["doctor"]):
        result = subprocess.run(
            [sys.executable, "-c", code, *words, "--library", str(tmp_path)], capture_output=True, text=True
        )
        assert result.returncode == 0, (words, result.stderr)


def test_a_person_who_stops_a_loading_is_told_how_it_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "foreart", "add", "-", "--library", str(tmp_path / "l"), "--workers", "1"]
    # A shell may have told its children to ignore interrupts; this one must not.
    wait = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    piped = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    with subprocess.Popen([sys.executable, "-c", wait, *command], **piped) as process:
        # Records without end: whenever the interrupt comes, the loading is not over.
        with Path(SAMPLE).open("rb") as sample:
            record = sample.readline()
        with suppress(BrokenPipeError):
            while not (tmp_path / "l" / "corpus.db-wal").exists() and process.poll() is None:
                process.stdin.write(record)
            process.send_signal(signal.SIGINT)
            # A signal just before a read begins is seen only when the read ends: so the records go on.
            while process.poll() is None:
                process.stdin.write(record)
        told = process.stderr.read().decode()
    assert process.returncode == 130, told
    assert "run the same command again to resume" in told
    assert foreart("add", SAMPLE, library=tmp_path / "l").exit_code == 0
    assert json.loads(foreart("doctor", "--json", library=tmp_path / "l").stdout)["ok"] is True
