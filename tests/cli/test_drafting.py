"""`foreart draft`: what was understood, as a page, as JSON, as a sidecar."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import foreart
from foreart.cli.app import app
from foreart.corpus import Corpus
from foreart.document.patent import Claim, Paragraph, Patent

DRAFTS = Path(foreart.__file__).parent / "sample" / "drafts"


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["draft", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


def record(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def test_everything_is_in_the_record() -> None:
    found = record(DRAFTS / "interspinous-fusion.docx")
    assert found["title"] == "Interspinous fusion device with connecting bar and pivoting elongate fusion member"
    assert found["language"] == "en"
    assert found["dates"] == {"priority": "2014-03-10", "filed": None}
    assert [(item["name"], item["paragraphs"]) for item in found["sections"]] == [
        ("title", 1),
        ("field", 1),
        ("background", 4),
        ("summary", 3),
        ("drawings", 6),
        ("detailed", 8),
        ("claims", 8),
        ("abstract", 1),
    ]
    assert [claim["number"] for claim in found["claims"] if claim["independent"]] == [1, 8]
    first = found["claims"][0]
    assert [item["kind"] for item in first["elements"]] == ["preamble", *["element"] * 4, "wherein"]
    assert all(first["text"][item["start"] : item["end"]] == item["text"] for item in first["elements"])
    assert found["claims"][5]["parents"] == [1, 2, 3, 4, 5]
    assert {"numeral": "20", "name": "locking screw"}.items() <= next(
        item for item in found["numerals"] if item["numeral"] == "20"
    ).items()
    assert [item["figure"] for item in found["figures"]][:3] == ["1", "2", "3"]
    assert found["citations"] == []
    assert found["notes"] == []
    assert len(found["fingerprint"]) == 32


def test_the_page_shows_it_all() -> None:
    page = run(DRAFTS / "insulin-pump.txt")
    for word in (
        "2014-03-10",
        "from: label in the text",
        "background",
        "Elements of claim 1",
        "preamble",
        "Nothing doubtful",
    ):
        assert word in page


def test_cited_patents_and_doubts(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_text(
        "Pump\n\nRELATED APPLICATIONS\n\nThis claims the benefit of Ser. No. 10/123,456, filed May 4, 2004.\n\n"
        "BACKGROUND\n\n"
        "See US 5,123,456 and EP 1 234 567 B1.\n\nCLAIMS\n\n1. A pump.\n\n2. The pump of claim 7.\n",
        "utf-8",
    )
    found = record(tmp_path / "draft.txt")
    assert [(item["printed"], item["number"], item["section"]) for item in found["citations"]] == [
        ("5,123,456", "US5123456", "background"),
        ("1 234 567 B1", "EP1234567B1", "background"),
    ]
    assert [(item["number"], item["section"]) for item in found["applications"]] == [("US10/123456", "related")]
    assert found["notes"] == ["no abstract found", "claim 2 refers to claim 7, which does not exist"]
    assert "claim 2 refers to claim 7" in run(tmp_path / "draft.txt")


def test_write_makes_a_sidecar_that_is_used(tmp_path: Path) -> None:
    shutil.copy(DRAFTS / "insulin-pump.txt", tmp_path / "pump.txt")
    before = record(tmp_path / "pump.txt")
    result = CliRunner().invoke(app, ["draft", str(tmp_path / "pump.txt"), "--write", "--json"])
    assert result.exit_code == 0
    place = next(tmp_path.glob("pump.txt.foreart.*"))
    assert record(tmp_path / "pump.txt") == before
    text = place.read_text("utf-8")
    assert 'priority: "2014-03-10"' in text or '"priority": "2014-03-10"' in text
    place.write_text(text.replace("2014-03-10", "2013-01-02"), "utf-8")
    found = record(tmp_path / "pump.txt")
    assert (found["dates"]["priority"], found["grounds"]["priority"]) == ("2013-01-02", place.name)


def test_corrections_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"title": "Other"}', "utf-8")
    assert record(DRAFTS / "insulin-pump.txt", "--with", tmp_path / "c.json")["title"] == "Other"


def test_a_patent_of_the_corpus(tmp_path: Path) -> None:
    patent = Patent(
        "EP1234567A1",
        title="Pump",
        description=(Paragraph("BACKGROUND", is_heading=True), Paragraph("Pumps leak.")),
        claims=(Claim(1, "A pump comprising a seal; and a rotor."),),
        filed="2004-05-04",
    )
    for kind in ("", "B1"):
        with Corpus(tmp_path / "corpus.db", create=True) as corpus:
            corpus.add([patent if not kind else Patent(f"EP1234567{kind}", title="Pump")])
        if not kind:
            found = record("EP 1 234 567 A1", "--library", tmp_path)
            assert (found["title"], found["dates"]["filed"], found["source"]) == ("Pump", "2004-05-04", "EP1234567A1")
            assert [item["name"] for item in found["sections"]] == ["title", "background", "claims"]
    assert "matches EP1234567A1, EP1234567B1: name one" in run("EP1234567", "--library", tmp_path, code=1)
    assert "neither a file nor in the corpus" in run("EP7654321A1", "--library", tmp_path, code=1)


def test_what_is_no_file_and_no_number(tmp_path: Path) -> None:
    assert "no such file, and it is not a publication number" in run("draft.docx", code=1)
    assert "no corpus in which to look up the number" in run("EP1234567A1", "--library", tmp_path / "none", code=1)


def test_a_draft_leaves_no_trace_in_logs(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for file in sorted(DRAFTS.iterdir()):
            run(file)
    assert caplog.records == []


def test_the_people_of_a_cover_page_are_shown(tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(
        "Applicant: Acme Pumps GmbH\nInventors: Ann Lee; Max Ott\n\nPUMP\n\nBACKGROUND\n\nPumps leak.\n", "utf-8"
    )
    found = record(draft)
    assert (found["applicants"], found["inventors"]) == (["Acme Pumps GmbH"], ["Ann Lee", "Max Ott"])
    assert found["grounds"]["inventors"] == "label on the cover page"
    page = " ".join(run(draft).split())
    assert "applicants Acme Pumps GmbH from: label on the cover page inventors Ann Lee; Max Ott from:" in page
    draft.write_text("PUMP\n\nBACKGROUND\n\nPumps leak.\n", "utf-8")
    assert "applicants not found" in " ".join(run(draft).split())
