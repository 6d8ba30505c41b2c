"""A library of 0.1.0, used by today's code as its owner would; made by tests/data/upgrade/make.sh."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app

ARCHIVE = Path(__file__).parent / "data" / "upgrade" / "library-0.1.0.tar.xz"
SAMPLE = Path(__file__).resolve().parents[1] / "src" / "foreart" / "sample" / "patents.jsonl"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of a user of 0.1.0, who works in their folder."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOREART_LIBRARY", "library")
    return tmp_path


def _run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def _json(*words: str) -> Any:
    result = _run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def _refused(result: Result) -> bool:
    """Whether the command says in one sentence to build again; anything else but success fails."""
    if result.exit_code == 0:
        return False
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("Error: ")
    assert "`foreart build`" in line
    return True


def _hits(found: Any) -> list[tuple[int, str]]:
    return [(hit["rank"], hit["id"]) for hit in found["hits"]]


def _search() -> Any:
    """The hits of the user's draft, after `foreart build` where the search says so."""
    if _refused(_run("search", "draft.txt", "-k", "10", "--no-passages", "--json")):
        assert _run("build").exit_code == 0
    return _json("search", "draft.txt", "-k", "10", "--no-passages")


def test_the_library_is_one_of_0_1_0(old: Path) -> None:
    """No test below would mean anything with a library of today."""
    assert json.loads((old / "record.json").read_text("utf-8"))["versions"]["foreart"] == "0.1.0" != version("foreart")


def test_the_corpus_is_read_as_it_was(old: Path) -> None:
    listed = json.loads((old / "expected-list.json").read_text("utf-8"))
    assert len(listed) == 30
    now = _json("list", "--limit", "100")
    assert [{key: new[key] for key in was} for new, was in zip(now, listed, strict=True)] == listed
    shown = json.loads((old / "expected-show.json").read_text("utf-8"))
    patent = _json("show", shown["id"])
    assert {key: patent[key] for key in shown} == shown


def test_a_search_finds_what_it_found_or_asks_to_build(old: Path) -> None:
    before = json.loads((old / "expected-search.json").read_text("utf-8"))
    found = _search()
    assert found["corpus"]["documents"] == 30
    assert _hits(found)[0] == _hits(before)[0]
    same = {number for _, number in _hits(found)} & {number for _, number in _hits(before)}
    assert len(same) >= 8


def test_rerun_tells_what_changed(old: Path) -> None:
    """The version at least is another one; that the list is the same is said only where it is."""
    if _refused(_run("rerun", "record.json", "--json")):
        assert _run("build").exit_code == 0
    result = _run("rerun", "record.json", "--json")
    difference = json.loads(result.stdout)
    assert result.exit_code == (0 if difference["same_list"] else 1)
    causes = {(cause["kind"], cause["what"]): (cause["before"], cause["after"]) for cause in difference["causes"]}
    assert causes["versions", "foreart"] == ("0.1.0", version("foreart"))
    before = _hits(json.loads((old / "record.json").read_text("utf-8")))
    now = _hits(_search())
    if difference["same_list"]:
        assert now == before
    gone = {number for _, number in before} - {number for _, number in now}
    assert {item["id"] for item in difference["documents"] if item["fate"] == "gone"} == gone


def test_labels_are_read_as_they_were(old: Path) -> None:
    text = _run("label", "expert-set", "--export", "-").stdout
    expected = (old / "expected-labels.csv").read_text("utf-8-sig")
    assert list(csv.DictReader(io.StringIO(text.lstrip("\ufeff")))) == list(csv.DictReader(io.StringIO(expected)))
    assert text.count("ann,") == 17


def test_the_corpus_grows_and_is_built_anew(old: Path) -> None:
    assert _run("add", str(SAMPLE)).exit_code == 0
    assert len(_json("list", "--limit", "100")) == 50
    assert _run("build").exit_code == 0
    assert _search()["corpus"]["documents"] == 50
    assert _run("doctor").exit_code == 0
