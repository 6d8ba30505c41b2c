"""The stated priority and filing dates of a draft, and where they were found."""

from __future__ import annotations

import re

from foreart.identifiers.dates import iso_date

_DATE = r"(?=\d|[A-Z])"
_PRIORITY = re.compile(
    rf"(?:priority\s+date|date\s+of\s+priority|prioritätsdatum|prioritätstag)\s*+(?:is|ist|:|,)?\s*+(?:the\s+)?{_DATE}"
    rf"|(?:priority|priorität)\s*+:\s*+(?:[A-Z]{{2}}\s[\d\s/.,]{{6,20}}?\s+(?:of|vom|,)\s+)?{_DATE}",
    re.IGNORECASE,
)
_CLAIMED = re.compile(
    r"(?:claims?\s+(?:the\s+)?(?:\w+\s+){0,3}?(?:benefit|priority)\b|\bpriority\s+(?:is\s+)?(?:claimed|to|from|of"
    r"|under)\b|beansprucht\s+die\s+priorität"
    r"|\bbenefit\s+(?:is\s+claimed\s+)?(?:of|under)\b|\b(?:continuation(?:[-\s]in[-\s]part)?"
    r"|division(?:al)?)\s+(?:application\s+)?of\b|\bnational\s+(?:stage|phase)\b)"
    r"[^\n]{0,400}?\b(?:filed|dated|of|vom|on)\s+(?:on\s+|in\s+\w+\s+on\s+)?(?=\d{1,2}\.?\s+[A-ZÄ]"
    r"|[A-Z][a-zä]{2,8}\.?\s+\d{1,2},|\d{1,2}[./]\d|\d{4}-\d\d)",
    re.IGNORECASE | re.DOTALL,
)
_ALSO_FILED = re.compile(
    r"\bfiled\s+(?:on\s+)?(?=\d{1,2}\.?\s+[A-ZÄ][a-z]|[A-Z][a-z]{2,8}\.?\s+\d{1,2},|\d{1,2}[./]\d|\d{4}-\d\d)",
    re.IGNORECASE,
)
_FILED = re.compile(
    rf"(?:filing\s+date|date\s+of\s+filing|anmeldetag|anmeldedatum)\s*+(?:is|ist|:|,)?\s*+{_DATE}|\b(?:filed(?:\s+on)?"
    rf"|eingereicht(?:\s+am)?)\s*:\s*",
    re.IGNORECASE,
)
_IN_PART = re.compile(r"continuation[-\s]in[-\s]part", re.IGNORECASE)
_REACH, _LONGEST_DATE = 1500, 40  # characters after a priority claim that may list applications, and of a date
_GERMAN_DATE = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")


def priority_of(text: str) -> tuple[str, str]:
    """The priority date and where it was found: in a label, or as that of the earliest application claimed."""
    labelled = _first(_PRIORITY, text)
    if labelled:
        return labelled, "label in the text"
    claimed = sorted(date for date in _claimed_dates(text) if date)
    if not claimed:
        return "", ""
    part = ", one a continuation in part: what is new in it counts from its own filing" if _IN_PART.search(text) else ""
    return claimed[0], f"earliest application whose priority or benefit the text claims{part}"


def filing_of(text: str) -> tuple[str, str]:
    """The filing date and where it was found."""
    labelled = _first(_FILED, text)
    return (labelled, "label in the text") if labelled else ("", "")


def _claimed_dates(text: str) -> list[str]:
    """Dates in a chain of applications: the first after the claim, and every `filed` in the same paragraph after it."""
    dates: list[str] = []
    searched = 0
    for found in _CLAIMED.finditer(text):
        dates.append(_read(text, found.end()))
        end = found.end() + _REACH
        line_end = text.find("\n", found.end(), end)
        end = line_end if line_end >= 0 else end
        # What was searched for an earlier priority claim is not searched again, except for a `filed` across its end.
        start = max(found.end(), searched - _LONGEST_DATE)
        dates += [_read(text, other.end(), end) for other in _ALSO_FILED.finditer(text, start, end)]
        searched = end
    return dates


def _first(label: re.Pattern[str], text: str) -> str:
    """The first date after a label."""
    dates = (_read(text, found.end()) for found in label.finditer(text))
    return next((date for date in dates if date), "")


def _read(text: str, start: int, end: int | None = None) -> str:
    head = text[start : start + _LONGEST_DATE][: None if end is None else max(0, end - start)].split("\n")[0]
    german = _GERMAN_DATE.match(head)
    if german:
        return iso_date(f"{german[3]}-{german[2]}-{german[1]}")
    return iso_date(head)
