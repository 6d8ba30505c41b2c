"""The paper's numbers, as printed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from foreart.paper.experiments.published_values import NORMS, T1, T2, T2_PRECISION, T2_RECALL, T3, T4, WEIGHTINGS, t7

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT.parent / "shared" / "paper" / "table7.csv"
RESULTS = ROOT / "benchmarks" / "results" / "paper"
_ALL, _BY_FIELD = "results.json", "random_documents.json"


def test_table_seven_has_all_its_cells_and_some_of_them_by_value() -> None:
    cells = t7()
    assert len(cells) == 160
    measures = {measure for measure, _, _ in cells}
    assert len(measures) == 20
    assert set(cells) == {(measure, norm, name) for measure in measures for norm in NORMS for name in WEIGHTINGS}
    assert cells["linear", "length", "tf-idf"] == 0.9560
    assert cells["kulczynski", "length", "tf-idf"] == 0.9574
    assert cells["sigmoidal", "max", "0/1"] == 0.5
    assert cells["chi2", "max", "0/1-idf"] == 0.5543
    assert cells["polynomial", "length", "tf-idf"] == 0.9480


@pytest.mark.skipif(not TABLE.exists(), reason=f"the paper's big table is not beside the project ({TABLE})")
def test_table_seven_is_that_of_the_paper() -> None:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    theirs = [float(row[weighting]) for row in rows for weighting in WEIGHTINGS]
    assert theirs == list(t7().values())
    assert [row["normalization"] for row in rows for _ in WEIGHTINGS] == [norm for _, norm, _ in t7()]


def test_the_small_tables_agree_with_each_other() -> None:
    assert len(T1) == 15
    assert all(T4[name]["auc", "full"] == T1[name, "full"] for name in T4)
    assert sum(T2.values()) == 450
    assert round(T2["relevant", "cited"] / (T2["relevant", "cited"] + T2["relevant", "random"]), 2) == T2_RECALL
    assert round(T2["relevant", "cited"] / (T2["relevant", "cited"] + T2["irrelevant", "cited"]), 2) == T2_PRECISION
    assert list(T3.values()) == [0.501, 0.652, 0.592]


def test_the_page_about_the_paper_is_of_the_committed_results() -> None:
    """The figures of a page and of two files must not be of different corpora."""
    results, by_field = (json.loads((RESULTS / name).read_text("utf-8")) for name in (_ALL, _BY_FIELD))
    page = (ROOT / "docs" / "PAPER-RESULTS.md").read_text("utf-8")
    corpus, pairs = results["corpus"]["fingerprint"], results["pairs"]["fingerprint"]
    assert (by_field["corpus"], by_field["pairs"]) == (corpus, pairs)
    assert f"(fingerprint `{corpus[:12]}…`)" in " ".join(page.split())
    assert f"`{pairs[:12]}…`" in page
    for row in results["tables"]["T1"]["rows"]:
        for section in ("full text", "abstract", "claims", "description"):
            for metric in ("AUC", "AP"):
                value = row[f"{metric} {section}"]
                assert value is None or f"{value:.4f}".removeprefix("0") in page, (row["Features"], metric, section)
