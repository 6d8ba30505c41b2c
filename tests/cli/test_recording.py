"""Searches are saved, repeated and compared, typed as a user types it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))


def foreart(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert foreart("add", SAMPLE / "patents.jsonl", "-l", folder).exit_code == 0
    assert foreart("build", "-l", folder).exit_code == 0
    return folder


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLE / "drafts" / "insulin-pump.txt", tmp_path / "pump.txt"))


@pytest.fixture
def record(library: Path, draft: Path, tmp_path: Path) -> Path:
    place = tmp_path / "pump.record.json"
    result = foreart("search", draft, "-l", library, "--save", place, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["hits"]  # the way of the record is told on standard error
    assert str(place) in result.stderr.replace("\n", "")
    return place


def test_a_rerun_in_another_process_gives_the_same_bytes(library: Path, record: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    words = [sys.executable, "-m", "foreart", "rerun", record, "-l", library, "--save", again]
    result = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    assert (result.returncode, result.stdout.strip()) == (0, "the same list, bit for bit; nothing else changed either")
    one, two = (json.loads(path.read_text("utf-8")) for path in (record, again))
    for held in (one, two):
        del held["time"], held["checksum"]
    assert json.dumps(one) == json.dumps(two)
    assert foreart("diff", record, again).exit_code == 0


def test_a_private_record_has_no_words_and_gives_the_same_list(library: Path, draft: Path, tmp_path: Path) -> None:
    place = tmp_path / "private.json"
    assert foreart("search", draft, "-l", library, "--save", place, "--private").exit_code == 0
    held = json.loads(place.read_text("utf-8"))
    assert held["private"] is True
    assert not any(hit["words"] for hit in held["hits"])
    assert foreart("rerun", place, "-l", library).exit_code == 0
    alone = foreart("search", draft, "-l", library, "--private")
    assert (alone.exit_code, "--save" in alone.stderr) == (2, True)


def test_a_changed_draft_gives_1_and_says_so(library: Path, draft: Path, record: Path, tmp_path: Path) -> None:
    draft.write_text(draft.read_text("utf-8").replace("insulin", "glucagon").replace("pump", "membrane"), "utf-8")
    result = foreart("rerun", record, "-l", library, "--json", "--save", tmp_path / "later.json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert [cause["kind"] for cause in told["causes"]] == ["draft"]
    assert told["same_list"] is False
    page = tmp_path / "pages" / "changes.html"
    shown = foreart("diff", record, tmp_path / "later.json", "--html", page)
    assert shown.exit_code == 1
    assert shown.stdout.startswith("a different list")
    assert "<svg" in page.read_text("utf-8")
    assert json.loads(foreart("diff", record, tmp_path / "later.json", "--json").stdout) == told


def test_parameters_are_recorded_and_repeated(library: Path, draft: Path, tmp_path: Path) -> None:
    words = ("-k", "4", "--cutoff", "1995-01-01", "--index", "tfidf", "--from", "1980", "--kind", "A")
    place = tmp_path / "r.json"
    assert foreart("search", draft, "-l", library, *words, "--save", place).exit_code == 0
    asked = json.loads(place.read_text("utf-8"))["parameters"]
    assert (asked["k"], asked["cutoff"], asked["index"]) == (4, "1995-01-01", "tfidf")
    assert json.loads(foreart("rerun", place, "-l", library, "--json").stdout)["same_list"] is True


def test_filters_are_recorded_with_what_they_removed_and_files_as_their_numbers(
    library: Path, draft: Path, record: Path, tmp_path: Path
) -> None:
    known = json.loads(record.read_text("utf-8"))["hits"]
    (tmp_path / "ignore.txt").write_text(f"{known[0]['id']}\n", "utf-8")
    words = ("--ignore", tmp_path / "ignore.txt", "--must", "pump", "--regime", "epc")
    place = tmp_path / "r.json"
    assert foreart("search", draft, "-l", library, *words, "--save", place).exit_code == 0
    held = json.loads(place.read_text("utf-8"))
    assert held["parameters"]["ignore"] == [known[0]["id"]]
    assert (held["parameters"]["must"], held["parameters"]["regime"]) == (["pump"], "epc")
    removed = {name: number for name, number in held["counts"].items() if name.startswith("removed: ")}
    assert len(removed) == 2
    assert held["counts"]["compared"] + sum(removed.values()) == held["corpus"]["documents"] == 50
    assert all(hit["rule"] for hit in held["hits"])
    (tmp_path / "ignore.txt").unlink()
    assert foreart("rerun", place, "-l", library).exit_code == 0
    told = json.loads(foreart("diff", record, place, "--json").stdout)
    assert {cause["kind"] for cause in told["causes"]} == {"parameters"}
    assert [cause["what"] for cause in told["causes"]] == ["ignore", "must", "regime"]


def test_a_publication_of_the_corpus_is_a_draft_too(library: Path, tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    assert foreart("search", "XX8246714B2", "-l", library, "--save", place).exit_code == 0
    assert json.loads(place.read_text("utf-8"))["draft"]["name"] == "XX8246714B2"
    assert foreart("rerun", place, "-l", library).exit_code == 0


def test_a_saved_search_tells_the_next_one_what_is_known(library: Path, draft: Path, record: Path) -> None:
    result = foreart("search", draft, "-l", library, "--only-new", record, "--json")
    known = {hit["id"] for hit in json.loads(record.read_text("utf-8"))["hits"]}
    assert not known & {hit["id"] for hit in json.loads(result.stdout)["hits"]}


def test_what_cannot_be_done_is_one_sentence_and_1(library: Path, draft: Path, record: Path, tmp_path: Path) -> None:
    (tmp_path / "foreign.json").write_text("{}")
    foreign = foreart("rerun", tmp_path / "foreign.json", "-l", library)
    assert (foreign.exit_code, foreign.stdout) == (1, "")
    assert "is not a search record" in foreign.stderr
    draft.unlink()
    missing = foreart("rerun", record, "-l", library)
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "--draft FILE" in missing.stderr
    assert foreart("diff", record).exit_code == 2
    assert foreart("diff", record, tmp_path / "none.json").exit_code == 2
