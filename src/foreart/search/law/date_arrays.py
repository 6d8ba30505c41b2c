"""The dates of all documents as arrays of days, and their statuses under a regime."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.identifiers.date_spans import EARLIEST, MARGIN, day, span
from foreart.regimes import Regime
from foreart.search.law.priority import OFFICES, SECRET_PRIOR_ART, STATUSES, Cutoff, Dated, Status

# A status is stored as its position here.
ORDER: tuple[Status, ...] = tuple(STATUSES)
_BY_STRENGTH: tuple[Status, ...] = ("after the date", "mentioned", "date unknown", "novelty only", "prior art")


@dataclass(frozen=True, slots=True, eq=False)
class DateArrays:
    """By row: first and last days (`date_spans.span`), the position of the office in `OFFICES`, and flags.

    `estimated` refers to the publication date.
    """

    published_first: np.ndarray  # int32
    published_last: np.ndarray
    filed_first: np.ndarray
    effective_first: np.ndarray
    effective_last: np.ndarray
    office: np.ndarray  # uint8
    design: np.ndarray  # bool
    estimated: np.ndarray  # bool

    @classmethod
    def of(cls, view: CorpusView) -> Self:
        """The arrays of all documents of a view."""
        codes = {office.encode(): code for code, office in enumerate(OFFICES)}
        offices = [codes.get(country, codes[b"other"]) for country in view.countries.values]
        days = view.lookups.days
        return cls(
            days.published_first,
            days.published_last,
            days.filed_first,
            days.effective_first,
            days.effective_last,
            np.array(offices, dtype=np.uint8)[view.countries.codes],
            view.kinds.mask(lambda kind: kind.startswith(b"S")) | view.types.mask(b"design".__eq__),
            view.estimated,
        )

    @classmethod
    def of_one(cls, document: Dated) -> Self:
        """The arrays of one document."""
        days = [*span(document.published), day(document.filed), *document.effective_span]
        others = [OFFICES.index(document.office), document.design, document.estimated]
        return cls(*(np.array([value]) for value in (*days, *others)))

    def __len__(self) -> int:
        return len(self.office)

    def published(self) -> tuple[np.ndarray, np.ndarray]:
        """First and last day of publication, as in `Dated.published_span`."""
        first, last = self.published_first, self.published_last
        estimated = self.estimated
        if estimated.any():
            margin = (estimated & (first != EARLIEST)).astype(np.int32) * np.int32(MARGIN)
            first, last = first - margin, last + margin
        return np.where(self.filed_first <= last, np.maximum(first, self.filed_first), first), last


def statuses(dates: DateArrays, cutoff: Cutoff, regime: Regime = "any") -> np.ndarray:
    """The status of every row by its position in `ORDER`; the day of the cut-off is not before it.

    `any` is the strongest status of the three laws, where `date unknown` is stronger than `mentioned`.
    """
    limit = day(cutoff.date)
    first, last = dates.published()
    late = first >= limit
    strength = (last < limit) * _strength("prior art")
    if regime in ("any", "pct"):
        until = cutoff.search_limit(regime)
        # PCT Rule 33.1(a), and (c) except for designs, which are not applications or patents in the sense of Art. 2.
        certain = late & ((last < until) | ((dates.effective_last < until) & ~dates.design))
        possible = (dates.effective_first < until) & ((first < until) | ~dates.design)
        law = np.where(certain, _strength("mentioned"), possible * _strength("date unknown"))
        np.maximum(strength, law, out=strength)
    if regime != "pct":
        counts, cannot = _secret_prior_art(dates, tuple(SECRET_PRIOR_ART) if regime == "any" else (regime,))
        possible = (dates.effective_first < limit) & ~(late & cannot)
        np.maximum(strength, possible * _strength("date unknown"), out=strength)
        certain = late & (dates.effective_last < limit) & counts
        np.maximum(strength, certain * _strength("novelty only"), out=strength)
    return np.array([ORDER.index(status) for status in _BY_STRENGTH], dtype=np.uint8)[strength]


def _strength(status: Status) -> np.uint8:
    return np.uint8(_BY_STRENGTH.index(status))


def status_of(document: Dated, cutoff: Cutoff, regime: Regime = "any") -> Status:
    """The status of one document.

    >>> status_of(Dated("2014-09-11", "", "2013-03-11", "EP", "A1"), Cutoff("2014-03-10", "given"), "epc")
    'novelty only'
    """
    return ORDER[int(statuses(DateArrays.of_one(document), cutoff, regime)[0])]


def earlier(dates: DateArrays, cutoff: Cutoff, regime: Regime = "any") -> np.ndarray:
    """Rows that are, or may be, earlier than the draft: by priority or filing, else by publication.

    A document without any date counts as earlier.
    """
    limit = cutoff.search_limit(regime)
    first, last = dates.published()
    ordering = np.where(dates.effective_first == EARLIEST, first, dates.effective_first)
    known: np.ndarray = (last < limit) | (ordering < limit)
    return known


def _secret_prior_art(dates: DateArrays, laws: Iterable[Regime]) -> tuple[np.ndarray, np.ndarray]:
    """Whether each row counts under one of some laws if filed earlier and published later; whether it cannot count.

    Neither is true if the office is unknown.
    """
    counts, cannot = np.zeros((2, len(OFFICES)), dtype=bool), np.ones((2, len(OFFICES)), dtype=bool)
    for law in laws:
        offices, designs = SECRET_PRIOR_ART[law]
        listed = np.array([[office in offices for office in OFFICES]] * 2)
        barred = np.array([[False] * len(OFFICES), [not designs] * len(OFFICES)])
        counts |= listed & ~barred
        cannot &= barred | (~listed & np.array([office != "" for office in OFFICES]))
    code = dates.office + np.uint8(len(OFFICES)) * dates.design
    return counts.ravel()[code], cannot.ravel()[code]
