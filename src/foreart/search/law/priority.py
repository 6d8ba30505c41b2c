"""Cut-off dates, regimes and statuses, and the dates of a document that decide its status."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal, get_args

from foreart.corpus.fronts import Front
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import BadRequest
from foreart.identifiers.date_spans import EARLIEST, MARGIN, Span, day, iso, months_later, span
from foreart.identifiers.dates import iso_date
from foreart.regimes import REGIMES, Regime

Status = Literal["prior art", "novelty only", "mentioned", "date unknown", "own family", "after the date"]
Office = Literal["", "EP", "WO", "US", "other"]

STATUSES: dict[Status, str] = {
    "prior art": "Published before the cut-off date: counts against novelty and inventive step.",
    "novelty only": (
        "Published on or after the cut-off date, with an earlier filing or priority date that counts: in Europe "
        "against novelty only (Art. 54(3), 56 EPC), in the US against novelty and obviousness (35 USC 102(a)(2), 103)."
    ),
    "mentioned": (
        "Named in an international search report, but not prior art in the international phase: published between the "
        "draft's priority and its filing (category P, PCT Rule 33.1(a)), which counts if the priority is not valid "
        "(Rule 64.1(b)); or of earlier date and published later (category E, Rules 33.1(c), 64.3, 70.10). It may be "
        "prior art under national laws."
    ),
    "date unknown": "The dates in the corpus do not decide it: kept in the list, to be checked.",
    "own family": (
        "Of the draft's own family, or the draft itself: listed separately. Its rule says whether it still counts."
    ),
    "after the date": "Published on or after the cut-off date, without an earlier date that counts: left out.",
}
OFFICES: tuple[Office, ...] = get_args(Office)
# Offices whose earlier applications count although they are published later, and whether designs do:
# 35 USC 102(a)(2) requires a patent issued under 151, which includes designs.
SECRET_PRIOR_ART: dict[Regime, tuple[frozenset[Office], bool]] = {
    "epc": (frozenset({"EP", "WO"}), False),
    "us": (frozenset({"US", "WO"}), True),
}
# Twelve months, and two more in which the right of priority can be restored (PCT Rules 26bis.3, 64.1(b)(iii)).
_PRIORITY_PERIOD = 14


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The effective date of the draft and where it comes from; `filed` is its filing date if known and not earlier."""

    date: str
    source: str
    filed: str = ""

    def search_limit(self, regime: Regime) -> int:
        """The first day that PCT Rule 33.1 excludes: the international filing date; under other laws the cut-off.

        `any` follows the PCT only within the priority period: a continuation is filed years after its first priority
        and is not an international application.
        """
        limit = day(self.date)
        filed = day(self.filed) if self.filed else limit
        follows = regime == "pct" or (regime == "any" and filed <= months_later(limit, _PRIORITY_PERIOD))
        return max(limit, filed) if follows else limit


@dataclass(frozen=True, slots=True)
class Dated:
    """The facts that decide the status of a document. Dates are ISO days, months or years, `""` if unknown."""

    published: str = ""
    filed: str = ""
    priority: str = ""
    country: str = ""
    kind: str = ""
    estimated: bool = False
    design: bool = False

    @property
    def office(self) -> Office:
        """The office, as far as the law distinguishes it; `""` for an id without a known office."""
        for office in OFFICES:
            if self.country == office:
                return office
        return "other"

    @property
    def effective_span(self) -> Span:
        """The range of the effective date: the earlier of priority and filing date.

        A priority known only by its year is not later than the filing. It may be more than a year earlier, in a chain
        of continuations or by restoration, so that its first day is not bounded.
        """
        priority, filed = span(self.priority), span(self.filed)
        if not self.priority or not self.filed:
            return priority if self.priority else filed
        return min(priority[0], filed[0]), min(priority[1], filed[1])

    @property
    def published_span(self) -> Span:
        """The range of the publication date: wider if estimated, and not before the filing date."""
        first, last = span(self.published)
        margin = MARGIN if self.estimated and first != EARLIEST else 0
        first, last = first - margin, last + margin
        filed = day(self.filed)
        return (max(first, filed) if filed <= last else first), last


def cutoff_of(draft: Draft, given: str = "", *, today: str = "") -> Cutoff:
    """The given date, else the draft's priority, else its filing, else today.

    If a draft names only a month or year, its last day is used: a cut-off too early would hide prior art.
    """
    date, source = _cutoff(draft, given, today)
    filed = _last_day(draft.filed)
    return Cutoff(date, source, filed if filed >= date else "")


def _cutoff(draft: Draft, given: str, today: str) -> tuple[str, str]:
    if given:
        date = iso_date(given)
        if len(date) != len("2014-03-10"):  # a mistyped month must not silently become a year
            raise BadRequest(f"{given!r} is not a day: write the cut-off as 2014-03-10")
        return date, "given"
    for name, date in (("priority", draft.priority), ("filing", draft.filed)):
        if last := _last_day(date):
            return last, f"{name} date named in the draft" + ("" if last == date else f", the last day of {date}")
    return today or datetime.date.today().isoformat(), "today, because the draft names no date"


def _last_day(date: str) -> str:
    first, last = span(date)
    return "" if first == EARLIEST else iso(last)


def regime_of(name: str) -> Regime:
    """The regime of that name."""
    for regime in REGIMES:
        if regime == name.lower():
            return regime
    raise BadRequest(f"{name!r} is not a regime; there are {', '.join(REGIMES)}")


def dated_of(document: Patent | Front, *, estimated: bool = False) -> Dated:
    """The facts that decide the status of a patent, or of its front page."""
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
    """Whether a document is a design, by its kind code (S of WIPO ST.16) or its document type."""
    return kind.startswith("S") or document_type == "design"
