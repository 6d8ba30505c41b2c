"""`foreart paper`, typed as a researcher types it."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
QUICK = ("--only", "T5,T6,F2,f8", "--random", "10", "--json")


def foreart(*words: str, library: Path) -> Result:
    return CliRunner().invoke(app, [*words, "--library", str(library)], catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert foreart("add", str(SAMPLE / "patents.jsonl"), library=folder).exit_code == 0
    return folder


def test_it_writes_a_report_and_goes_on_from_what_is_finished(library: Path) -> None:
    result = foreart("paper", "--year", "2010", "--random-rule", "unrelated", *QUICK, library=library)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["computed"] == ["corpus", "cut", "tfidf:full", "tfidf:claims"]
    assert (found["pairs"]["targets"], found["pairs"]["cited"], found["pairs"]["random"]) == (3, 11, 30)
    assert len(found["tables"]["T5"]["rows"]) == 22
    page = Path(found["page"])
    assert page == library / "paper" / "report-T5-T6-F2-F8" / "report.html"
    command = f"foreart paper --library {library} --year 2010 --random 10 --random-rule unrelated --only F2"
    assert f"<code>{command}</code>" in page.read_text("utf-8")
    again = foreart("paper", "--year", "2010", "--random-rule", "unrelated", *QUICK, library=library)
    assert json.loads(again.stdout)["computed"] == []


def test_targets_and_pairs_of_files(library: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "some.qrels"
    cited = "XX20090748218A1"
    qrels.write_text(f"XX8246714B2 0 {cited} 1\n")
    found = json.loads(foreart("paper", "--qrels", str(qrels), *QUICK, library=library).stdout)
    assert (found["pairs"]["targets"], found["pairs"]["cited"]) == (1, 1)
    assert found["pairs"]["settings"]["rule"] == "uncited"
    pairs = tmp_path / "pairs.tsv"
    asked = ("--year", "2012", "--random", "9", "--random-rule", "unrelated", "--out", str(pairs), "--json")
    made = foreart("pairs", *asked, library=library)
    out = tmp_path / "out"
    of_pairs = foreart("paper", "--pairs", str(pairs), "--only", "F8", "--out", str(out), library=library)
    assert of_pairs.exit_code == 0
    assert f"report: {out}" in of_pairs.stdout.replace("\n", "")
    content = json.loads((out / "results.json").read_text("utf-8"))
    assert content["pairs"]["fingerprint"] == json.loads(made.stdout)["fingerprint"]


def test_dimensions_are_those_asked_for(library: Path, tmp_path: Path) -> None:
    found = json.loads(
        foreart("paper", "--year", "2010", "--random", "10", "--random-rule", "unrelated", "--dimensions", "4,2",
                "--without", "kpca,ppmi,word2vec,doc2vec,description", "--only", "X1", "--json", library=library).stdout
    )  # fmt: skip
    assert [row["Dimensions"] for row in found["tables"]["X1"]["rows"]] == ["2", "4", "–"]
    assert "AUC description" not in found["tables"]["X1"]["rows"][0]
    assert {name for name in found["computed"] if name != "cut"} == {"lsa:full", "lsa:abstract", "lsa:claims"}


def test_what_cannot_be_is_told(library: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "some.qrels"
    qrels.write_text("XX8246714B2 0 XX20090748218A1 1\n")
    both = foreart("paper", "--year", "2010", "--qrels", str(qrels), library=library)
    assert both.exit_code == 2
    assert "one of --year, --targets, --qrels and --pairs" in both.stderr
    unknown = foreart("paper", "--year", "2010", "--random", "10", "--only", "T9", library=library)
    assert unknown.exit_code == 1
    assert "no table or figure 'T9'" in unknown.stderr
    kept = foreart("paper", "--year", "2010", "--random", "10", "--random-rule", "unrelated", "--without", "bow",
                   library=library)  # fmt: skip
    assert kept.exit_code == 1
    assert "'bow' cannot be left out" in kept.stderr
    wide = foreart("paper", "--year", "2010", "--dimensions", "5,many", library=library)
    assert wide.exit_code == 2
    many = foreart("paper", "--year", "2010", library=library)
    assert many.exit_code == 1
    assert "--random" in many.stderr


def test_sheets_of_the_paper_are_read(library: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    rows = ["id\tcited\thuman\tcosine\tjaccard", "XX20090748218A1\t1\t5\t0,61\t0,4", "XX7648516B2\t0\t3\t0,50\t0,3"]
    rows += ["XX20040723182A1\t0\t0\t0,02\t0,01", "XX8419702B2\t1\t1\t0,20\t0,1"]
    (sheets / "XX8246714B2_human_eval.csv").write_text("\n".join(rows) + "\n", "utf-8")
    result = foreart("paper", "--year", "2010", "--random", "10", "--random-rule", "unrelated", "--labels", str(sheets),
                     "--only", "T2,T3,F3,F9", "--json", library=library)  # fmt: skip
    found = json.loads(result.stdout)
    relevant, irrelevant, *_ = found["tables"]["T2"]["rows"]
    assert (relevant["cited"], relevant["random"], irrelevant["cited"], irrelevant["random"]) == (1, 1, 1, 1)
    (first, *_) = found["figures"]["F3"]["data"]["panels"]
    assert (first["heading"], first["marked_id"]) == ("Target XX8246714B2", "XX7648516B2")
    assert len(found["figures"]["F9"]["data"]["panels"]) == 2
    assert found["tables"]["T3"]["rows"][1]["Spearman's ρ"] == pytest.approx(1.0)
