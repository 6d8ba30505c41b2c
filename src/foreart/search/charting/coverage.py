"""How much of an element a few sentences have: its words by their rarity, in full where they stand together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.search.charting.claim_chart import Grade
from foreart.search.charting.element_terms import ElementTerm
from foreart.search.charting.reference_words import WordMatch

# Least coverage of each grade; see docs/charts.md for how often each is reached by real documents.
GRADES: dict[Grade, float] = {"disclosed": 0.85, "mostly": 0.65, "partly": 0.45, "hardly": 0.25, "not found": 0.0}
# A word counts in full where one of those it stands beside in the element is at most so many words away ...
NEAR = 8
# ... and else for this part.
ALONE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """An element as it is looked for. `columns` are its terms' places among all terms of the chart, `shares` sum to 1.

    `beside` has for each term the places (among the element's own) of those that stand beside it.
    """

    columns: tuple[int, ...]
    shares: np.ndarray
    beside: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, terms: Sequence[ElementTerm], columns: dict[str, int]) -> Wanted:
        """The terms of an element, numbered as in the chart."""
        own = {term.stem: place for place, term in enumerate(terms)}
        weights = np.array([term.weight for term in terms])
        return cls(
            tuple(columns[term.stem] for term in terms),
            weights / weights.sum(),
            tuple(tuple(sorted(own[key] for key in term.beside)) for term in terms),
        )


def grade(coverage: float) -> Grade:
    """The coverage in words."""
    return next(name for name, least in GRADES.items() if coverage >= least)


def earned(wanted: Wanted, hits: Sequence[WordMatch]) -> tuple[np.ndarray, tuple[WordMatch | None, ...]]:
    """What each term of an element earns by some hits, and the hit that earns it."""
    places: list[list[WordMatch]] = [[] for _ in wanted.columns]
    own = {column: place for place, column in enumerate(wanted.columns)}
    for hit in hits:
        place = own.get(hit.term)
        if place is not None:
            places[place].append(hit)
    credits = np.zeros(len(places))
    best: list[WordMatch | None] = [None] * len(places)
    for term, found in enumerate(places):
        others = [hit.number for other in wanted.beside[term] for hit in places[other]]
        for hit in found:
            near = not wanted.beside[term] or any(0 < abs(hit.number - number) <= NEAR for number in others)
            credit = hit.credit * (1.0 if near else ALONE)
            if credit > credits[term]:
                credits[term], best[term] = credit, hit
    return credits, tuple(best)
