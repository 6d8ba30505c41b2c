"""What may count against a draft, by its dates and its office, under the law of an office."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import Literal, get_args

from foreart.corpus.fronts import Front
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import BadRequest
from foreart.identifiers.date_spans import EARLIEST, MARGIN, Span, day, span
from foreart.identifiers.dates import iso_date

Status = Literal["prior art", "novelty only", "date unknown", "own family", "after the date"]
Regime = Literal["any", "epc", "us", "pct"]
Office = Literal["", "EP", "WO", "US", "other"]

STATUSES: dict[Status, str] = {
    "prior art": "Published before the cut-off date: counts against novelty and inventive step.",
    "novelty only": (
        "Published on or after the cut-off date, but with an earlier priority or filing date: as a rule it counts "
        "against novelty only (Art. 54(3) EPC; PCT Rules 33.1(c) and 64.3). In the US it counts against obviousness "
        "too (35 USC 102(a)(2), 103). The rule beside it says under which law."
    ),
    "date unknown": "What the corpus knows does not decide it: kept in the list, to be looked up.",
    "own family": "Of the draft's own family, or the draft itself: left out of the list and shown apart.",
    "after the date": "Published on or after the cut-off date, without an earlier date that counts: left out.",
}
REGIMES: dict[Regime, str] = {
    "any": "what counts under one of EPC, US law and PCT counts",
    "epc": "European Patent Convention: Art. 54(2) and (3), 89",
    "us": "35 USC 102(a)(1) and (2), 102(d); before 2013-03-16 the law before the America Invents Act",
    "pct": "international phase: PCT Rules 33.1 and 64",
}
OFFICES: tuple[Office, ...] = get_args(Office)
# Under each law, the offices whose earlier applications count though they are published later, and whether designs do.
# 35 USC 102(a)(2) asks for a patent issued under 151, which designs are; PCT Art. 2(i), (ii) knows no designs.
SECRET: dict[Regime, tuple[frozenset[Office], bool]] = {
    "epc": (frozenset({"EP", "WO"}), False),
    "us": (frozenset({"US", "WO"}), True),
    "pct": (frozenset(OFFICES), False),
}


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The date that divides, and in words where it comes from; `filed` is the draft's own filing if that is later.

    What is published between both counts after all if the priority is not rightly claimed.
    """

    date: str
    source: str
    filed: str = ""


@dataclass(frozen=True, slots=True)
class Dated:
    """What decides the status of a document. Dates are ISO texts, of a day, month or year, `""` if unknown."""

    published: str = ""
    filed: str = ""
    priority: str = ""
    country: str = ""
    kind: str = ""
    estimated: bool = False
    design: bool = False

    @property
    def effective(self) -> str:
        """The date from which it counts: priority, else filing."""
        return self.priority or self.filed

    @property
    def office(self) -> Office:
        """The office, as far as the law asks; `""` for a free id, whose office is not known."""
        for office in OFFICES:
            if self.country == office:
                return office
        return "other"


def cutoff_of(draft: Draft, given: str = "", *, today: str = "") -> Cutoff:
    """The date given, else the draft's priority, else its filing, else today."""
    found = _cutoff(draft, given, today)
    later = draft.filed and found.date < draft.filed
    return replace(found, filed=draft.filed) if later else found


def _cutoff(draft: Draft, given: str, today: str) -> Cutoff:
    if given:
        date = iso_date(given)
        if len(date) != len("2014-03-10"):  # a mistyped month must not quietly become a year
            raise BadRequest(f"{given!r} is not a day: write the cut-off as 2014-03-10")
        return Cutoff(date, "given")
    if draft.priority:
        return Cutoff(draft.priority, "priority date named in the draft")
    if draft.filed:
        return Cutoff(draft.filed, "filing date named in the draft")
    return Cutoff(today or datetime.date.today().isoformat(), "today, as the draft names no date")


def regime_of(name: str) -> Regime:
    """The regime of that name."""
    for regime in REGIMES:
        if regime == name.lower():
            return regime
    raise BadRequest(f"{name!r} is no regime; there are {', '.join(REGIMES)}")


def dated_of(document: Patent | Front, *, estimated: bool = False) -> Dated:
    """What decides the status of a patent, or of the front of one."""
    return Dated(
        document.published,
        document.filed,
        document.priority,
        document.country,
        document.kind,
        document.published_estimated if isinstance(document, Patent) else estimated,
        is_design(document.kind, document.document_type),
    )


def is_design(kind: str, document_type: str) -> bool:
    """Whether a document protects a shape: by its kind code (S of WIPO ST.16) or by what its source says."""
    return kind.startswith("S") or document_type == "design"


def published_span(document: Dated) -> Span:
    """The days on which a document may have been published: wider if estimated, and not before it was filed."""
    first, last = span(document.published)
    margin = MARGIN if document.estimated and first != EARLIEST else 0
    first, last = first - margin, last + margin
    filed = day(document.filed)
    return (max(first, filed) if filed <= last else first), last


def status_of(document: Dated, cutoff: str, regime: Regime = "any") -> Status:
    """How a document stands to the cut-off under a law; the same day is not before.

    >>> status_of(Dated("2014-09-11", "", "2013-03-11", "EP", "A1"), "2014-03-10", "epc")
    'novelty only'
    """
    limit = day(cutoff)
    first, last = published_span(document)
    if last < limit:
        return "prior art"
    effective_first, effective_last = span(document.effective)
    if effective_first >= limit:
        return "after the date"
    counts = counts_secretly(document, regime)
    if first >= limit and counts is False:
        return "after the date"
    if first >= limit and effective_last < limit and counts:
        return "novelty only"
    return "date unknown"


def counts_secretly(document: Dated, regime: Regime) -> bool | None:
    """Whether a document that is filed earlier and published later counts at all; None if its office is unknown."""
    if regime == "any":
        told = [counts_secretly(document, law) for law in SECRET]
        return any(told) or (None if None in told else False)
    offices, designs = SECRET[regime]
    if document.design and not designs:
        return False
    if document.office in offices:
        return True
    return None if not document.office else False


def status(published: str, effective: str, cutoff: str) -> Status:
    """How a document stands to the cut-off, whatever the office; `effective` is its priority, else its filing date.

    A date known only to the month or year decides where the whole month or year lies on one side.

    >>> status("2009-12-17", "2008-06-13", "2014-03-10"), status("2014-09-11", "2013-03-11", "2014-03-10")
    ('prior art', 'novelty only')
    """
    return status_of(Dated(published, priority=effective), cutoff)
