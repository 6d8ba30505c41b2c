"""Parses dates as sources write them into ISO dates, which sort chronologically."""

from __future__ import annotations

import datetime
import re

_COMPACT = re.compile(r"^\s*(\d{4})(\d{2})(\d{2})\b")
_ISO = re.compile(r"^\s*(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN = {"m\u00e4r": "mar", "mrz": "mar", "mai": "may", "okt": "oct", "dez": "dec"}
_US_WORDS = re.compile(r"^\s*([A-Za-z\u00e4]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b")
_DAY_WORDS = re.compile(r"^\s*(\d{1,2})(?:st|nd|rd|th)?\.?\s+([A-Za-z\u00e4]{3})[a-z]*\.?,?\s+(\d{4})\b")
_US_NUMBERS = re.compile(r"^\s*(\d{1,2})/(\d{1,2})/(\d{4})\b")
_MONTH_YEAR = re.compile(r"^\s*([A-Za-z\u00e4]{3})[a-z]*\.?,?\s+(\d{4})\b")
_YEAR = re.compile(r"^\s*(\d{4})\s*$")


def iso_date(text: object) -> str:
    """`2007-11-20`, `1907-10` where only the month is known, `1907` for a year, `""` if it is not a date.

    >>> iso_date("19071000"), iso_date("Nov. 20, 2007"), iso_date("0")
    ('1907-10', '2007-11-20', '')
    """
    if text is None:
        return ""
    source = str(text)
    if match := _COMPACT.match(source) or _ISO.match(source):
        return _join(match[1], match[2], match[3])
    if match := _US_WORDS.match(source):
        return _join(match[3], _month(match[1]), match[2])
    if match := _DAY_WORDS.match(source):
        return _join(match[3], _month(match[2]), match[1])
    if match := _US_NUMBERS.match(source):
        return _join(match[3], match[1], match[2])
    if match := _MONTH_YEAR.match(source):
        return _join(match[2], _month(match[1]), None)
    match = _YEAR.match(source)
    return _join(match[1], None, None) if match else ""


def _month(word: str) -> str:
    lower = _GERMAN.get(word.lower(), word.lower())
    return str(_MONTHS.index(lower) + 1) if lower in _MONTHS else ""


def _join(year: str, month: str | None, day: str | None) -> str:
    """An ISO date as precise as is valid: an impossible day leaves the month, an impossible month the year."""
    if not 1700 <= int(year) <= 2200:
        return ""
    if not month or not 1 <= int(month) <= 12:
        return year
    if not day or int(day) == 0:
        return f"{year}-{int(month):02d}"
    try:
        return datetime.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return f"{year}-{int(month):02d}"
