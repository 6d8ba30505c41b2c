"""What may count against a draft, by its dates."""

from __future__ import annotations

import datetime
from calendar import monthrange
from dataclasses import dataclass
from typing import Literal

from foreart.dates import iso_date
from foreart.draft import Draft
from foreart.errors import ForeartError

Status = Literal["prior art", "novelty only", "after the date", "date unknown"]

STATUSES: dict[Status, str] = {
    "prior art": "Published before the cut-off date: counts against novelty and inventive step.",
    "novelty only": (
        "Published on or after the cut-off date, but with an earlier priority or filing date: as a rule it counts "
        "against novelty only (Art. 54(3) EPC; in the US see 35 U.S.C. 102(a)(2), where it may also count against "
        "obviousness). Whether it does depends on the office."
    ),
    "date unknown": "The dates in the corpus do not decide it: kept in the list, to be looked up.",
    "after the date": "Published and filed on or after the cut-off date: left out of the list.",
}


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The date that divides, and in words where it comes from."""

    date: str
    source: str


def cutoff_of(draft: Draft, given: str = "", *, today: str = "") -> Cutoff:
    """The date given, else the draft's priority, else its filing, else today."""
    if given:
        date = iso_date(given)
        if len(date) != len("2014-03-10"):  # a mistyped month must not quietly become a year
            raise ForeartError(f"{given!r} is not a day: write the cut-off as 2014-03-10")
        return Cutoff(date, "given")
    if draft.priority:
        return Cutoff(draft.priority, "priority date named in the draft")
    if draft.filed:
        return Cutoff(draft.filed, "filing date named in the draft")
    return Cutoff(today or datetime.date.today().isoformat(), "today, as the draft names no date")


def status(published: str, effective: str, cutoff: str) -> Status:
    """How a document stands to the cut-off; `effective` is its priority, else its filing date, `""` if unknown.

    A date known only to the month or year decides where the whole month or year lies on one side.

    >>> status("2009-12-17", "2008-06-13", "2014-03-10"), status("2014-09-11", "2013-03-11", "2014-03-10")
    ('prior art', 'novelty only')
    """
    limit = _span(cutoff)[0]
    first, last = _span(published)
    if last < limit:
        return "prior art"
    effective_first, effective_last = _span(effective)
    if effective_first >= limit:
        return "after the date"
    if first >= limit and effective_last < limit:
        return "novelty only"
    return "date unknown"


def _span(date: str) -> tuple[str, str]:
    """The first and the last day a date can mean; from the beginning to the end of time if it is unknown."""
    if not date:
        return "0000", "9999"
    if len(date) == 4:
        return f"{date}-01-01", f"{date}-12-31"
    if len(date) == 7:
        year, month = int(date[:4]), int(date[5:])
        return f"{date}-01", f"{date}-{monthrange(year, month)[1]:02d}"
    return date, date
