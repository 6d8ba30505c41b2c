"""The dates of all documents as arrays of days, and their statuses at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from foreart.identifiers.date_spans import EARLIEST, MARGIN, span
from foreart.search.law.priority import OFFICES, SECRET, STATUSES, Dated, Regime, Status

# A status is stored as its place here.
ORDER: tuple[Status, ...] = tuple(STATUSES)
UNTOLD = 2  # whether a date is estimated was not looked up


@dataclass(frozen=True, slots=True, eq=False)
class DateArrays:
    """By row: first and last days (`date_spans.span`), the place of the office in `OFFICES`, what else decides.

    `estimated` is 1 where the date of publication is estimated, 0 where not, `UNTOLD` where nobody looked.
    """

    published_first: np.ndarray  # int32
    published_last: np.ndarray
    filed_first: np.ndarray
    effective_first: np.ndarray
    effective_last: np.ndarray
    office: np.ndarray  # uint8
    design: np.ndarray  # bool
    estimated: np.ndarray  # uint8

    @classmethod
    def of(cls, documents: Iterable[Dated], *, told: bool = True) -> Self:
        """The arrays of documents in their order; `told` says that their `estimated` is known."""
        codes = {office: code for code, office in enumerate(OFFICES)}
        days, others = array("i"), array("B")
        for document in documents:  # none is kept: a million of them would keep the collector of garbage busy
            days.extend(span(document.published) + span(document.filed) + span(document.effective))
            others.extend((codes[document.office], document.design, document.estimated if told else UNTOLD))
        published, filed, effective = np.array(days, dtype=np.int32).reshape(-1, 3, 2).swapaxes(0, 1)
        office, design, estimated = np.array(others, dtype=np.uint8).reshape(-1, 3).T
        return cls(
            published[:, 0],
            published[:, 1],
            filed[:, 0],
            effective[:, 0],
            effective[:, 1],
            office,
            design.astype(bool),
            estimated,
        )

    def __len__(self) -> int:
        return len(self.office)

    def untold(self, limit: int) -> np.ndarray:
        """The rows for which it matters, and is not known, whether their date of publication is estimated."""
        near = (self.published_first - MARGIN < limit) & (self.published_last + MARGIN >= limit)
        return np.flatnonzero(near & (self.estimated == UNTOLD) & (self.published_first != EARLIEST))

    def told(self, rows: np.ndarray, estimated: Iterable[bool]) -> DateArrays:
        """The arrays with what was looked up for some rows."""
        flags = self.estimated.copy()
        flags[rows] = np.fromiter(estimated, dtype=np.uint8, count=len(rows))
        return replace(self, estimated=flags)

    def published(self) -> tuple[np.ndarray, np.ndarray]:
        """First and last day of publication, as `priority.published_span` has them."""
        margin = np.where((self.estimated == 1) & (self.published_first != EARLIEST), MARGIN, 0)
        first, last = self.published_first - margin, self.published_last + margin
        return np.where(self.filed_first <= last, np.maximum(first, self.filed_first), first), last


def statuses(dates: DateArrays, limit: int, regime: Regime = "any") -> np.ndarray:
    """The status of every row by its place in `ORDER`, as `priority.status_of` tells it of one."""
    first, last = dates.published()
    counts, cannot = _secretly(dates, regime)
    late = first >= limit
    found = np.full(len(dates), ORDER.index("date unknown"), dtype=np.uint8)
    found[late & (dates.effective_last < limit) & counts] = ORDER.index("novelty only")
    found[(late & cannot) | (dates.effective_first >= limit)] = ORDER.index("after the date")
    found[last < limit] = ORDER.index("prior art")
    return found


def earlier(dates: DateArrays, limit: int) -> np.ndarray:
    """Rows that are, or may be, earlier than a day under any law: published before it, or with a date before it."""
    known: np.ndarray = (dates.published()[1] < limit) | (dates.effective_first < limit)
    return known


def _secretly(dates: DateArrays, regime: Regime) -> tuple[np.ndarray, np.ndarray]:
    """Whether each row counts if it is filed earlier and published later, and whether it surely does not."""
    if regime == "any":
        told = [_secretly(dates, law) for law in SECRET]
        return np.logical_or.reduce([counts for counts, _ in told]), np.logical_and.reduce([no for _, no in told])
    offices, designs = SECRET[regime]
    shapes = dates.design & (not designs)
    listed = np.isin(dates.office, [code for code, office in enumerate(OFFICES) if office in offices])
    return listed & ~shapes, shapes | (~listed & (dates.office != OFFICES.index("")))
