"""A person's grades: findings follow them, what was computed stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foreart.search.charting import OWN_COVERAGE, Cell, Chart, ChartRow, Reference, graded
from foreart.search.charting.combining import findings
from foreart.search.charting.coverage import grade
from foreart.search.law.priority import Cutoff, Status

COVERAGE = {"XX1A": (0.9, 0.5, 0.1), "XX2A": (0.4, 0.3, 0.2)}


def chart(second: Status = "prior art") -> Chart:
    rows = tuple(ChartRow(f"1.{place}", 1, "a lever", "element", (), 1 / 3) for place in range(3))
    statuses: dict[str, Status] = {"XX1A": "prior art", "XX2A": second}
    cells = tuple(
        tuple(Cell(row.label, number, held[place], grade(held[place]), (), (), ()) for number, held in COVERAGE.items())
        for place, row in enumerate(rows)
    )
    return Chart(
        rows=rows,
        references=tuple(
            Reference(number, "", "", "", statuses[number], "en", "", round(sum(held) / 3, 6))
            for number, held in COVERAGE.items()
        ),
        cells=cells,
        best=("XX1A", "XX1A", ""),
        findings=findings(rows, list(COVERAGE), np.array(list(COVERAGE.values())).T, statuses, "any"),
        notes=(),
        cutoff=Cutoff("2010-01-01", "given"),
        draft_title="", draft_source="", draft_fingerprint="", corpus_fingerprint="",
        documents=2, bridged=False, foreart="",
    )  # fmt: skip


def test_without_grades_nothing_changes() -> None:
    made = chart()
    assert graded(made, {}, "any") is made
    assert graded(made, {"9.9": {"XX1A": "disclosed"}, "1.0": {"XX9A": "disclosed"}}, "any") is made


def test_order_best_and_findings_follow_the_grades() -> None:
    made = chart()
    own = graded(
        made, {f"1.{place}": {"XX2A": name} for place, name in enumerate(("disclosed", "mostly", "hardly"))}, "any"
    )
    assert [reference.id for reference in own.references] == ["XX2A", "XX1A"]
    assert [reference.coverage for reference in own.references] == [0.7, 0.5]
    assert own.best == ("XX2A", "XX2A", "XX2A")
    (finding,) = own.findings
    assert finding.ranking == (("XX2A", 0.7), ("XX1A", 0.5))
    assert finding.undisclosed == ("1.2",)
    assert [(cell.judged, cell.grade, cell.coverage) for cell in own.cells[0]] == [
        ("disclosed", "hardly", 0.4), ("disclosed", "disclosed", 0.9)
    ]  # fmt: skip
    assert [cell.own_grade for cell in own.cells[0]] == ["disclosed", None]


def test_a_grade_of_not_found_takes_an_element_out() -> None:
    own = graded(chart(), {"1.0": {"XX1A": "not found"}}, "any")
    assert own.best[0] == "XX2A"
    assert dict(own.findings[0].ranking)["XX1A"] == pytest.approx(0.2)


def test_what_the_law_forbids_is_combined_with_no_grade() -> None:
    made = chart("novelty only")
    grades = {"1.2": {"XX2A": "disclosed"}}
    assert [step.reference for step in graded(made, grades, "any").findings[0].combination] == ["XX2A", "XX1A"]
    assert [step.reference for step in graded(made, grades, "epc").findings[0].combination] == ["XX1A"]


def test_each_grade_has_a_coverage_of_its_own_range() -> None:
    assert {name: grade(value) for name, value in OWN_COVERAGE.items()} == {name: name for name in OWN_COVERAGE}
    assert replace(chart().cells[0][0], own_grade="partly").judged == "partly"
