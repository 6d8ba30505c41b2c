"""Dates as day numbers: the first and the last day of a date that is known to the day, month or year."""

from __future__ import annotations

from calendar import monthrange
from datetime import MAXYEAR, MINYEAR, date
from functools import lru_cache

# Before and after every day; far enough from the 32-bit limits that a margin can be added.
EARLIEST, LATEST = -(1 << 30), 1 << 30
# Days by which an estimated publication date may be wrong.
MARGIN = 21

Span = tuple[int, int]


@lru_cache(maxsize=65536)
def span(text: str) -> Span:
    """The first and the last day of an ISO date; `(EARLIEST, LATEST)` if it is unknown.

    >>> span("2014-03-10"), span("2014-02")
    ((735302, 735302), (735265, 735292))
    """
    try:
        year, month, day = (*map(int, text.split("-")), 0, 0)[:3]
        last = monthrange(year, month or 12)[1]
        return date(year, month or 1, day or 1).toordinal(), date(year, month or 12, day or last).toordinal()
    except ValueError:  # empty, or not a date
        return EARLIEST, LATEST


def day(text: str) -> int:
    """The first day of a date."""
    return span(text)[0]


def iso(ordinal: int) -> str:
    """The ISO date of a day number."""
    return date.fromordinal(ordinal).isoformat()


def months_later(ordinal: int, months: int) -> int:
    """The same day of the month `months` later (earlier if negative), or the last day of a shorter month.

    Beyond the years that dates have, the first or the last day there is.

    >>> iso(months_later(day("2012-02-29"), -12)), iso(months_later(day("2013-12-31"), 14))
    ('2011-02-28', '2015-02-28')
    """
    start = date.fromordinal(ordinal)
    year, month = divmod(12 * start.year + start.month - 1 + months, 12)
    if not MINYEAR <= year <= MAXYEAR:
        return (date.min if year < MINYEAR else date.max).toordinal()
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1])).toordinal()
