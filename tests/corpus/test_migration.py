"""A corpus of version 1 is migrated by a writer and read unchanged by a reader."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from foreart.corpus import Corpus
from foreart.corpus.copying import stored_rows
from foreart.corpus.frontier import crawls
from foreart.corpus.schema import MIGRATIONS, VERSION, connect_to_read
from foreart.document.patent import Patent
from foreart.errors import CorpusError, WrongVersion

NEW_IN_2 = ("crawl_step", "crawl_number", "crawl")
NEW_IN_3 = ("patent_inserted", "patent_updated", "patent_deleted")
NEW_IN_4 = "superseded"
NEW_IN_5 = ("patent_family_id", "patent_application")


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A corpus of version 1."""
    path = tmp_path / "corpus.db"
    with Corpus(path, create=True) as corpus:
        corpus.add([Patent("US7000001B2", title="Screw"), Patent("US7000002B2", title="Nail")])
        for trigger in NEW_IN_3:
            corpus.connection.execute(f"DROP TRIGGER {trigger}")
        for table in NEW_IN_2:
            corpus.connection.execute(f"DROP TABLE {table}")
        corpus.connection.execute(f"DROP TABLE {NEW_IN_4}")
        corpus.connection.execute("DROP TABLE family_change")
        for index in NEW_IN_5:
            corpus.connection.execute(f"DROP INDEX {index}")
        corpus.connection.execute("PRAGMA user_version = 1")
    return path


def schema(path: Path) -> dict[str, str]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    connection.close()
    return {name: " ".join(line.partition("--")[0] for line in sql.splitlines()).split() for name, sql in rows}


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


def test_opening_migrates_to_the_current_schema(first: Path, tmp_path: Path) -> None:
    assert version(first) == 1
    with Corpus(first) as corpus:
        assert corpus.ids() == ["US7000001B2", "US7000002B2"]
        assert crawls(corpus.connection) == {}
    assert version(first) == VERSION == len(MIGRATIONS) + 1 == 5
    with Corpus(tmp_path / "new.db", create=True):
        pass
    assert schema(first) == schema(tmp_path / "new.db")
    with Corpus(first) as corpus:
        assert corpus["US7000002B2"].title == "Nail"


def test_a_reader_does_not_migrate(first: Path) -> None:
    before = first.read_bytes()
    connection = connect_to_read(first)
    assert [item.id for item in stored_rows(connection, "US7000001")] == ["US7000001B2"]
    assert crawls(connection) == {}
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM patent")
    connection.close()
    assert first.read_bytes() == before
    assert version(first) == 1


READER = """
import os, sys
from pathlib import Path
from foreart.corpus import Corpus
from foreart.corpus.schema import connect_to_read
if os.getuid() == 0:  # to whom nothing is forbidden
    os.setuid(65534)
print(connect_to_read(Path(sys.argv[1])).execute("SELECT count(*) FROM patent").fetchone()[0])
with Corpus(sys.argv[1]) as corpus:
    print(corpus["US7000001"].title, len(corpus))
"""


@pytest.mark.parametrize("log", [True, False])
def test_a_read_only_file_is_read_without_migration(first: Path, log: bool) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # a folder that other users can read
        folder = Path(name)
        corpus = folder / "corpus.db"
        corpus.write_bytes(first.read_bytes())
        if log:  # the files while another process has it open
            holder = sqlite3.connect(corpus)
            holder.execute("SELECT count(*) FROM patent").fetchone()
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run([sys.executable, "-c", READER, str(corpus)], capture_output=True, text=True, cwd="/")
        folder.chmod(0o755)
        if log:
            holder.close()
        assert done.stdout.splitlines() == ["2", "Screw 2"], done.stderr
        assert version(corpus) == 1


def test_concurrent_opens_migrate_once(first: Path) -> None:
    code = "import sys; from foreart.corpus import Corpus; c = Corpus(sys.argv[1]); print(len(c)); c.close()"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(first)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    assert [process.communicate() for process in running] == [("2\n", "")] * 3
    assert version(first) == VERSION


def test_readers_refuse_a_newer_corpus_and_other_files(first: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(first)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(WrongVersion, match="newer foreart"):
        connect_to_read(first)
    with pytest.raises(CorpusError, match="no corpus at"):
        connect_to_read(tmp_path / "none.db")


def test_a_full_disk_leaves_the_version_before(first: Path) -> None:
    code = (
        "import resource, signal, sys; from foreart.corpus import Corpus\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "try: Corpus(sys.argv[1])\nexcept Exception as error: print(type(error).__name__, error)"
    )
    told = subprocess.run([sys.executable, "-c", code, str(first)], capture_output=True, text=True, check=True)
    assert "CorpusError" in told.stdout
    assert "rollback" not in told.stdout
    assert version(first) == 1
    with Corpus(first) as corpus:
        assert len(corpus) == 2
