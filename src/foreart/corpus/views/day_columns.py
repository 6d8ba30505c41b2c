"""The days of all documents, by row: when they were published and filed, and which date decides on prior art."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.identifiers.date_spans import EARLIEST, LATEST

UNDATED = 0  # the position of the empty date in a table of dates


@dataclass(frozen=True, slots=True, eq=False)
class DayColumns:
    """First and last days of dates (`date_spans.span`), since a date may be a month or a year.

    `effective` is the earlier of the priority and the filing date. `deciding` is the first day of that date, else of
    the publication date; `date_spans.EARLIEST` if a document has none. `typical` is one number: the median of these
    days, 0 if no document has a date.
    """

    published_first: np.ndarray  # int32
    published_last: np.ndarray
    filed_first: np.ndarray
    effective_first: np.ndarray
    effective_last: np.ndarray
    deciding: np.ndarray
    typical: np.ndarray

    @classmethod
    def of(cls, spans: np.ndarray, published: np.ndarray, filed: np.ndarray, priority: np.ndarray) -> DayColumns:
        """The days of dates that are given as positions in `spans`."""
        effective = []
        for bound in (spans[:, 0], spans[:, 1]):
            earlier = np.where(priority == UNDATED, bound[filed], bound[priority])
            both = (filed != UNDATED) & (priority != UNDATED)
            effective.append(np.where(both, np.minimum(bound[filed], earlier), earlier).astype(np.int32))
        firsts, lasts = (np.ascontiguousarray(spans[:, bound]) for bound in (0, 1))
        known = np.minimum(
            np.where(filed == UNDATED, LATEST, firsts[filed]), np.where(priority == UNDATED, LATEST, firsts[priority])
        )
        deciding = np.where(known == LATEST, firsts[published], known).astype(np.int32)
        return cls(
            firsts[published], lasts[published], firsts[filed], effective[0], effective[1], deciding, _median(deciding)
        )


def _median(days: np.ndarray) -> np.ndarray:
    known = days[days != EARLIEST]
    return np.array([int(np.median(known)) if len(known) else 0], dtype=np.int64)
