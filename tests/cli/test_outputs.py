"""Files that commands write: never one that they read, whole or not at all, and readable for their owner only."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from cli.commands import DRAFT, FIRST, SAMPLE, run
from extras import needs
from foreart.corpus.library_folder import is_own_file
from foreart.durable import TEMPORARY

PUMP = SAMPLE / "drafts" / "insulin-pump.txt"


def mode(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return Path(shutil.copy(PUMP, tmp_path / "d.txt"))


@pytest.mark.parametrize(
    "words",
    [
        ("search", "{d}", "--html", "{out}"),
        ("search", "{d}", "--save", "{out}"),
        ("search", FIRST, "--ignore", "{d}", "--html", "{out}"),
        ("chart", "{d}", FIRST, "--csv", "{out}"),
        ("chart", "{d}", FIRST, "--xlsx", "{out}"),
        ("chart", "{d}", FIRST, "--html", "{out}"),
        ("chart", "{d}", FIRST, "--docx", "{out}"),
        ("explain", "{d}", FIRST, "--html", "{out}"),
        ("diff", "{d}", "{d}", "--html", "{out}"),
        ("rerun", "{d}", "--save", "{out}"),
        ("pairs", "--targets", "{d}", "--out", "{out}"),
        ("pairs", "--qrels", "{d}", "--out", "{out}"),
        ("evaluate", "--qrels", "{d}", "--csv", "{out}"),
        ("evaluate", "--qrels", "{d}", "--save-run", "{out}"),
        ("read", "{d}", "--rejects", "{out}"),
        ("label", "{d}", "--export", "{out}"),
    ],
)
@pytest.mark.parametrize("way", ["itself", "symlink", "hard link", "dots"])
def test_no_output_takes_the_place_of_an_input(folder: Path, draft: Path, way: str, words: tuple[str, ...]) -> None:
    before = draft.read_bytes()
    out = draft.parent / "out"
    if way == "symlink":
        out.symlink_to(draft)
    elif way == "hard link":
        out.hardlink_to(draft)
    else:
        out = draft if way == "itself" else draft.parent / "." / ".." / draft.parent.name / "d.txt"
    library = () if words[0] in ("diff", "read") else ("-l", folder)
    told = run(*(word.format(d=draft, out=out) for word in words), *library, code=2).output
    assert "would be overwritten" in told
    assert draft.read_bytes() == before


def test_corrections_and_files_of_folders_are_inputs_too(folder: Path, draft: Path) -> None:
    corrections = draft.with_name("d.txt.foreart.yaml")
    corrections.write_text("title: Pump\n", "utf-8")
    run("search", draft, "--html", corrections, "-l", folder, code=2)
    run("read", draft.parent, "--rejects", draft, code=2)
    assert corrections.read_text("utf-8") == "title: Pump\n"
    assert "would be lost" in run("draft", draft, "--write", "-l", folder, code=1).output
    assert corrections.read_text("utf-8") == "title: Pump\n"


OWN_FILES = [
    *("corpus.db", "corpus.db-wal", "indexes/tfidf/words.json", "postings/x", "ranking/y", "published.json"),
    *("views/a/corpus.view", "cluster.json", "shards.json", "build.writer", "building/x", "matters/a.matter", "desk/x"),
]


@pytest.mark.parametrize("name", OWN_FILES)
def test_no_report_goes_into_the_files_of_a_library(folder: Path, draft: Path, name: str) -> None:
    place = Path(shutil.copytree(folder, draft.parent / "library"))
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    run("search", draft, "--html", place / name, "-l", place, code=2)
    for path, content in before.items():
        assert path.read_bytes() == content


def test_every_file_of_a_library_is_known_as_its_own(folder: Path) -> None:
    """A library with all that foreart makes in it: a new kind of file that is not named would be overwritten."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert [path for path in files if not is_own_file(folder, path)] == []
    assert len(files) > 20
    assert not is_own_file(folder, folder / "report.html")
    assert not is_own_file(folder, folder / "reports" / "published.json")
    assert is_own_file(folder, folder / "reports" / ".." / "published.json")


def test_two_outputs_are_two_files(folder: Path, draft: Path) -> None:
    same = draft.with_name("chart")
    told = run("chart", draft, FIRST, "--csv", same, "--html", same, "-l", folder, code=2).output
    assert "two outputs" in told
    assert not same.exists()


def test_the_draft_of_a_record_is_an_input_of_its_repetition(folder: Path, draft: Path) -> None:
    record = draft.with_name("record.json")
    run("search", draft, "--save", record, "-l", folder)
    before = draft.read_bytes()
    run("rerun", record, "--save", draft, "-l", folder, code=2)
    assert draft.read_bytes() == before


def test_what_holds_words_of_a_draft_is_for_its_owner_only(folder: Path, tmp_path: Path) -> None:
    names = {"html": "h", "save": "s.json"}
    run("search", DRAFT, *(word for key, name in names.items() for word in (f"--{key}", tmp_path / name)), "-l", folder)
    forms = ("csv", "xlsx", "html", "docx")
    run(
        "chart", DRAFT, FIRST, *(word for form in forms for word in (f"--{form}", tmp_path / f"c.{form}")), "-l", folder
    )
    run("explain", DRAFT, FIRST, "--html", tmp_path / "e.html", "-l", folder)
    run("search", DRAFT, "-k", 5, "--save", tmp_path / "t.json", "-l", folder)
    run("diff", tmp_path / "s.json", tmp_path / "t.json", "--html", tmp_path / "d.html", code=1)
    copied = shutil.copy(DRAFT, tmp_path / "copied.docx")
    run("draft", copied, "--write", "-l", folder)
    written = {path.name: mode(path) for path in tmp_path.iterdir() if path.name != "copied.docx"}
    assert len(written) == 10
    assert set(written.values()) == {"0o600"}, written


def test_an_older_report_that_all_can_read_becomes_private(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    page.write_text("old", "utf-8")
    page.chmod(0o644)
    run("search", DRAFT, "--html", page, "-l", folder)
    assert mode(page) == "0o600"


def test_claims_do_not_pass_through_the_folder_for_temporary_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes a temporary file with a name fails."""

    def refused(*args: object, **given: object) -> None:
        raise AssertionError("a temporary file with a name")

    monkeypatch.setattr("tempfile._get_candidate_names", refused)
    run("chart", DRAFT, FIRST, "--xlsx", tmp_path / "c.xlsx", "--docx", tmp_path / "c.docx", "-l", folder)
    assert (tmp_path / "c.xlsx").stat().st_size > 4000


@pytest.mark.parametrize("place", ["folder", "file/inside", "/dev/full", "/proc/nothing/x", "a" * 300])
@pytest.mark.parametrize("option", ["--html", "--save"])
def test_a_place_that_cannot_be_written_is_told(folder: Path, tmp_path: Path, option: str, place: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("", "utf-8")
    code = 2 if place == "folder" else 1
    told = run("search", PUMP, option, tmp_path / place, "-l", folder, code=code).output
    assert len(told.splitlines()) <= 4
    assert str(tmp_path / place)[-300:] in told.replace("\n", "")
    assert [path.name for path in tmp_path.rglob("*") if TEMPORARY.fullmatch(path.name)] == []


@pytest.mark.parametrize(
    "words",
    [
        ("chart", DRAFT, FIRST, "--docx"),
        ("explain", DRAFT, FIRST, "--html"),
        ("pairs", "--year", "2014", "--random", "3", "--out"),
        pytest.param(("stats", "--plots"), marks=needs("matplotlib")),
        ("sample", "--pairs", "{pairs}", "--min-cited", "1", "--each", "1", "-n", "1", "--out"),
        ("paper", "--only", "T7", "--random", "3", "--out"),
    ],
)
def test_every_command_tells_that_its_place_cannot_be_written(folder: Path, tmp_path: Path, words: tuple) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    pairs = tmp_path / "pairs.tsv"
    run("pairs", "--year", "2014", "--random", "3", "--out", pairs, "-l", folder)
    told = run(
        *(str(word).format(pairs=pairs) for word in words), tmp_path / "file" / "inside", "-l", folder, code=1
    ).output
    assert "Error: " in told.splitlines()[-1]
    assert str(tmp_path / "file") in told.splitlines()[-1]


def test_a_link_to_nowhere_is_followed_and_a_pipe_is_written(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "report.html")
    run("search", PUMP, "--html", tmp_path / "link", "-l", folder)
    assert "<html" in (tmp_path / "report.html").read_text("utf-8")[:200]
    run("search", PUMP, "--html", os.devnull, "-l", folder)
