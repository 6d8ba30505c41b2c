"""The file of a matter: what is sealed cannot be read, and nothing in it can be changed without being found."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from foreart.errors import BadRequest, DamagedMatter, MatterError, UnknownMatter, WrongPassphrase, WrongVersion
from foreart.review.matters import fold, sealing
from foreart.review.matters.event_log import EventLog, create_log, is_sealed_file
from foreart.review.matters.matter_events import MatterCreated, NoteWritten
from matter_world import PASSPHRASE, SCRIPT, SECRET, TIME, bytes_of, written

LINES = len(SCRIPT) + 1
BOTH = pytest.mark.parametrize("passphrase", ["", PASSPHRASE], ids=["open", "sealed"])


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Opens faster than a real one: how much its passphrase costs stands in the file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealing, "COST", {"memory": 64, "passes": 1, "lanes": 1})
        return written(tmp_path_factory.mktemp("sealed"), passphrase=PASSPHRASE).read_bytes()


@pytest.fixture(scope="module")
def unsealed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return written(tmp_path_factory.mktemp("open")).read_bytes()


@pytest.fixture
def path(passphrase: str, sealed: bytes, unsealed: bytes, tmp_path: Path) -> Path:
    """A file of the test's own."""
    file = tmp_path / "clock.matter"
    file.write_bytes(sealed if passphrase else unsealed)
    return file


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            assert database.execute(statement).rowcount != 0, statement


def refusal(path: Path, passphrase: str, kind: type[MatterError] = DamagedMatter) -> str:
    with pytest.raises(kind) as found:
        EventLog(path, passphrase)
    assert type(found.value) is kind
    assert SECRET not in str(found.value)
    return str(found.value)


@BOTH
def test_what_was_appended_is_read_again(path: Path, passphrase: str) -> None:
    log = EventLog(path, passphrase)
    assert [item.event for item in log.events[1:]] == list(SCRIPT)
    assert [(item.n, item.time, item.rater) for item in log.events] == [(n + 1, TIME, "ann") for n in range(LINES)]
    assert (log.is_sealed, is_sealed_file(path)) == (bool(passphrase),) * 2
    log.close()


def test_a_sealed_file_has_no_plain_text_and_is_private(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    assert SECRET.encode() in bytes_of(written(tmp_path / "open"))
    path = written(tmp_path, passphrase=PASSPHRASE)
    log = EventLog(path, PASSPHRASE)
    log.append(NoteWritten(f"one more {SECRET}"), time=TIME, rater="ann")
    files = sorted(tmp_path.glob("clock.matter*"))
    assert [file.name for file in files] == ["clock.matter", "clock.matter-shm", "clock.matter-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    found = bytes_of(path)
    for word in (SECRET, "quicksilver", "ann", "XX1A", "amber", "relevant", TIME[:10], PASSPHRASE, "otters"):
        assert word.encode() not in found, word
        assert word.encode("utf-16-le") not in found, word
    log.close()


def test_sealing_overwrites_what_was_readable(tmp_path: Path) -> None:
    path = written(tmp_path)
    other = EventLog(path)
    log = EventLog(path)
    before = log.events
    assert SECRET.encode() in bytes_of(path)
    log.seal(PASSPHRASE)
    assert log.events == before
    log.append(NoteWritten("after"), time=TIME, rater="ann")
    with pytest.raises(
        MatterError, match="was sealed, given another passphrase or purged by another process: open it again"
    ):
        other.append(NoteWritten("lost?"), time=TIME, rater="bob")
    with pytest.raises(MatterError, match="is sealed already"):
        log.seal(PASSPHRASE)
    other.close()
    for word in (SECRET, "quicksilver", "XX1A", "amber"):
        assert word.encode() not in bytes_of(path)
    log.close()
    again = EventLog(path, PASSPHRASE)
    assert again.events[:-1] == before
    again.close()


NEW = "nine loud herons fly north"


def test_another_passphrase_replaces_the_old_one_and_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "COST", {"memory": 64, "passes": 1, "lanes": 1})
    path = written(tmp_path, passphrase=PASSPHRASE)
    before = path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        (slot,) = database.execute("SELECT value FROM matter WHERE key = 'slot'").fetchone()
        payloads = [row[0] for row in database.execute("SELECT payload FROM events")]
    other, log = EventLog(path, PASSPHRASE), EventLog(path, PASSPHRASE)
    events = log.events
    with pytest.raises(WrongPassphrase, match="the passphrase does not open the matter clock"):
        log.change_passphrase("another passphrase", NEW)
    with pytest.raises(BadRequest, match="a passphrase needs at least 10 characters"):
        log.change_passphrase(PASSPHRASE, "short")
    assert path.read_bytes() == before
    log.change_passphrase(PASSPHRASE, NEW)
    with pytest.raises(MatterError, match="given another passphrase or purged by another process: open it again"):
        other.append(NoteWritten("lost?"), time=TIME, rater="bob")
    other.close()
    log.append(NoteWritten("after"), time=TIME, rater="ann")
    assert log.events[:-1] == events
    log.close()
    assert refusal(path, PASSPHRASE, WrongPassphrase) == "the passphrase does not open the matter clock"
    again = EventLog(path, NEW)
    assert again.events[:-1] == events
    again.close()
    found = bytes_of(path)
    # Nothing of the old key or of what it encrypted is left in the file.
    for gone in (slot, *payloads, PASSPHRASE.encode(), NEW.encode(), SECRET.encode()):
        assert gone not in found


def test_an_open_matter_has_no_passphrase_to_change(tmp_path: Path) -> None:
    log = EventLog(written(tmp_path))
    with pytest.raises(MatterError, match="the matter clock is not sealed: seal it with a passphrase"):
        log.change_passphrase(PASSPHRASE, NEW)
    log.close()


@pytest.mark.parametrize("passphrase", [PASSPHRASE], ids=["sealed"])
def test_another_passphrase_is_told_in_one_sentence(path: Path, passphrase: str) -> None:
    assert refusal(path, "another passphrase", WrongPassphrase) == "the passphrase does not open the matter clock"
    assert refusal(path, "", WrongPassphrase) == "the matter clock is sealed: give its passphrase"


def test_a_passphrase_is_the_same_however_it_is_composed(tmp_path: Path) -> None:
    path = tmp_path / "m.matter"
    create_log(path, MatterCreated("t"), time=TIME, rater="", passphrase="Käse und Brot")
    EventLog(path, "Ka\u0308se und Brot").close()


@BOTH
def test_every_flipped_byte_of_a_line_is_found_and_the_line_is_named(path: Path, passphrase: str) -> None:
    chance = random.Random(3)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        rows = database.execute("SELECT n, payload, chain FROM events ORDER BY n").fetchall()
    for n, payload, chain in rows:
        for column, value in (("payload", payload), ("chain", chain)):
            place, bit = chance.randrange(len(value)), 1 << chance.randrange(8)
            flipped = bytearray(value)
            flipped[place] ^= bit
            change(path, f"UPDATE events SET {column} = x'{flipped.hex()}' WHERE n = {n}")
            assert f"the matter clock: event {n} " in refusal(path, passphrase), (n, column, place, bit)
            change(path, f"UPDATE events SET {column} = x'{value.hex()}' WHERE n = {n}")
    EventLog(path, passphrase).close()


@BOTH
def test_every_byte_of_one_line_matters(path: Path, passphrase: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        (payload,) = database.execute("SELECT payload FROM events WHERE n = 4").fetchone()
    for place in range(0, len(payload), 5):
        flipped = bytearray(payload)
        flipped[place] ^= 0x40
        change(path, f"UPDATE events SET payload = x'{flipped.hex()}' WHERE n = 4")
        assert "event 4 is damaged, or was changed or moved" in refusal(path, passphrase) or not passphrase


# A flipped byte of the file is found, or is one that SQLite does not use: then the content is what it was.
@BOTH
def test_no_flipped_byte_of_the_file_changes_what_is_read(path: Path, passphrase: str) -> None:
    chance, whole = random.Random(4), path.read_bytes()
    log = EventLog(path, passphrase)
    expected = fold(log.events)
    log.close()
    found = 0
    for _ in range(300):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        for file in path.parent.glob("clock.matter*"):
            file.unlink()
        path.write_bytes(changed)
        try:
            log = EventLog(path, passphrase)
        except MatterError as error:
            assert "\n" not in str(error)
            found += 1
        else:
            assert fold(log.events) == expected
            log.close()
    assert found > 50


SWAP = tuple(f"UPDATE events SET n = {to} WHERE n = {n}" for n, to in ((3, -1), (4, 3), (-1, 4)))
TAMPERED = {
    "swapped": (SWAP, "event 3 is damaged, or was changed or moved"),
    "payloads swapped": (
        (
            "CREATE TEMP TABLE t AS SELECT * FROM events WHERE n IN (3, 4)",
            "UPDATE events SET payload = (SELECT payload FROM t WHERE t.n = 7 - events.n) WHERE n IN (3, 4)",
        ),
        "event 3 is damaged, or was changed or moved",
    ),
    "moved to the end": (
        (f"UPDATE events SET n = {LINES + 1} WHERE n = 5",), "event 5 is missing: it was removed"
    ),
    "repeated": (
        (f"INSERT INTO events SELECT {LINES + 1}, time, rater, payload, chain FROM events WHERE n = 2",),
        f"event {LINES + 1} is damaged, or was changed or moved",
    ),
    "cut out": (("DELETE FROM events WHERE n = 6",), "event 6 is missing: it was removed"),
    "cut out and closed up": (
        ("DELETE FROM events WHERE n = 6", "UPDATE events SET n = -n WHERE n > 6",
         "UPDATE events SET n = -n - 1 WHERE n < 0"),
        "event 6 is damaged, or was changed or moved",
    ),
    "the first cut off": (("DELETE FROM events WHERE n = 1",), "event 1 is missing: it was removed"),
    "the end cut off": (
        (f"DELETE FROM events WHERE n > {LINES - 3}",),
        f"its end was removed: the last event was {LINES}, and there are {LINES - 3}",
    ),
    "all cut off": (("DELETE FROM events",), f"its end was removed: the last event was {LINES}, and there are 0"),
    "the head removed": (("DELETE FROM matter WHERE key = 'head'",), "its end was changed after event 0"),
    "the head of fewer lines": (
        (f"DELETE FROM events WHERE n > {LINES - 3}",
         f"UPDATE matter SET value = x'{(LINES - 3).to_bytes(8, 'big').hex()}' || substr(value, 9) WHERE key = 'head'"),
        f"its end was changed after event {LINES - 3}",
    ),
    "another matter": (("UPDATE matter SET value = x'6162' WHERE key = 'id'",), ""),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(("statements", "sentence"), TAMPERED.values(), ids=TAMPERED)
def test_lines_cannot_be_swapped_moved_or_removed(
    path: Path, passphrase: str, statements: tuple[str, ...], sentence: str
) -> None:
    change(path, *statements)
    kind = WrongPassphrase if not sentence and passphrase else DamagedMatter
    assert sentence in refusal(path, passphrase, kind)


def test_a_line_of_another_sealed_matter_is_refused(sealed: bytes, tmp_path: Path) -> None:
    written(tmp_path, passphrase=PASSPHRASE, name="twin")
    path = tmp_path / "clock.matter"
    path.write_bytes(sealed)
    change(
        path,
        f"ATTACH '{tmp_path / 'twin.matter'}' AS twin",
        "UPDATE events SET payload = (SELECT payload FROM twin.events WHERE twin.events.n = 3) WHERE n = 3",
    )
    assert "event 3 is damaged" in refusal(path, PASSPHRASE)


def test_a_damaged_key_is_not_taken_for_a_wrong_passphrase(sealed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "clock.matter"
    path.write_bytes(sealed)
    change(path, "UPDATE matter SET value = replace(value, '\"passes\": 1', '\"passes\": 9') WHERE key = 'slot'")
    assert "its key is damaged" in refusal(path, PASSPHRASE)
    change(path, "UPDATE matter SET value = 'nothing' WHERE key = 'slot'")
    assert "its key is damaged" in refusal(path, PASSPHRASE)


def test_an_end_that_is_cut_off_while_a_matter_is_open_is_found(tmp_path: Path) -> None:
    log = EventLog(written(tmp_path))
    change(log.path, f"DELETE FROM events WHERE n = {LINES}")
    with pytest.raises(DamagedMatter, match="its end was"):
        log.refresh()
    log.close()


def test_two_writers_see_each_other_and_the_last_one_counts(tmp_path: Path) -> None:
    path = written(tmp_path, passphrase=PASSPHRASE)
    ann, bob = EventLog(path, PASSPHRASE), EventLog(path, PASSPHRASE)
    for turn in range(10):
        writer, rater = ((ann, "ann"), (bob, "bob"))[turn % 2]
        assert writer.append(NoteWritten(f"note {turn}"), time=TIME, rater=rater).n == LINES + turn + 1
    assert ann.refresh() is True
    assert ann.refresh() is False
    assert ann.events == bob.events
    assert ann.digest == bob.digest
    ann.close()
    bob.close()


def test_files_that_are_no_matter_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownMatter, match="there is no matter none"):
        EventLog(tmp_path / "none.matter")
    path = tmp_path / "odd.matter"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(DamagedMatter, match="the matter odd: its file is damaged"):
        EventLog(path)
    with closing(sqlite3.connect(tmp_path / "other.matter")) as database:
        database.execute("CREATE TABLE t (x)")
    with pytest.raises(DamagedMatter, match="is not a matter"):
        EventLog(tmp_path / "other.matter")
    newer = written(tmp_path)
    change(newer, "CREATE TABLE more (x)", "PRAGMA user_version = 2")
    with pytest.raises(WrongVersion, match="made by a newer version of foreart"):
        EventLog(newer)


def test_a_matter_is_never_created_over_another(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.read_bytes()
    with pytest.raises(MatterError, match="there is a matter clock already: choose another name"):
        create_log(path, MatterCreated("t"), time=TIME, rater="")
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["clock.matter"]
