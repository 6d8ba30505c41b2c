"""Numbers, dates, names, claims and places as the forms of the offices print them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foreart.identifiers.numbers import loose_number

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_LINES = re.compile(r"(\d+):(\d+)(?:-(\d+))?(.*)")
_PARAGRAPH = re.compile(r"\[[^\]]+\].*")
# Offices whose specifications have two columns to a page; an international application counts by pages.
_COLUMNS, _PAGES = ("US", "EP", "DE"), ("WO",)
NONE = "–"


def printed_number(text: str) -> str:
    """A publication number as printed, with country and kind code.

    >>> printed_number("US7585299B2"), printed_number("WO2007012345A1"), printed_number("US20110087291A1")
    ('US 7 585 299 B2', 'WO 2007/012345 A1', 'US 2011/0087291 A1')
    """
    number = loose_number(text)
    if not number.country:
        return number.number
    return " ".join(part for part in (number.country, _spaced(number.country, number.number), number.kind) if part)


def _spaced(country: str, body: str) -> str:
    if country in ("WO", "US") and re.fullmatch(r"(19|20)\d{2}\d{6,7}", body):
        return f"{body[:4]}/{body[4:]}"
    if country in ("US", "EP") and body.isdigit():
        return _thousands(body, " ")
    return body


def _thousands(digits: str, separator: str) -> str:
    return f"{int(digits):,}".replace(",", separator) if not digits.startswith("0") else _grouped(digits, separator)


def _grouped(digits: str, separator: str) -> str:
    """`0 123 456`: leading zeros of old European numbers are part of them."""
    head = len(digits) % 3
    groups = [digits[:head]] if head else []
    return separator.join([*groups, *(digits[start : start + 3] for start in range(head, len(digits), 3))])


def us_number(text: str) -> str:
    """A US number as PTO/SB/08a wants it, without country and kind code.

    >>> us_number("US7585299B2"), us_number("US20110087291A1"), us_number("USD512345S1")
    ('7,585,299', '2011/0087291', 'D512,345')
    """
    body = loose_number(text).number
    if is_us_publication(text):
        return f"{body[:4]}/{body[4:]}"
    series = re.fullmatch(r"([A-Z]*)(\d+)", body)
    return f"{series[1]}{int(series[2]):,}" if series else body


def is_us_publication(text: str) -> bool:
    """Whether a US number is that of a published application, not of a patent."""
    return re.fullmatch(r"20\d{2}\d{7}", loose_number(text).number) is not None


def st2(date: str) -> str:
    """A date in the extended form of WIPO ST.2, `2007-08-02`; the dash of an unknown one."""
    return date or NONE


def long_date(date: str) -> str:
    """A date as a citation prints it.

    >>> long_date("2007-08-02"), long_date("2007-08"), long_date("")
    ('2 August 2007 (2007-08-02)', 'August 2007 (2007-08)', 'date unknown')
    """
    parts = re.fullmatch(r"(\d{4})(?:-(0[1-9]|1[0-2]))?(?:-(\d{2}))?", date)
    if not parts:
        return date or "date unknown"
    words = [str(int(parts[3])) if parts[3] else "", _MONTHS[int(parts[2]) - 1] if parts[2] else "", parts[1]]
    text = " ".join(word for word in words if word)
    return text if text == date else f"{text} ({date})"


def printed_time(time: str) -> str:
    """A time of a record for people; a text that is none stays.

    >>> printed_time("2026-11-18T09:14:03+00:00"), printed_time("2026-11-18")
    ('2026-11-18 09:14 UTC', '2026-11-18')
    """
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::[\d.]+)?(Z|\+00:00)?", time)
    return f"{parts[1]} {parts[2]}{' UTC' if parts[3] else ''}" if parts else time


def us_date(date: str) -> str:
    """A date as US forms have it, as far as it is known.

    >>> us_date("2007-08-02"), us_date("2007-08"), us_date("2007"), us_date("")
    ('08-02-2007', '08-2007', '2007', '–')
    """
    year, _, rest = date.partition("-")
    return f"{rest}-{year}" if rest else year or NONE


def claim_numbers(numbers: Iterable[int]) -> str:
    """Claims as a form lists them.

    >>> claim_numbers((1, 2, 3, 5, 7, 8)), claim_numbers(())
    ('1-3, 5, 7, 8', '')
    """
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def place_text(label: str, country: str) -> str:
    """A place as a search report cites it.

    >>> place_text("[0045]", "EP"), place_text("3:27-43", "US"), place_text("claim 3", "EP")
    ('paragraph [0045]', 'column 3, line 27 - line 43', 'claim 3')
    """
    lines = _LINES.fullmatch(label)
    if lines:
        what = "column" if country in _COLUMNS else "page" if country in _PAGES else "column or page"
        until = f" - line {lines[3]}" if lines[3] else ""
        return f"{what} {lines[1]}, line {lines[2]}{until}{lines[4]}"
    return f"paragraph {label}" if _PARAGRAPH.fullmatch(label) else label


def passage_text(labels: Iterable[str], country: str) -> str:
    """Places between asterisks, as Form 1503 prints them; `""` without any."""
    places = list(dict.fromkeys(place_text(label, country) for label in labels))
    return f"* {'; '.join(places)} *" if places else ""


def holder(applicants: Iterable[str], inventors: Iterable[str]) -> str:
    """The applicants, else the inventors: the first, and `et al.` if there are more."""
    names = list(applicants) or list(inventors)
    return f"{names[0]} et al." if len(names) > 1 else names[0] if names else ""
