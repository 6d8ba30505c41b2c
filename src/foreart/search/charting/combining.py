"""Findings of a chart: the closest reference, the best combination, and elements that no reference discloses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from foreart.regimes import Regime
from foreart.search.charting.claim_chart import Cell, ChartFinding, ChartRow, CombinationStep, Rise
from foreart.search.charting.coverage import GRADES, counted
from foreart.search.law.priority import Status

MAX_REFERENCES = 3  # of a combination
_NEVER: tuple[Status, ...] = ("after the date", "own family")
# Art. 56 EPC: a document under Art. 54(3) is not considered in deciding whether there has been an inventive step.
_NOT_COMBINED: tuple[Regime, ...] = ("epc",)
_MIN_GAIN = 0.01  # in coverage of all rows, for another reference
_MIN_RISE = 0.05  # in coverage of a row, to be listed


def findings(
    rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray, statuses: Mapping[str, Status], regime: Regime
) -> tuple[ChartFinding, ...]:
    """The findings of all rows (claim 0), then of each claim if there are several; `coverage` is rows by references.

    References after the date are ignored, unless there are no others. "Novelty only" references are not combined where
    the law does not allow it, "mentioned" ones never.
    """
    counting = [column for column, number in enumerate(ids) if statuses[number] not in _NEVER] or list(range(len(ids)))
    named, cells = [ids[column] for column in counting], coverage[:, counting]
    excluded = {"mentioned", "novelty only"} if regime in _NOT_COMBINED else {"mentioned"}
    not_combined = {number for number in named if statuses[number] in excluded}
    claims = list(dict.fromkeys(row.claim for row in rows))
    scopes = [(0, list(range(len(rows))))]
    if len(claims) > 1:
        scopes += [(claim, [position for position, row in enumerate(rows) if row.claim == claim]) for claim in claims]
    return tuple(
        _finding(claim, [rows[position] for position in positions], named, cells[positions], not_combined)
        for claim, positions in scopes
    )


def closest_first(rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray) -> list[tuple[str, float]]:
    """The coverage of all rows by each reference, rows weighted by the rarity of their words; ties by id."""
    weights = np.array([row.weight for row in rows])
    totals = np.round(weights @ coverage / weights.sum(), 6).tolist()
    return sorted(zip(ids, totals, strict=True), key=lambda pair: (-pair[1], pair[0]))


def best_of(cells: Sequence[Cell]) -> str:
    """The reference that covers a row best, `""` if none does; of equals the first, so give the closest first."""
    top = max(cells, key=lambda cell: round(counted(cell), 9))
    return top.reference if counted(top) >= GRADES["hardly"] else ""


def _finding(
    claim: int, rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray, not_combined: Collection[str]
) -> ChartFinding:
    ranking = closest_first(rows, ids, coverage)
    together = [number for number, _ in ranking if number not in not_combined]
    best = coverage.max(axis=1, initial=0.0)
    return ChartFinding(
        claim=claim,
        ranking=tuple(ranking),
        combination=tuple(_combination(rows, ids, coverage, together)),
        undisclosed=tuple(row.label for row, top in zip(rows, best.tolist(), strict=True) if top < GRADES["partly"]),
    )


def _combination(
    rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray, order: Sequence[str]
) -> list[CombinationStep]:
    """Greedy: starts with the closest reference, then adds the one with the largest gain while it is large enough."""
    weights = np.array([row.weight for row in rows])
    weights = weights / weights.sum()
    columns = {number: column for column, number in enumerate(ids)}
    covered = np.zeros(len(rows))
    steps: list[CombinationStep] = []
    while len(steps) < min(MAX_REFERENCES, len(order)):
        remaining = [number for number in order if number not in {step.reference for step in steps}]
        gains = [float(weights @ np.maximum(coverage[:, columns[number]] - covered, 0.0)) for number in remaining]
        best = max(range(len(remaining)), key=lambda index: (round(gains[index], 9), -index))
        if gains[best] < _MIN_GAIN:
            break
        after = np.maximum(covered, coverage[:, columns[remaining[best]]])
        rises = [
            Rise(row.label, float(old), float(new))
            for row, old, new in zip(rows, covered, after, strict=True)
            if new - old >= _MIN_RISE
        ]
        steps.append(
            CombinationStep(remaining[best], round(float(weights @ after), 6), round(gains[best], 6), tuple(rises))
        )
        covered = after
    return steps
