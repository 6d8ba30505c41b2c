"""From a corpus to an expert set, its labels and their agreement, typed as users type it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from extras import needs
from foreart.cli.app import app
from foreart.review import read_judged, read_labels
from foreart.review.expert_folder import read_key, read_sheet

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
PUMP = "XX8246714B2"
WORKBOOK = ["sheet.xlsx"] if find_spec("openpyxl") else []


def foreart(*words: str, library: Path, typed: str = "") -> Result:
    return CliRunner().invoke(app, [*words, "--library", str(library)], input=typed, catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert foreart("add", str(SAMPLE / "patents.jsonl"), "--workers", "1", library=folder).exit_code == 0
    assert foreart("build", "tfidf", library=folder).exit_code == 0
    assert (
        foreart(
            "pairs", "--year", "2012", "--random", "12", "--out", str(folder / "pairs.tsv"), library=folder
        ).exit_code
        == 0
    )
    return folder


@pytest.fixture(scope="module")
def drawn(library: Path) -> Path:
    words = ["--pairs", str(library / "pairs.tsv"), "-n", "1", "--each", "2", "--min-cited", "5"]
    told = foreart("sample", *words, "--out", str(library / "set"), "--json", library=library)
    found = json.loads(told.stdout)
    assert (found["targets"], found["pairs"], found["cited"], found["random"]) == (1, 11, 5, 6)
    assert [Path(file).name for file in found["files"]] == ["sheet.csv", *WORKBOOK, "key.json"]
    return library / "set"


@pytest.fixture
def place(drawn: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(drawn, tmp_path / "set"))


def test_the_sample_has_all_cited_and_the_strata_by_cosine(drawn: Path) -> None:
    items = read_key(drawn)
    assert {item.target for item in items} == {PUMP}
    cited = {item.document for item in items if item.cited}
    assert cited == {"XX5428634A", "XX6428716B1", "XX20060784226A1", "XX5880446A", "XX4882616A"}
    by = {name: [item.cosine for item in items if item.stratum == name] for name in ("high", "middle", "low")}
    assert all(len(scores) == 2 for scores in by.values())
    assert min(by["high"]) >= max(by["middle"]) >= min(by["middle"]) >= max(by["low"])
    assert [row.document for row in read_sheet(drawn)] == [item.document for item in items]


def test_the_same_command_draws_the_same_sample(drawn: Path, library: Path, tmp_path: Path) -> None:
    words = ["--pairs", str(library / "pairs.tsv"), "--target", "XX8246714", "--each", "2"]
    told = foreart("sample", *words, "--out", str(tmp_path / "again"), library=library)
    assert told.exit_code == 0
    assert "11 pairs of 1 targets: 5 cited, 6 random" in told.stdout
    assert (tmp_path / "again" / "sheet.csv").read_bytes() == (drawn / "sheet.csv").read_bytes()
    assert (tmp_path / "again" / "key.json").read_bytes() == (drawn / "key.json").read_bytes()
    assert foreart("sample", *words, "--out", str(tmp_path / "again"), library=library).exit_code == 1
    foreart("sample", *words, "--seed", "2", "--out", str(tmp_path / "other"), library=library)
    assert (tmp_path / "other" / "sheet.csv").read_bytes() != (drawn / "sheet.csv").read_bytes()


def test_a_sample_that_cannot_be_drawn(library: Path, tmp_path: Path) -> None:
    def told(*words: str) -> str:
        pairs = ["--pairs", str(library / "pairs.tsv"), "--out", str(tmp_path / "set")]
        result = foreart("sample", *pairs, *words, library=library)
        assert result.exit_code == 1
        assert not (tmp_path / "set").exists()
        return result.stderr

    assert "only 1 targets cite 5 to 50 documents" in told()
    assert "12 random documents are too few for 10" in told("-n", "1")
    assert "XX5428634A is not a target of these pairs" in told("--target", "XX5428634A")
    assert "there is no index 'lsa'" in told("-n", "1", "--index", "lsa")


def test_a_session_asks_keeps_and_goes_on(place: Path, library: Path) -> None:
    typed = "3\nseven\n6\nc\nsee claim 2\n1\nb\n4\ns\n"
    told = foreart("label", str(place), "--rater", "Ann", library=library, typed=typed)
    assert told.exit_code == 0
    assert told.stdout.count(f"target {PUMP}") == 1
    assert told.stdout.count("1 of 11 ·") == 1
    assert told.stdout.count("2 of 11 ·") == 5  # asked, not understood twice, commented, returned to
    assert "your score: 1, comment: see claim 2" in told.stdout
    assert "2 of 11 judged, saved in" in told.stdout
    labels = read_labels(place / "labels" / "ann.jsonl")
    assert [(label.score, label.comment) for label in labels] == [
        (3, ""), (None, "see claim 2"), (1, "see claim 2"), (4, "see claim 2"),
    ]  # fmt: skip
    assert labels[1].document == labels[3].document != labels[0].document
    again = foreart("label", str(place / "sheet.csv"), "--rater", "ann", "--json", library=library, typed="0\n" * 20)
    assert json.loads(again.stdout)["left"] == 0
    assert foreart("label", str(place), "--rater", "ann", library=library).stdout.startswith("11 of 11 judged")


def test_a_session_shows_texts_and_neither_score_nor_label(place: Path, library: Path) -> None:
    told = foreart("label", str(place), "--rater", "bob", library=library, typed="m\nt\n?\nb\nq\n").stdout
    first = next(line for line in told.splitlines() if line.startswith("document ")).split()[1]
    claims = json.loads(foreart("show", first, "--json", library=library).stdout)
    record = claims[0] if isinstance(claims, list) else claims
    flat = " ".join(told.split())
    assert " ".join(record["abstract"].split()) in flat
    assert " ".join(record["claims"][-1].split()) in flat  # m shows them all
    assert told.count(f"target {PUMP}") == 2  # t shows it again
    assert "this is the first pair" in told
    for item in read_key(place):
        assert f"{item.cosine:.4f}" not in told
    for secret in ("stratum", "cosine", "jaccard"):
        assert secret not in told.lower()


@needs("openpyxl")
def test_a_session_works_from_the_sheet_alone(place: Path, tmp_path: Path) -> None:
    (place / "key.json").unlink()
    told = foreart("label", str(place / "sheet.xlsx"), "--rater", "bob", library=tmp_path / "none", typed="m\n5\n")
    assert told.exit_code == 0
    assert "the corpus has no claims of this document" in told.stdout
    assert "1 of 11 judged" in told.stdout


def filled(place: Path, scores: dict[str, str], path: Path) -> Path:
    with (place / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="cp1252", newline="", errors="replace") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows({**row, "score": scores.get(row["document"], "")} for row in reversed(rows))
    return path


@needs("openpyxl")
def test_filled_sheets_are_imported_compared_exported_and_read_back(place: Path, library: Path, tmp_path: Path) -> None:
    documents = [row.document for row in read_sheet(place)]
    sheet = filled(place, dict(zip(documents, "012345", strict=False)), tmp_path / "ann.csv")
    told = foreart("label", str(place), "--rater", "ann", "--import", str(sheet), library=library)
    assert told.stdout == "labels of ann: 6 new, 0 unchanged, 5 empty, 0 rejected\n"
    import openpyxl

    book = openpyxl.load_workbook(place / "sheet.xlsx")
    for row, score in zip(range(2, 8), (0, 1, 2, 3, 3, "x"), strict=True):
        book["Pairs"].cell(row, 7).value = score
    book.save(tmp_path / "bob.xlsx")
    told = foreart(
        "label", str(place), "--rater", "bob", "--import", str(tmp_path / "bob.xlsx"), "--json", library=library
    )
    assert json.loads(told.stdout)["new"] == 5
    assert "row 7: the score 'x' is not a whole number from 0 to 5" in told.stderr
    again = foreart(
        "label", str(place), "--rater", "bob", "--import", str(tmp_path / "bob.xlsx"), "--json", library=library
    )
    assert (json.loads(again.stdout)["new"], json.loads(again.stdout)["unchanged"]) == (0, 5)

    found = json.loads(foreart("label", str(place), "--agreement", "--json", library=library).stdout)
    assert found["judged"] == {"ann": 6, "bob": 5}
    (pair,) = found["pairs"]
    assert (pair["raters"], pair["common"], pair["equal"]) == (["ann", "bob"], 5, 0.8)
    # 0 1 2 3 4 and 0 1 2 3 3: 1 apart; every score with every other 9 + 6 + 5 + 6 + 11, squared 23 + 10 + 7 + 14 + 31.
    assert pair["linear"] == pytest.approx(1 - 5 * 1 / 37)
    assert pair["quadratic"] == pytest.approx(1 - 5 * 1 / 85)
    table = foreart("label", str(place), "--agreement", library=library).stdout
    assert "ann – bob" in table
    assert f"{pair['quadratic']:.3f}" in table

    out = foreart("label", str(place), "--export", "-", library=library)
    rows = list(csv.DictReader(io.StringIO(out.stdout)))
    assert len(rows) == 11
    assert [row["score"] for row in rows if row["rater"] == "bob" and row["document"] == documents[4]] == ["3"]
    assert foreart("label", str(place), "--export", str(tmp_path / "all.csv"), library=library).exit_code == 0
    assert (tmp_path / "all.csv").read_text(encoding="utf-8-sig") == out.stdout.replace("\r\n", "\n")

    judged = {item.document: item for item in read_judged(place)}
    assert judged[documents[4]].score == 3.5
    assert judged[documents[5]].score == 5
    assert len(judged) == 6
    assert read_judged(place, rater="bob")[0].cosine is not None


def test_what_is_missing_is_told(place: Path, library: Path) -> None:
    assert foreart("label", str(place), library=library).exit_code == 2
    nobody = foreart("label", str(place), "--agreement", library=library)
    assert nobody.exit_code == 1
    assert "has no judgements yet" in nobody.stderr
    foreart("label", str(place), "--rater", "ann", library=library, typed="1\n")
    alone = foreart("label", str(place), "--agreement", library=library)
    assert "only ann has judged pairs" in alone.stderr
    assert foreart("label", str(place), "--rater", "../x", library=library).exit_code == 1
