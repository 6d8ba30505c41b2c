"""`foreart matter`: what it prints, what it keeps, and that a passphrase is never shown or taken as an argument."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.commands import DRAFT as FUSION
from cli.commands import FIRST, run
from foreart.cli.app import app
from foreart.cli.review_commands.review_dialogue import KEYS, parsed_category
from foreart.errors import BadRequest

PASSPHRASE = "seven quiet otters row home"


@pytest.fixture(scope="module")
def made(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with an open matter that has a search."""
    place = Path(shutil.copytree(folder, tmp_path_factory.mktemp("matters") / "library"))
    run("matter", "new", "spine", FUSION, "--title", "Spine", "--rater", "ann", "-l", place)
    return place


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "passphrase"
    path.write_text(PASSPHRASE + "\n")
    path.chmod(0o600)
    return path


def answered(*arguments: object, lines: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, [*map(str, arguments)], input=lines)
    assert result.exit_code == code, result.output
    return result


def state(library: Path, *more: object) -> dict:
    return json.loads(run("matter", "open", "spine", "--json", "-l", library, *more).stdout)


def test_new_list_and_open(library: Path) -> None:
    entries = json.loads(run("matter", "list", "--json", "-l", library).stdout)
    assert [(entry["name"], entry["sealed"], entry["problem"]) for entry in entries] == [("spine", False, "")]
    opened = state(library)
    assert (opened["title"], opened["events"], opened["searches"], opened["raters"]) == ("Spine", 3, 1, ["ann"])
    assert "50" not in run("matter", "list", "-l", library).stdout.split()[0]
    text = run("matter", "open", "spine", "-l", library).stdout
    assert text.startswith("Spine\n3 events, not sealed; check value ")
    assert "last of 1 search" in text
    assert "there is a matter spine already" in run("matter", "new", "spine", "-l", library, code=1).stderr
    assert "there is no matter hip; there are spine" in run("matter", "open", "hip", "-l", library, code=1).stderr
    assert "cannot be the name of a matter" in run("matter", "new", "../x", "-l", library, code=1).stderr
    assert "has no matters" in run("matter", "list", "-l", library / "none").stderr


def test_a_review_through_a_pipe(library: Path) -> None:
    lines = "r\nv\np,x 1,3-4\nm\nn\nlooks close\nz\nZ\ni\nx\ns\n\nl\nq\n"
    text = answered("review", "spine", "--rater", "ann", "-l", library, lines=lines).stdout
    assert "the note is kept" in text
    assert "undone: event" in text
    assert "restored: event" in text
    assert " ".join(KEYS) + ": ? explains them" in text
    assert "6 documents read (1 relevant, 1 maybe, 1 no, 1 later)" in text
    opened = state(library)["state"]
    assert [item["judgement"] for item in opened["judgements"]] == ["relevant", "maybe", "no", "later"]
    hits = [item["document"] for item in opened["judgements"]]
    assert [(line["category"], line["claims"], line["document"]) for line in opened["categories"]] == [
        ("P,X", [1, 3, 4], hits[1])
    ]
    assert [(note["text"], note["document"]) for note in opened["notes"]] == [("looks close", hits[2])]
    assert len(opened["seeds"]) == 1
    assert len(opened["read"]["ann"]) == 6
    # The same command resumes, and undo reaches back over the interruption.
    again = answered("review", "spine", "--rater", "ann", "--json", "-l", library, lines="z\nq\n")
    summary = json.loads(again.stdout)
    assert (summary["judged"], summary["read"]) == ({"relevant": 1, "maybe": 1, "no": 1}, 6)
    assert f"undone: later for {hits[3]}" in again.stderr
    # Another rater sees no judgement of the first.
    other = json.loads(answered("review", "spine", "--rater", "bob", "--json", "-l", library, lines="r\n").stdout)
    assert (other["judged"], other["read"]) == ({"relevant": 1}, 2)
    assert "ann and bob: 1 document judged by both" in run("matter", "open", "spine", "-l", library).stdout


def test_with_shift_a_judgement_stays_and_j_and_k_turn_pages(library: Path) -> None:
    """DESK.md §7: `Shift` + key judges and stays; `j` and `k` show the next and the previous document."""
    lines = "R\nv\nX 1\nj\nj\nk\nk\nM\nI\nL\nm\nq\n"
    text = answered("review", "spine", "--rater", "ann", "-l", library, lines=lines).stdout
    shown = re.findall(r"(\S+) · (?:\d+\. of the search, )?score ", text)
    opened = state(library)["state"]
    judged = {item["document"]: item["judgement"] for item in opened["judgements"]}
    # R and the category are of the first document; j shows the second and third, k the second again and then no other.
    assert judged == {FIRST: "relevant", shown[1]: "maybe"}
    assert shown[:4] == [FIRST, shown[1], shown[2], shown[1]]
    assert len({*shown[:3]}) == 3
    # After the judgements that stay and the one that moves on comes what was not passed over.
    assert len(shown) == 5
    assert shown[4] not in shown[:2]
    assert [(line["document"], line["category"]) for line in opened["categories"]] == [(FIRST, "X")]
    assert text.count("is kept: j shows the next document") == 4
    assert "no document was passed over before this one" in text


def test_the_queue_begins_again_after_the_last_document(library: Path) -> None:
    left = json.loads(answered("review", "spine", "--json", "-l", library, lines="q\n").stdout)["left"]
    text = answered("review", "spine", "-l", library, lines="j\n" * left + "q\n").stdout
    assert "the queue begins again" in text
    assert text.count(f"{FIRST} · 1. of the search") == 2


def test_all_can_be_judged_and_the_last_taken_back(library: Path) -> None:
    left = json.loads(answered("review", "spine", "--json", "-l", library, lines="q\n").stdout)["left"]
    text = answered("review", "spine", "-l", library, lines="r\n" + "i\n" * (left - 1) + "z\nZ\nq\n").stdout
    assert "no document is left: z takes back the last decision, q stops" in text
    assert f"{left} documents read (1 relevant, {left - 1} no), 0 left" in text


def test_a_judgement_changes_the_order_and_says_what_is_left(library: Path) -> None:
    text = answered("review", "spine", "-l", library, lines="r\ni\nq\n").stdout
    assert "stop at 80 % of the relevant documents, 90 % sure (fixed before reading)" in text
    assert "chance " in text
    assert "your judgements: " in text
    assert "1 found in 2 read. How many are still unread cannot be estimated before `foreart learn`" in " ".join(
        text.split()
    )
    (rule,) = [item for item in state(library)["state"].items() if item[0] == "stopping"]
    assert (rule[1]["target"], rule[1]["confidence"]) == (0.8, 0.9)
    far = answered("review", "spine", "--elsewhere", "1", "--target", ".9", "-l", library, lines="q\n").stdout
    assert "90 % of the relevant documents, 90 % sure (changed after 3 documents had been read" in " ".join(far.split())


def test_the_estimate_and_the_explanation_of_a_score(library: Path) -> None:
    answered("review", "spine", "--rater", "ann", "-l", library, lines="r\ni\nq\n")
    told = run("matter", "stopping", "spine", "--rater", "ann", "-l", library).stdout
    assert told.startswith("1 found in 2 read. ")
    assert "(fixed before reading)" in told
    options = ("--target", ".95", "--json", "--rater", "ann", "-l", library)
    record = json.loads(run("matter", "stopping", "spine", *options).stdout)
    assert (record["target"], record["rule"]["fixed_before_reading"], len(record["rule"]["log"])) == (0.95, False, 2)
    assert record["curve"] == [{"read": 0, "found": 0}, {"read": 1, "found": 1}, {"read": 2, "found": 1}]
    explained = run("matter", "explain", "spine", FIRST, "--rater", "ann", "--json", "-l", library).stdout
    (reasons,) = json.loads(explained)["documents"]
    assert reasons["channels"][-1]["channel"] == "your judgements"
    assert sum(item["contribution"] for item in reasons["channels"]) == pytest.approx(reasons["score"], abs=1e-9)
    assert "your judgements" in run("matter", "explain", "spine", FIRST, "--rater", "ann", "-l", library).stdout


def test_a_report_is_exported_and_verified(library: Path, tmp_path: Path) -> None:
    answered("review", "spine", "--rater", "ann", "-l", library, lines="v\nX 1\nr\nq\n")
    path = tmp_path / "report.html"
    run("matter", "export", "spine", path, "--form", "epo-html", "--docket", "N-12", "--rater", "ann", "-l", library)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "N-12" in path.read_text()
    assert "all valid" in run("verify", path, "-l", library).stdout
    assert state(library)["state"]["exports"][-1]["form"] == "epo-html"
    for form in ("pct-pdf", "ids-docx", "report-csv", "biblatex"):
        assert form in run("matter", "export", "--help").stdout


def test_a_document_is_shown_with_all_that_a_judgement_needs(library: Path) -> None:
    text = answered("review", "spine", "-l", library, lines="c\nq\n").stdout
    for part in ("1. of the search, score ", "published ", "prior art: published ", "why: ", "1. "):
        assert part in text, part
    run("matter", "new", "bare", "-l", library)
    assert "the matter bare has no search yet" in run("review", "bare", "-l", library, code=1).stderr


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("X", ("X", ())),
        ("p, x 1", ("P,X", (1,))),
        ("Y 1, 3-5", ("Y", (1, 3, 4, 5))),
        ("& 2 – 3 7", ("&", (2, 3, 7))),
    ],
)
def test_categories_as_they_are_typed(text: str, found: tuple[str, tuple[int, ...]]) -> None:
    assert parsed_category(text) == found


@pytest.mark.parametrize("text", ["", "1", "X one", "XY", "X 3-", "X -3", "X 1-99999", "²"])
def test_categories_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadRequest):
        parsed_category(text)


def test_notes(library: Path) -> None:
    first = json.loads(run("matter", "note", "spine", "ask", "--json", "-l", library).stdout)
    assert (first["kind"], first["text"], first["n"]) == ("note", "ask", 4)
    answered("matter", "note", "spine", "--document", FIRST, "-l", library, lines="from a pipe\nsecond line\n")
    run("matter", "note", "spine", "ask twice", "--replace", "4", "-l", library)
    notes = [(note["text"], note["document"]) for note in state(library)["state"]["notes"]]
    assert notes == [("ask twice", ""), ("from a pipe\nsecond line", FIRST)]
    assert "a note is empty" in run("matter", "note", "spine", " ", "-l", library, code=1).stderr
    assert (
        "is not in the corpus" in run("matter", "note", "spine", "x", "--document", "XX1", "-l", library, code=1).stderr
    )


def test_literature(library: Path, tmp_path: Path) -> None:
    about = ("--author", "Hartwell, Ruth", "--item", "J. Mech.", "--published", "1998-05", "--pages", "101-109")
    judged = ("--judgement", "relevant", "--category", "y 1,3-4", "--passage", "page 104")
    added = run("matter", "literature", "spine", "Leaf springs", *about, *judged, "-l", library).stdout
    assert added == (
        "NPL-4  HARTWELL, RUTH; “Leaf springs”; J. Mech.; 1998-05; pages 101-109 (relevant, Y)\n"
    )  # fmt: skip
    run("matter", "literature", "spine", "--document", "NPL-4", "--published", "1999", "-l", library)
    (item,) = json.loads(run("matter", "literature", "spine", "--json", "-l", library).stdout)
    assert (item["reference"]["published"], item["reference"]["pages"], item["places"]) == (
        "1999", "101-109", ["page 104"]
    )  # fmt: skip
    run("matter", "note", "spine", "get a copy", "--document", "NPL-4", "-l", library)
    path = tmp_path / "ids.html"
    run("matter", "export", "spine", path, "--form", "ids-html", "-l", library)
    assert "HARTWELL, RUTH; “Leaf springs”" in path.read_text("utf-8")
    assert "NPL-4: HARTWELL, RUTH" in run("matter", "open", "spine", "-l", library).stdout
    refused = run("matter", "literature", "spine", "--document", "NPL-99", "--judgement", "no", "-l", library, code=1)
    assert "NPL-99 is not in the matter spine" in refused.stderr
    run("matter", "literature", "spine", "--document", "NPL-4", "--withdraw", "-l", library)
    assert run("matter", "literature", "spine", "-l", library).stdout == ""


def test_texts_cannot_steer_the_terminal(library: Path) -> None:
    nasty = "\x1b[31mred [/b] \u202e"
    run("matter", "note", "spine", nasty, "--document", FIRST, "-l", library)
    run("matter", "new", "titled", "--title", nasty, "-l", library)
    shown = run("matter", "open", "spine", "-l", library).stdout + run("matter", "open", "titled", "-l", library).stdout
    shown += answered("review", "spine", "-l", library, lines="n\n\x1b[31m\nq\n").stdout
    assert "red [/b]" in shown
    assert not any(char in shown for char in "\x1b\u202e")
    noted = json.loads(run("matter", "open", "spine", "--json", "-l", library).stdout)["state"]["notes"]
    assert noted[0]["text"] == nasty


def test_export(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "out" / "spine.json"
    assert (
        json.loads(run("matter", "export", "spine", out, "--json", "-l", library).stdout)["size"] == out.stat().st_size
    )
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert json.loads(out.read_text("utf-8"))["schema"] == "foreart matter"
    printed = run("matter", "export", "spine", "-", "--form", "csv", "-l", library).stdout
    assert printed.lstrip("\ufeff").startswith("rater,document,judgement")
    assert (
        "is not a form of export" in run("matter", "export", "spine", tmp_path / "a.txt", "-l", library, code=1).stderr
    )
    inside = library / "matters" / "spine.matter"
    assert "would be overwritten" in run("matter", "export", "spine", inside, "-l", library, code=2).stderr


def test_a_sealed_matter_needs_its_passphrase(library: Path, secret: Path, tmp_path: Path) -> None:
    result = run("matter", "seal", "spine", "--passphrase-file", secret, "-l", library)
    assert PASSPHRASE not in result.output
    refused = run("matter", "open", "spine", "-l", library, code=2)
    assert "the matter spine is sealed: give its passphrase with --passphrase-file FILE" in refused.stderr
    wrong = tmp_path / "wrong"
    wrong.write_text("another passphrase")
    wrong.chmod(0o600)
    refused = run("matter", "open", "spine", "--passphrase-file", wrong, "-l", library, code=1)
    assert refused.stderr == "Error: the passphrase does not open the matter spine\n"
    wrong.chmod(0o644)
    refused = run("matter", "open", "spine", "--passphrase-file", wrong, "-l", library, code=1)
    assert f"{wrong} can be read by other users: run `chmod 600 {wrong}`" in refused.stderr
    assert state(library, "--passphrase-file", secret)["sealed"] is True
    export = run("matter", "export", "spine", tmp_path / "a.csv", "--passphrase-file", secret, "-l", library)
    assert "is not encrypted, though the matter is sealed" in export.stderr
    data = b"".join(file.read_bytes() for file in (library / "matters").iterdir())
    assert b"interspinous" not in data.lower()
    for name in ("new", "list", "open", "search", "note", "export", "seal", "purge"):
        assert "--passphrase " not in run("matter", name, "--help").stdout


def test_a_sealed_matter_gets_another_passphrase(library: Path, secret: Path, tmp_path: Path) -> None:
    refused = run("matter", "passphrase", "spine", "--passphrase-file", secret, "-l", library, code=1)
    assert "the matter spine is not sealed" in refused.stderr
    run("matter", "seal", "spine", "--passphrase-file", secret, "-l", library)
    fresh = tmp_path / "fresh"
    fresh.write_text("nine loud herons fly north\n")
    fresh.chmod(0o600)
    both = ("--passphrase-file", secret, "--new-passphrase-file", fresh, "-l", library)
    refused = run("matter", "passphrase", "spine", "--passphrase-file", fresh, *both[2:], code=1)
    assert refused.stderr == "Error: the passphrase does not open the matter spine\n"
    before = state(library, "--passphrase-file", secret)["state"]
    assert "the matter spine has another passphrase" in run("matter", "passphrase", "spine", *both).stdout
    refused = run("matter", "open", "spine", "--passphrase-file", secret, "-l", library, code=1)
    assert refused.stderr == "Error: the passphrase does not open the matter spine\n"
    assert state(library, "--passphrase-file", fresh)["state"] == before


def test_purge_says_what_it_deleted(library: Path, tmp_path: Path) -> None:
    run("matter", "export", "spine", library / "reports" / "spine.csv", "-l", library)
    refused = answered("matter", "purge", "spine", "-l", library, lines="spin\n", code=1)
    assert "the matter spine was not deleted" in refused.stderr
    assert (library / "matters" / "spine.matter").exists()
    result = answered("matter", "purge", "spine", "-l", library, lines="spine\n")
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [
        "deleted matters/spine.matter", "deleted matters/spine.matter-wal", "deleted matters/spine.matter-shm",
        "deleted reports/spine.csv",
    ]  # fmt: skip
    assert "Deleting is no erasure on SSDs" in result.stderr
    assert list((library / "matters").iterdir()) == []
    run("matter", "new", "spine", "-l", library)
    removed = json.loads(run("matter", "purge", "spine", "--yes", "--json", "-l", library).stdout)
    assert removed["removed"][0]["file"] == "matters/spine.matter"


class Terminal:
    """A real terminal with a command in it."""

    def __init__(self, *arguments: object) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "foreart", *map(str, arguments)]
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": "120"}
        self.process = subprocess.Popen(command, env=environment, preexec_fn=lambda: self._enter(slave))
        os.close(slave)
        self.text = ""

    @staticmethod
    def _enter(slave: int) -> None:
        """Makes it the terminal of the command, so that Ctrl-C interrupts it, also where the tests ignore Ctrl-C."""
        os.login_tty(slave)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def until(self, text: str, seconds: float = 30.0) -> str:
        """Waits for a text, and returns what came since the last one."""
        came, end = "", time.monotonic() + seconds
        while text not in came:
            if time.monotonic() > end:
                self.process.kill()
                self.end()
                raise AssertionError(came)
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    came += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:  # the other side is closed
                    break
        assert text in came, came
        self.text += came
        return came

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        code = self.process.wait(60)
        os.close(self.master)
        return code


def test_in_a_terminal_keys_act_at_once_and_passphrases_are_not_echoed(library: Path) -> None:
    terminal = Terminal("matter", "seal", "spine", "-l", library)
    terminal.until("new passphrase of spine")
    terminal.type(PASSPHRASE + "\n")
    terminal.until("the same again")
    terminal.type(PASSPHRASE + "\n")
    terminal.until("the matter spine is sealed")
    assert terminal.end() == 0
    assert PASSPHRASE not in terminal.text
    terminal = Terminal("review", "spine", "-l", library)
    terminal.until("passphrase of spine")
    terminal.type(PASSPHRASE + "\n")
    assert "1. of the search" in terminal.until("0 found in 1 read")
    for key in "rmi":
        terminal.type(key)
        terminal.until(" read ")
    terminal.type("z")
    terminal.until("undone: no for")
    terminal.type("q")
    terminal.until("4 documents read (1 relevant, 1 maybe)")
    assert terminal.end() == 0
    assert PASSPHRASE not in terminal.text


def test_ctrl_c_keeps_what_was_judged(library: Path) -> None:
    terminal = Terminal("review", "spine", "-l", library)
    terminal.until("0 found in 1 read")
    terminal.type("r\x1b[Ar")  # an arrow key, and a key that is typed ahead
    terminal.until("2 found in 3 read")
    terminal.type("\x03")
    terminal.until("resumes")
    assert terminal.end() == 130
    assert state(library)["relevant"] == 2
