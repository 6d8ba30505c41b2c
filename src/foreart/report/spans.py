"""Years grouped into spans, so that a century fits on a page."""

from __future__ import annotations

from collections.abc import Mapping

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def grouped_years(years: Mapping[int, int], *, limit: int) -> tuple[int, dict[int, int]]:
    """At most `limit` spans of equal length: the years in each, and the count of each by its first year.

    >>> grouped_years({1999: 1, 2000: 2, 2001: 3}, limit=2)
    (2, {1998: 1, 2000: 5})
    """
    if not years:
        return 1, {}
    first, last = min(years), max(years)
    step = next((step for step in _STEPS if last // step - first // step < limit), _STEPS[-1])
    counts = dict.fromkeys(range(first - first % step, last + 1, step), 0)
    for year, count in years.items():
        counts[year - year % step] += count
    return step, counts
