"""What the cells of a chart say together: the closest reference, the best combination, what nobody discloses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from foreart.search.charting.claim_chart import ChartFinding, ChartRow, CombinationStep, Rise
from foreart.search.charting.coverage import GRADES
from foreart.search.law.priority import Regime, Status

MOST = 3  # references of a combination
_NEVER: tuple[Status, ...] = ("after the date", "own family")
# Art. 56 EPC: a document under Art. 54(3) is not considered in deciding whether there has been an inventive step.
_NOT_COMBINED: tuple[Regime, ...] = ("epc",)
_LEAST = 0.01  # what another reference must add to all
_RISE = 0.05  # a row that rises less is not worth naming


def findings(
    rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray, statuses: Mapping[str, Status], regime: Regime
) -> tuple[ChartFinding, ...]:
    """The findings of all rows (claim 0), then of each claim if there are several; `coverage` is rows by references.

    References after the date do not count, unless there are no others. Those that count for novelty only are not
    combined where the law does not allow it, those that are only mentioned never.
    """
    counting = [place for place, number in enumerate(ids) if statuses[number] not in _NEVER] or list(range(len(ids)))
    named, cells = [ids[place] for place in counting], coverage[:, counting]
    apart = {"mentioned", "novelty only"} if regime in _NOT_COMBINED else {"mentioned"}
    alone = {number for number in named if statuses[number] in apart}
    claims = list(dict.fromkeys(row.claim for row in rows))
    scopes = [(0, list(range(len(rows))))]
    if len(claims) > 1:
        scopes += [(claim, [place for place, row in enumerate(rows) if row.claim == claim]) for claim in claims]
    return tuple(
        _finding(claim, [rows[place] for place in places], named, cells[places], alone) for claim, places in scopes
    )


def closest_first(rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray) -> list[tuple[str, float]]:
    """The coverage of all rows by each reference, each row by the rarity of its words; equal ones by id."""
    weights = np.array([row.weight for row in rows])
    totals = np.round(weights @ coverage / weights.sum(), 6).tolist()
    return sorted(zip(ids, totals, strict=True), key=lambda pair: (-pair[1], pair[0]))


def _finding(
    claim: int, rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray, alone: Collection[str]
) -> ChartFinding:
    ranking = closest_first(rows, ids, coverage)
    together = [number for number, _ in ranking if number not in alone]
    best = coverage.max(axis=1, initial=0.0)
    return ChartFinding(
        claim=claim,
        ranking=tuple(ranking),
        combination=tuple(_combination(rows, ids, coverage, together)),
        undisclosed=tuple(row.label for row, most in zip(rows, best.tolist(), strict=True) if most < GRADES["partly"]),
    )


def _combination(
    rows: Sequence[ChartRow], ids: Sequence[str], coverage: np.ndarray, order: Sequence[str]
) -> list[CombinationStep]:
    """Begins with the closest reference; then always the one that adds most to all rows, while it adds something."""
    weights = np.array([row.weight for row in rows])
    weights = weights / weights.sum()
    columns = {number: column for column, number in enumerate(ids)}
    have = np.zeros(len(rows))
    steps: list[CombinationStep] = []
    while len(steps) < min(MOST, len(order)):
        left = [number for number in order if number not in {step.reference for step in steps}]
        gains = [float(weights @ np.maximum(coverage[:, columns[number]] - have, 0.0)) for number in left]
        place = max(range(len(left)), key=lambda place: (round(gains[place], 9), -place))
        if gains[place] < _LEAST:
            break
        after = np.maximum(have, coverage[:, columns[left[place]]])
        rises = [
            Rise(row.label, float(old), float(new))
            for row, old, new in zip(rows, have, after, strict=True)
            if new - old >= _RISE
        ]
        steps.append(
            CombinationStep(left[place], round(float(weights @ after), 6), round(gains[place], 6), tuple(rises))
        )
        have = after
    return steps
