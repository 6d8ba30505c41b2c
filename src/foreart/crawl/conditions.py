"""Which patents a crawl keeps, by publication date, class and search report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from foreart.corpus.selection import class_prefix
from foreart.crawl.candidate import Candidate
from foreart.document.patent import CATEGORIES, Category

Report = Literal["report", "examiner", "any", "off"]

# The citation categories that show that there is a search report. Helmers et al. 2019 require "the prior art cited by
# the examiner"; citations without a category count as such.
REPORTS: Mapping[Report, frozenset[Category]] = {
    "report": frozenset(("examiner", "unknown")),
    "examiner": frozenset(("examiner",)),
    "any": frozenset(CATEGORIES),
    "off": frozenset(),
}

EARLY, LATE, NO_DATE = "published too early", "published too late", "no publication date"
OTHER_CLASS, NO_CLASS = "other class", "no class"
OTHER_OFFICE, NO_REPORT = "other office", "no search report"


@dataclass(frozen=True, slots=True)
class CrawlConditions:
    """The conditions for keeping a patent. Empty ones are always met.

    Dates are ISO strings and inclusive: a year is its first day as `published_from`, its last as
    `published_to`. A class is a prefix of a CPC symbol, or of an IPC symbol where a patent has no CPC. `lenient` keeps
    patents whose date or class is missing.
    """

    classes: tuple[str, ...] = ()
    published_from: str = ""
    published_to: str = ""
    countries: tuple[str, ...] = ()
    report: Report = "report"
    lenient: bool = False

    def refuse(self, document: Candidate) -> str:
        """The reason not to keep a document; `""` if it is kept."""
        return (
            self._date(document.published) or self._office(document) or self._class(document) or self._report(document)
        )

    def _date(self, published: str) -> str:
        if not self.published_from and not self.published_to:
            return ""
        if not published:
            return "" if self.lenient else NO_DATE
        # `2000-05` is not certain to be before 2000-05-17, nor `2004` after it.
        if self.published_from and published + "~" < self.published_from:
            return EARLY
        if self.published_to and published >= self.published_to + "~":
            return LATE
        return ""

    def _office(self, document: Candidate) -> str:
        wanted = {country.upper() for country in self.countries}
        return OTHER_OFFICE if wanted and document.country not in wanted else ""

    def _class(self, document: Candidate) -> str:
        if not self.classes:
            return ""
        symbols = document.cpc or document.ipc
        if not symbols:
            return "" if self.lenient else NO_CLASS
        return "" if _any_in(symbols, self.classes) else OTHER_CLASS

    def _report(self, document: Candidate) -> str:
        wanted = REPORTS[self.report]
        return NO_REPORT if wanted and not wanted & document.citation_categories else ""


def _any_in(symbols: Iterable[str], prefixes: Iterable[str]) -> bool:
    wanted = tuple(class_prefix(prefix) for prefix in prefixes)
    return any(symbol.startswith(wanted) for symbol in symbols)
