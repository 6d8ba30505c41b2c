"""How much of an element a few sentences cover: its words weighted by rarity, in full where they are close together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.search.charting.claim_chart import Cell, Grade
from foreart.search.charting.element_terms import ElementTerm
from foreart.search.charting.reference_words import WordMatch

# Minimum coverage of each grade; docs/charts.md says how often real documents reach each.
GRADES: dict[Grade, float] = {"disclosed": 0.85, "mostly": 0.65, "partly": 0.45, "hardly": 0.25, "not found": 0.0}
# What a person's grade counts as in findings: all of the element, the middle of the range, or nothing.
OWN_COVERAGE: dict[Grade, float] = {"disclosed": 1.0, "mostly": 0.75, "partly": 0.55, "hardly": 0.35, "not found": 0.0}
# A word counts in full if one of its neighbours in the element is at most this many words away ...
NEAR = 8
# ... and otherwise with this factor.
ALONE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The terms of an element to find. `columns` are their positions among all terms of the chart, `shares` sum to 1.

    `neighbours` has for each term the positions, within the element, of the terms next to it.
    """

    columns: tuple[int, ...]
    shares: np.ndarray
    neighbours: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, terms: Sequence[ElementTerm], columns: dict[str, int]) -> Wanted:
        """The terms of an element, numbered as in the chart."""
        own = {term.stem: position for position, term in enumerate(terms)}
        weights = np.array([term.weight for term in terms])
        return cls(
            tuple(columns[term.stem] for term in terms),
            weights / weights.sum(),
            tuple(tuple(sorted(own[key] for key in term.neighbours)) for term in terms),
        )


def grade(coverage: float) -> Grade:
    """The grade of a coverage."""
    return next(name for name, threshold in GRADES.items() if coverage >= threshold)


def counted(cell: Cell) -> float:
    """The coverage of a cell that findings count: that of the person's grade if there is one."""
    return cell.coverage if cell.own_grade is None else OWN_COVERAGE[cell.own_grade]


def earned(wanted: Wanted, hits: Sequence[WordMatch]) -> tuple[np.ndarray, tuple[WordMatch | None, ...]]:
    """The credit of each term of an element for some hits, and the hit that earns it."""
    hits_by_term: list[list[WordMatch]] = [[] for _ in wanted.columns]
    own = {column: position for position, column in enumerate(wanted.columns)}
    for hit in hits:
        position = own.get(hit.term)
        if position is not None:
            hits_by_term[position].append(hit)
    credits = np.zeros(len(hits_by_term))
    best: list[WordMatch | None] = [None] * len(hits_by_term)
    for term, term_hits in enumerate(hits_by_term):
        others = [hit.number for other in wanted.neighbours[term] for hit in hits_by_term[other]]
        for hit in term_hits:
            near = not wanted.neighbours[term] or any(0 < abs(hit.number - number) <= NEAR for number in others)
            credit = hit.credit * (1.0 if near else ALONE)
            if credit > credits[term]:
                credits[term], best[term] = credit, hit
    return credits, tuple(best)
