"""Files that are whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from foreart.durable import (
    ChecksumError,
    new_folder,
    read_checked,
    replace_bytes,
    replace_text,
    replacing,
    write_checked,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    replace_text(tmp_path / "a.txt", "old")
    replace_text(tmp_path / "a.txt", "nëw")
    assert (tmp_path / "a.txt").read_bytes() == "nëw".encode()
    assert names(tmp_path) == ["a.txt"]


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    replace_text(tmp_path / "a.txt", "old")
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a.txt") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_private_files_are_readable_for_their_owner_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o644)
    replace_text(tmp_path / "a.txt", "new", private=True)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o600


def test_links_are_followed_and_devices_written_directly(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.txt").symlink_to(tmp_path / "real" / "a.txt")
    replace_text(tmp_path / "link.txt", "text")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_text() == "text"
    replace_bytes(Path(os.devnull), b"nothing")
    assert not Path(os.devnull).is_file()


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    replace_text(tmp_path / ("x" * 255), "text")
    assert names(tmp_path) == ["x" * 255]


def test_a_folder_appears_at_once_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop"), new_folder(tmp_path / "a" / "b") as place:
        (place / "file").write_text("half")
        raise ValueError("stop")
    assert names(tmp_path / "a") == []
    with new_folder(tmp_path / "a" / "b") as place:
        (place / "file").write_text("whole")
        assert not (tmp_path / "a" / "b").exists()
    assert names(tmp_path / "a") == ["b"]
    assert (tmp_path / "a" / "b" / "file").read_text() == "whole"


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[1]", b"3", b'"x"', b"{}", b'{"checksum": 1}', b"[" * 100_000])
def test_anything_but_the_sealed_record_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(ChecksumError):
        read_checked(tmp_path / "a.json")


def test_one_changed_value_breaks_the_seal(tmp_path: Path) -> None:
    write_checked(tmp_path / "a.json", {"n": 1, "names": ["ä"]})
    assert read_checked(tmp_path / "a.json") == {"n": 1, "names": ["ä"]}
    changed = {**json.loads((tmp_path / "a.json").read_bytes()), "n": 2}
    (tmp_path / "a.json").write_text(json.dumps(changed))
    with pytest.raises(ChecksumError, match="does not match its checksum"):
        read_checked(tmp_path / "a.json")


_WRITES = """
import sys
from pathlib import Path
from foreart.durable import replace_bytes
for turn in range(100000):
    replace_bytes(Path(sys.argv[1]), bytes([65 + turn % 26]) * 300_000)
    if not turn:
        print("begun", flush=True)
"""


def test_a_killed_writer_leaves_one_of_its_files_whole(tmp_path: Path) -> None:
    for delay in (0.0, 0.01, 0.03, 0.07, 0.2):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITES, str(tmp_path / "file")], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        with writer.stdout:
            assert writer.stdout.readline() == "begun\n"
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(delay)
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        data = (tmp_path / "file").read_bytes()
        assert data == data[:1] * 300_000


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc, in which nobody can make a folder")
def test_a_folder_that_cannot_be_made_is_named_as_the_caller_knows_it() -> None:
    with pytest.raises(OSError) as failed, new_folder(Path("/proc/new")):
        pass
    assert failed.value.filename == "/proc/new"
