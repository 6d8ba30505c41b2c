"""Dates as days: the first and the last day that a date known to the day, month or year can mean."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from functools import lru_cache

# Before and behind every day; far enough to be widened without an overflow of 32 bits.
EARLIEST, LATEST = -(1 << 30), 1 << 30
# An estimated date of publication is right to three weeks.
MARGIN = 21

Span = tuple[int, int]


@lru_cache(maxsize=65536)
def span(text: str) -> Span:
    """The first and the last day of an ISO date; all days if it is unknown.

    >>> span("2014-03-10"), span("2014-02")
    ((735302, 735302), (735265, 735292))
    """
    try:
        year, month, day = (*map(int, text.split("-")), 0, 0)[:3]
        last = monthrange(year, month or 12)[1]
        return date(year, month or 1, day or 1).toordinal(), date(year, month or 12, day or last).toordinal()
    except ValueError:  # nothing, or what is no date
        return EARLIEST, LATEST


def day(text: str) -> int:
    """The first day of a date."""
    return span(text)[0]


def iso(number: int) -> str:
    """A day as an ISO date."""
    return date.fromordinal(number).isoformat()


def year_before(number: int) -> int:
    """The same day a year earlier; of 29 February, the 28th."""
    then = date.fromordinal(number)
    return date(then.year - 1, then.month, min(then.day, monthrange(then.year - 1, then.month)[1])).toordinal()
