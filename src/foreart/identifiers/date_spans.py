"""Dates as days: the first and the last day that a date known to the day, month or year can mean."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from functools import lru_cache

# Before and after every day; far enough from the limits of 32 bits for a margin to be added.
EARLIEST, LATEST = -(1 << 30), 1 << 30
# Days by which an estimated date of publication may be wrong.
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


def months_later(number: int, months: int) -> int:
    """The same day some months later, or earlier if negative; the last day of a month that is too short.

    >>> iso(months_later(day("2012-02-29"), -12)), iso(months_later(day("2013-12-31"), 14))
    ('2011-02-28', '2015-02-28')
    """
    then = date.fromordinal(number)
    year, month = divmod(12 * then.year + then.month - 1 + months, 12)
    return date(year, month + 1, min(then.day, monthrange(year, month + 1)[1])).toordinal()
