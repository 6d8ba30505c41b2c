"""Read-only libraries, and corpora that were emptied or truncated."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cli.commands import DRAFT, FIRST, SAMPLE, run
from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.errors import CorpusError
from foreart.library import Library

# Run by a user who cannot write to the library.
READER = """
import os, sys
from click.testing import CliRunner
from foreart.cli.app import app
folder, draft, number, qrels = sys.argv[1:]
COMMANDS = (["list"], ["show", number], ["search", draft], ["explain", draft, number], ["chart", draft, number],
            ["evaluate", "--qrels", qrels], ["stats"], ["families"], ["doctor"], ["rejects"])
assert os.access(folder + "/corpus.db", os.R_OK)
assert not os.access(folder, os.W_OK) and not os.access(folder + "/corpus.db", os.W_OK)
for words in COMMANDS:
    result = CliRunner().invoke(app, [*words, "-l", folder])
    print(words[0], result.exit_code, repr(result.exception)[:300] + result.output[-300:] if result.exit_code else "")
print("remove", CliRunner().invoke(app, ["remove", number, "-l", folder]).exit_code)
"""


@pytest.mark.skipif(
    os.name == "nt" or not shutil.which("setpriv"), reason="root must drop its capability to write everything"
)
@pytest.mark.parametrize("log", ["no log", "open log"])
def test_a_read_only_library_can_be_searched(tmp_path: Path, log: str) -> None:
    base = tmp_path
    folder = base / "library"
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    (base / "q").write_text(f"{FIRST} 0 XX5304988A 1\n", "utf-8")
    draft = shutil.copy(DRAFT, base / "d.docx")
    for path in folder.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    folder.chmod(0o555)
    (base / "numba").mkdir(mode=0o777)
    (base / "numba").chmod(0o777)
    plain = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*plain, sys.executable, "-c", READER, str(folder), str(draft), FIRST, str(base / "q")]
    held = Corpus(folder / "corpus.db") if log == "open log" else None  # root can write, and creates a log
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "NUMBA_CACHE_DIR": str(base / "numba")}
        )
    finally:
        if held is not None:
            held.close()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)  # to be removed after the test
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr[-2000:]
    assert [line for line in lines[:-1] if line.split()[1:] != ["0"]] == []
    assert lines[-1] == "remove 1"


def _mounted(folder: Path, command: list[str]) -> list[str]:
    """A command that sees a folder mounted read-only, in a namespace of its own; needs root."""
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", script, str(folder), *command]


def _can_mount() -> bool:
    if os.name == "nt" or os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(_mounted(Path(folder), ["true"]), capture_output=True).returncode == 0


@pytest.mark.skipif(not _can_mount(), reason="root must be allowed to mount a folder")
def test_a_library_on_a_read_only_mount_can_be_searched(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    (tmp_path / "q").write_text(f"{FIRST} 0 XX5304988A 1\n", "utf-8")
    reader = [sys.executable, "-c", READER, str(folder), str(DRAFT), FIRST, str(tmp_path / "q")]
    done = subprocess.run(_mounted(folder, reader), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    *served, removed = done.stdout.splitlines()
    assert [line for line in served if line.split()[1:] != ["0"]] == []
    assert removed == "remove 1"


@pytest.mark.parametrize("size", [0, 100, 4096, 9000])
def test_an_emptied_or_truncated_corpus_is_damaged_and_not_recreated(tmp_path: Path, size: int) -> None:
    with Library(tmp_path) as library:
        library.add([SAMPLE / "patents.jsonl"])
    file = tmp_path / "corpus.db"
    os.truncate(file, size)
    assert "corpus" in run("doctor", "-l", tmp_path, code=1).output
    run("list", "-l", tmp_path, code=1)
    run("add", SAMPLE / "patents.jsonl", "-l", tmp_path, code=1)
    assert file.stat().st_size == size


def test_a_corpus_whose_creation_was_killed_is_created(tmp_path: Path) -> None:
    (tmp_path / "corpus.db").touch()
    with pytest.raises(CorpusError, match="is empty"):
        Corpus(tmp_path / "corpus.db")
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        assert len(corpus) == 0


def test_the_fingerprint_is_recomputed_only_after_changes(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as one, Corpus(tmp_path / "corpus.db") as two:
        one.add([Patent("US1A")])
        queries: list[str] = []
        before = one.fingerprint
        assert two.fingerprint == before
        one.connection.set_trace_callback(queries.append)
        assert one.fingerprint == before
        assert [text for text in queries if "FROM patent" in text] == []
        two.add([Patent("US2A")])
        changed = one.fingerprint
        assert changed != before
        one.remove(["US2A"])
        assert one.fingerprint == two.fingerprint == before


def test_the_fingerprint_is_kept_in_the_file_until_a_patent_changes(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"

    def asked() -> tuple[str, list[str]]:
        """The fingerprint in a new connection, and the statements that read patents for it."""
        with Corpus(path) as corpus:
            queries: list[str] = []
            corpus.connection.set_trace_callback(queries.append)
            return corpus.fingerprint, [text for text in queries if "FROM patent" in text]

    with Corpus(path, create=True) as corpus:
        corpus.add([Patent("US1A"), Patent("US2A")])
    first, read = asked()
    assert len(read) == 1
    assert asked() == (first, [])
    for change in (
        lambda corpus: corpus.add([Patent("US3A")]),
        lambda corpus: corpus.add([Patent("US3A", title="changed")]),
        lambda corpus: corpus.remove(["US3A"]),
    ):
        with Corpus(path) as corpus:
            before = corpus.fingerprint
            change(corpus)
            assert corpus.fingerprint != before
        with sqlite3.connect(path) as other:  # a program that does not keep fingerprints
            other.execute("UPDATE patent SET title = title")
        assert len(asked()[1]) == 1
        assert asked()[1] == []
    assert asked()[0] == first
