"""`foreart explain`, and `foreart chart --bridges`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commands import DRAFT, FIRST, SECOND, run


def test_reasons_are_told_written_and_given_to_programs(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "new" / "reasons.html"
    told = run("explain", DRAFT, FIRST, SECOND, "-l", folder, "--html", page).output
    assert FIRST in told
    assert SECOND in told
    assert "Score contributions" in told
    assert page.read_text("utf-8").count("<article") == 2
    record = json.loads(run("explain", DRAFT, FIRST, "-l", folder, "--json", "--words", 3).stdout)
    (document,) = record["documents"]
    found = json.loads(run("search", DRAFT, "-l", folder, "--json", "--no-passages").stdout)
    hit = next(hit for hit in found["hits"] if hit["id"] == FIRST)
    assert (document["rank"], document["score"], document["status"]) == (hit["rank"], hit["score"], hit["status"])
    assert document["rule"] == hit["rule"]
    assert {item["channel"]: item["contribution"] for item in document["channels"]} == pytest.approx(
        {part["channel"]: part["contribution"] for part in hit["parts"]}
    )
    assert all(len(item["words"]["shown"]) <= 3 for item in document["channels"] if item["words"])


def test_one_index_alone(folder: Path) -> None:
    record = json.loads(run("explain", DRAFT, FIRST, "-l", folder, "--index", "tfidf", "--json").stdout)
    assert record["ranking"] == {"fusion": "index", "name": "", "index": "tfidf", "learned": ""}
    (channel,) = record["documents"][0]["channels"]
    assert channel["channel"] == "tfidf"
    assert channel["contribution"] == record["documents"][0]["score"]


def test_what_cannot_be_done_is_one_sentence(folder: Path) -> None:
    assert "US1 is not in the corpus" in run("explain", DRAFT, "US1", "-l", folder, code=1).output
    assert "there is no index 'no'" in run("explain", DRAFT, FIRST, "-l", folder, "--index", "no", code=1).output
    assert "Missing argument" in run("explain", DRAFT, "-l", folder, code=2).output


def test_a_chart_takes_bridges(folder: Path) -> None:
    told = run("chart", DRAFT, FIRST, "-l", folder, "--bridges", code=1).output
    assert "`foreart build ppmi` makes them" in " ".join(told.split())
    run("build", "ppmi", "-l", folder)
    record = json.loads(run("chart", DRAFT, FIRST, "-l", folder, "--bridges", "--json").stdout)
    plain = json.loads(run("chart", DRAFT, FIRST, "-l", folder, "--json").stdout)
    assert plain["bridged"] is False
    for cell, other in zip(record["cells"], plain["cells"], strict=True):
        assert cell["coverage"] >= other["coverage"] - 1e-9
