"""`foreart pairs`, typed as a user types it."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app
from foreart.evaluation.pairs.pairs_file import read_pairs

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))


def foreart(*words: str, library: Path) -> Result:
    return CliRunner().invoke(app, [*words, "--library", str(library)], catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert foreart("add", str(SAMPLE / "patents.jsonl"), "--workers", "1", library=folder).exit_code == 0
    return folder


def test_pairs_of_a_year_are_counted_and_written(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs.tsv"
    told = foreart("pairs", "--year", "2010", "--random", "12", "--out", str(out), "--json", library=library)
    found = json.loads(told.stdout)
    # 2010: XX20100076391A1 and XX7648516B2, which are of one family with XX20060129477A1, and XX20100727462A1.
    assert (found["targets"], found["citing"], found["random"], found["duplicate"]) == (3, 3, 36, 4)
    assert found["cited"] == 4 + 2 + 5
    assert found["pairs"] == 36 + 11 + 4
    pairs = read_pairs(out)
    assert pairs.fingerprint == found["fingerprint"]
    assert pairs.settings == found["settings"]
    assert set(pairs.cited["XX20100727462A1"]) == {"XX6024742A", "XX7426852B2"}
    assert set(pairs.duplicates["XX7648516B2"]) == {"XX20060129477A1", "XX20100076391A1"}
    assert "XX20060129477A1" not in pairs.random


def test_pairs_in_words(library: Path) -> None:
    told = foreart("pairs", "--random", "5", library=library)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[:4] == [
        "published in 2014: 2 targets, 2 of them citing",
        "          10 random pairs",
        "           8 cited pairs",
        "           0 duplicate pairs",
    ]
    assert told.stdout.splitlines()[-1] == "nothing written: name a file with --out"


def test_options_change_the_set(library: Path) -> None:
    def counts(*words: str) -> tuple[int, int]:
        found = json.loads(foreart("pairs", "--random", "5", "--json", *words, library=library).stdout)
        return found["targets"], found["cited"]

    assert counts("--from", "2014-09-12", "--to", "2014") == (1, 4)
    assert counts("--category", "examiner") == (2, 5)
    assert counts("--year", "2014", "--class", "A61B 17") == (1, 4)
    assert counts("--year", "2012", "--min-cited", "2") == (1, 5)


def test_targets_and_qrels_files(library: Path, tmp_path: Path) -> None:
    ids = tmp_path / "targets.txt"
    ids.write_text("XX8246714\nXX404\n", encoding="utf-8")
    told = foreart("pairs", "--targets", str(ids), "--random", "5", library=library)
    assert "note: 1 targets are not among the documents, the first is XX404" in told.stdout
    qrels = tmp_path / "links.qrels"
    qrels.write_text("XX8246714B2 0 XX5428634A 1\nXX8246714B2 0 XX4882616A 0\n", encoding="utf-8")
    found = json.loads(foreart("pairs", "--qrels", str(qrels), "--random", "5", "--json", library=library).stdout)
    assert (found["targets"], found["cited"], found["settings"]["rule"]) == (1, 1, "unrelated")


def test_what_cannot_be_done_is_told(library: Path, tmp_path: Path) -> None:
    short = foreart("pairs", library=library)
    assert short.exit_code == 1
    assert "fewer than the 1,000 random ones requested" in short.stderr
    assert foreart("pairs", "--year", "2010", "--from", "2009", library=library).exit_code == 2
    assert "no corpus at" in foreart("pairs", library=tmp_path / "nowhere").stderr
