"""Estimates the grant date of a US patent from its number."""

from __future__ import annotations

import datetime
from bisect import bisect_right

from foreart.identifiers.numbers import loose_number

# The first utility grant of each year, after the USPTO's table of issue years and numbers.
_FIRST_YEAR = 2001
_FIRST_NUMBERS = (
    6167569, 6334220, 6502244, 6671884, 6836899, 6981282, 7155746, 7313829, 7472428, 7640598, 7861317, 8087094,
    8341762, 8621662, 8925112, 9226437, 9532496, 9854721, 10165721, 10524402, 10881042, 11212952, 11540434, 11856571,
)  # fmt: skip
_TUESDAY = 1


def grant_date(identity: str) -> str:
    """The estimated Tuesday on which a utility patent was granted, within three weeks; `""` if unknown.

    >>> grant_date("US8888844")
    '2014-11-18'
    """
    number = loose_number(identity)
    if number.country != "US" or not number.number.isdigit():
        return ""
    index = bisect_right(_FIRST_NUMBERS, int(number.number)) - 1
    if not 0 <= index < len(_FIRST_NUMBERS) - 1:
        return ""
    first, after = _FIRST_NUMBERS[index], _FIRST_NUMBERS[index + 1]
    begin, end = _first_tuesday(_FIRST_YEAR + index), _first_tuesday(_FIRST_YEAR + index + 1)
    weeks = (end - begin).days // 7 * (int(number.number) - first) // (after - first)
    return (begin + datetime.timedelta(weeks=weeks)).isoformat()


def _first_tuesday(year: int) -> datetime.date:
    begin = datetime.date(year, 1, 1)
    return begin + datetime.timedelta(days=(_TUESDAY - begin.weekday()) % 7)
