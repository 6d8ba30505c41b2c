"""A chart with the grades of a person: what they say of a cell counts, what was computed stays beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from foreart.regimes import Regime
from foreart.search.charting.claim_chart import Chart, Grade
from foreart.search.charting.combining import best_of, closest_first, findings
from foreart.search.charting.coverage import counted

# A person's grades by the label of a row and the id of a reference.
OwnGrades = Mapping[str, Mapping[str, Grade]]


def graded(chart: Chart, own_grades: OwnGrades, regime: Regime) -> Chart:
    """The chart with a person's grades; order, best references and findings are computed from what counts."""
    cells = [
        [replace(cell, own_grade=own_grades.get(cell.row, {}).get(cell.reference)) for cell in row]
        for row in chart.cells
    ]
    if all(cell.own_grade is None for row in cells for cell in row):
        return chart
    ids = [reference.id for reference in chart.references]
    coverage = np.array([[counted(cell) for cell in row] for row in cells])
    order = closest_first(chart.rows, ids, coverage)
    columns = [ids.index(number) for number, _ in order]
    references = [chart.references[column] for column in columns]
    ordered = tuple(tuple(row[column] for column in columns) for row in cells)
    statuses = {reference.id: reference.status for reference in references}
    return replace(
        chart,
        references=tuple(
            replace(reference, coverage=total) for reference, (_, total) in zip(references, order, strict=True)
        ),
        cells=ordered,
        best=tuple(map(best_of, ordered)),
        findings=findings(chart.rows, [number for number, _ in order], coverage[:, columns], statuses, regime),
    )
