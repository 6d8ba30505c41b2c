"""`foreart chart` and `foreart verify` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from cli.commands import DRAFT, FIRST, SECOND, run
from extras import needs


@needs("openpyxl")
def test_all_forms_are_written_and_verified(folder: Path, tmp_path: Path) -> None:
    files = [tmp_path / "new" / f"chart.{kind}" for kind in ("csv", "xlsx", "html", "docx")]
    options = [part for path in files for part in (f"--{path.suffix[1:]}", path)]
    told = run("chart", DRAFT, FIRST, "XX20140257312", "US1234", "-l", folder, *options).output
    assert "US1234 is not in the corpus" in told
    assert "13 elements × 2 references" in told
    record = json.loads(run("chart", DRAFT, FIRST, SECOND, "-l", folder, "--json").stdout)
    (tmp_path / "chart.json").write_text(json.dumps(record), "utf-8")
    quotes = sum(len(cell["quotes"]) for cell in record["cells"])
    for path in (*files, tmp_path / "chart.json"):
        assert run("verify", path, "-l", folder).output == f"{quotes} quotes of 2 documents checked: all valid\n"


def test_what_does_not_hold_is_told_and_the_exit_code_says_so(folder: Path, tmp_path: Path) -> None:
    record = json.loads(run("chart", DRAFT, FIRST, "-l", folder, "--claim", 1, "--json").stdout)
    assert {row["claim"] for row in record["rows"]} == {1}
    quote = next(cell["quotes"][0] for cell in record["cells"] if cell["quotes"])
    quote["text"] = quote["text"].replace("e", "3", 1)
    (tmp_path / "chart.json").write_text(json.dumps(record), "utf-8")
    result = run("verify", tmp_path / "chart.json", "-l", folder, code=1)
    assert f"{FIRST} {quote['place']}" in " ".join(result.stderr.split())
    assert result.stdout.endswith(": 1 fault\n")
    told = json.loads(run("verify", tmp_path / "chart.json", "-l", folder, "--json", code=1).stdout)
    assert told["holds"] is False
    assert len(told["faults"]) == 1


def test_the_best_hits_are_taken_without_naming_them(folder: Path) -> None:
    record = json.loads(run("chart", DRAFT, "--top", 3, "-l", folder, "--json").stdout)
    assert len(record["references"]) == 3
    assert FIRST in {reference["id"] for reference in record["references"]}
    own = json.loads(run("chart", FIRST, "--top", 2, "-l", folder, "--quotes", 1, "--json").stdout)
    assert len(own["references"]) == 2
    assert FIRST not in {reference["id"] for reference in own["references"]}
    assert max(len(cell["quotes"]) for cell in own["cells"]) == 1


def test_dependent_claims_have_rows_of_their_own(folder: Path) -> None:
    record = json.loads(run("chart", DRAFT, FIRST, "--all-claims", "-l", folder, "--json").stdout)
    assert sorted({row["claim"] for row in record["rows"]}) == list(range(1, 9))


def test_wrong_usage_is_told_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    assert "name references" in run("chart", DRAFT, "-l", folder, code=2).output
    assert "exclude" in run("chart", DRAFT, FIRST, "--claim", 1, "--all-claims", "-l", folder, code=2).output
    assert "no claim 77" in run("chart", DRAFT, FIRST, "--claim", 77, "-l", folder, code=1).output
    assert "no such file" in run("chart", "nothing.docx", FIRST, "-l", folder, code=1).output
    assert "is not in the corpus" in run("chart", DRAFT, "US1234", "-l", folder, code=1).output
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    assert "a chart or report is .json" in run("verify", tmp_path / "notes.txt", "-l", folder, code=1).output
