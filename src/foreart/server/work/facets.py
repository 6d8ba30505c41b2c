"""Facets: how the documents that may be hits divide by year, office, class and so on, before any ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.views import CorpusView
from foreart.corpus.views.facet_columns import FacetColumns
from foreart.corpus.views.view_columns import Coded
from foreart.identifiers.cpc_titles import title
from foreart.index.storage.snapshot import Snapshot
from foreart.search.law.date_arrays import ORDER, DateArrays, statuses
from foreart.search.law.priority import STATUSES, cutoff_of
from foreart.search.ranker import Ranker
from foreart.search.request import SearchRequest
from foreart.search.retrieval import compared_rows, searched_corpus, with_numbers
from foreart.search.scope import known_before

LIMIT = 60


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value and how many documents have it."""

    value: str
    count: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class Facets:
    """The documents that may be hits by status, and the values of those that are not excluded by date.

    `documents` pass the filters, and `admissible` of them can count against the draft. `removed` and `unknown` are
    those of a search.
    """

    documents: int
    admissible: int
    statuses: tuple[FacetValue, ...]
    years: tuple[FacetValue, ...]
    countries: tuple[FacetValue, ...]
    languages: tuple[FacetValue, ...]
    depths: tuple[FacetValue, ...]
    subclasses: tuple[FacetValue, ...]
    groups: tuple[FacetValue, ...]
    applicants: tuple[FacetValue, ...]
    removed: dict[str, int]
    unknown: dict[str, int]


def facets(
    request: SearchRequest,
    ranker: Ranker,
    corpus: Corpus,
    columns: Callable[[], FacetColumns],
    *,
    postings: Snapshot | None = None,
) -> Facets:
    """Counts the documents that a search would rank; `columns` are those of the corpus, read when needed.

    A document that was replaced since it was indexed counts without classes and applicants.
    """
    indexed = searched_corpus(corpus, ranker)
    request = with_numbers(request, corpus)
    view = ranker.view
    remaining = compared_rows(request, ranker, indexed, postings=postings)
    cutoff = cutoff_of(request.draft, request.cutoff)
    dates = DateArrays.of(view)
    codes = statuses(dates, cutoff, request.regime)
    own = known_before(request.draft, cutoff, view, indexed, regime=request.regime, dates=dates).own
    codes[own.rows] = ORDER.index("own family")
    excluded = [ORDER.index("after the date"), ORDER.index("own family")]
    rows = np.flatnonzero(remaining.allowed & ~np.isin(codes, excluded))
    serials = np.asarray(view.serials)[rows]
    found = columns()
    return Facets(
        documents=int(remaining.allowed.sum()),
        admissible=len(rows),
        statuses=_statuses(codes[remaining.allowed]),
        years=_years(view, rows),
        countries=_coded(view.countries, rows),
        languages=_coded(view.languages, rows),
        depths=_coded(view.depths, rows),
        subclasses=tuple(
            FacetValue(value, count, title(value)) for value, count in found.subclasses.counts(serials, LIMIT)
        ),
        groups=tuple(FacetValue(value, count) for value, count in found.groups.counts(serials, 3 * LIMIT)),
        applicants=tuple(FacetValue(value, count) for value, count in found.applicants.counts(serials, LIMIT)),
        removed=dict(remaining.removed),
        unknown=dict(remaining.unknown),
    )


def _statuses(codes: np.ndarray) -> tuple[FacetValue, ...]:
    counts = np.bincount(codes, minlength=len(ORDER))
    return tuple(
        FacetValue(status, int(count), STATUSES[status]) for status, count in zip(ORDER, counts, strict=True) if count
    )


def _years(view: CorpusView, rows: np.ndarray) -> tuple[FacetValue, ...]:
    """The years of publication in order, with those between that have no documents; `""` if it is unknown."""
    counts: Counter[str] = Counter()
    for code, count in enumerate(np.bincount(view.published[rows])):
        if count:
            counts[view.dates[code].decode()[:4]] += int(count)
    known = [int(year) for year in counts if year.isdigit()]
    years = [str(year) for year in range(min(known), max(known) + 1)] if known else []
    return tuple(FacetValue(year, counts[year]) for year in (*([""] if counts[""] else []), *years))


def _coded(column: Coded, rows: np.ndarray) -> tuple[FacetValue, ...]:
    """The values of a column, most frequent first."""
    counts = np.bincount(column.codes[rows], minlength=len(column.values))
    found = [(value.decode("utf-8", "replace"), int(count)) for value, count in zip(column.values, counts, strict=True)]
    return tuple(FacetValue(*item) for item in sorted(found, key=lambda item: (-item[1], item[0])) if item[1])
