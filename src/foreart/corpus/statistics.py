"""Computes the statistics of a corpus: the tables and figures that describe a collection of patents."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus.corpus import Corpus
from foreart.corpus.corpus_counts import (
    SECTIONS,
    Citations,
    CorpusStatistics,
    Families,
    Histogram,
    Lengths,
    SubclassCount,
    Subclasses,
)
from foreart.corpus.selection import EVERYTHING, Selection, where
from foreart.document.patent import CATEGORIES, DEPTHS
from foreart.identifiers.cpc_titles import title
from foreart.identifiers.symbols import subclass

UNKNOWN = "unknown"
OTHER = "other"
FIELDS = (
    "title", "abstract", "claims", "description", "published", "filed", "priority", "classes", "applicants",
    "inventors", "citations",
)  # fmt: skip
# The prefixes of the reasons in the table family, the strongest first; a number or a similarity follows.
REASONS = (
    "family id", "same publication number", "shared priority", "same application", "continuation reference",
    "common relative", "near-identical text",
)  # fmt: skip
_FACETS = ("country", "kind", "language", "document_type", "collection", "depth")
_LAST = "\U0010ffff"  # sorts after whatever follows a subclass in a symbol


def statistics(corpus: Corpus, selection: Selection = EVERYTHING) -> CorpusStatistics:
    """Counts the patents of a selection, without decompressing texts."""
    with _read_transaction(corpus.connection):
        queries = _SelectionQueries(corpus.connection, selection)
        facets, absent, documents = _facets(queries)
        years, undated = _years(queries)
        subclasses = _subclasses(queries)
        citations = _citations(queries, documents)
        missing = {
            **absent,
            "published": undated,
            "classes": documents - subclasses.cpc - subclasses.ipc,
            "applicants": documents - queries.number("SELECT count(DISTINCT serial) FROM applicant WHERE {members}"),
            "citations": dict(citations.made).get(0, 0),
        }
        by_country = facets.pop("depth_by_country")
        return CorpusStatistics(
            documents=documents,
            stored=len(corpus),
            fingerprint=corpus.fingerprint,
            size=_size(corpus.path),
            selection=selection,
            years=years,
            undated=undated,
            subclasses=subclasses,
            citations=citations,
            depth=facets["depth"],
            depth_by_country=by_country,
            lengths=_lengths(queries),
            languages=facets["language"],
            countries=facets["country"],
            kinds=facets["kind"],
            document_types=facets["document_type"],
            collections=facets["collection"],
            missing={field: missing[field] for field in FIELDS},
            families=_families(queries),
            rejects=queries.number("SELECT count(*) FROM reject"),
        )


class _SelectionQueries:
    """Queries over a selection: `{patents}` is its condition on the table patent, `{members}` on the other tables."""

    def __init__(self, connection: sqlite3.Connection, selection: Selection) -> None:
        self._connection = connection
        self._patents, self._values = where(selection)
        # Testing every row against the set of all patents would cost more than the counting.
        self.everything = selection == EVERYTHING
        self._members = "1" if self.everything else f"serial IN (SELECT serial FROM patent WHERE {self._patents})"  # noqa: S608
        # Whether a patent is selected, by serial.
        self.chosen = np.zeros(self.number("SELECT max(serial) FROM patent") + 1, dtype=np.bool_)
        for (serial,) in self.rows("SELECT serial FROM patent WHERE {patents}"):
            self.chosen[serial] = True

    def rows(self, query: str, *values: str) -> sqlite3.Cursor:
        times = query.count("{patents}") + query.count("{members}")
        text = query.format(patents=self._patents, members=self._members)
        return self._connection.execute(text, [*values, *self._values * times])

    def number(self, query: str) -> int:
        return int(self.rows(query).fetchone()[0] or 0)


@contextmanager
def _read_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All queries see one state of the corpus, even if another process is writing."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _facets(queries: _SelectionQueries) -> tuple[dict[str, Any], dict[str, int], int]:
    """One pass over the table patent: counts of the values of each facet, of absent fields, of all patents."""
    counters = {facet: Counter[str]() for facet in _FACETS}
    by_country: dict[str, Counter[str]] = {}
    absent = {"title": 0, "abstract": 0, "claims": 0, "description": 0, "filed": 0, "priority": 0, "inventors": 0}
    documents = 0
    # Rows have few distinct combinations, so counting them here is faster than grouping in SQL.
    rows = Counter(
        queries.rows(
            "SELECT country, kind, language, document_type, collection, depth, title = '', abstract_words = 0, "
            "claims_words = 0, description_words = 0, filed = '', priority = '', inventors = 0 "
            "FROM patent WHERE {patents}"
        )
    )
    for row, count in rows.items():
        values, lacks = row[: len(_FACETS)], row[len(_FACETS) :]
        documents += count
        for facet, value in zip(_FACETS, values, strict=True):
            counters[facet][value or UNKNOWN] += count
        by_country.setdefault(values[0] or UNKNOWN, Counter())[values[-1]] += count
        for field, lack in zip(absent, lacks, strict=True):
            absent[field] += lack * count
    facets: dict[str, Any] = {facet: _largest_first(counter) for facet, counter in counters.items()}
    facets["depth"] = {depth: counters["depth"][depth] for depth in DEPTHS}
    facets["depth_by_country"] = {
        country: {depth: by_country[country][depth] for depth in DEPTHS} for country in facets["country"]
    }
    return facets, absent, documents


def _years(queries: _SelectionQueries) -> tuple[dict[int, int], int]:
    counts: Counter[int] = Counter()
    undated = 0
    for year, count in queries.rows("SELECT substr(published, 1, 4), count(*) FROM patent WHERE {patents} GROUP BY 1"):
        if len(year) == 4 and year.isdecimal():
            counts[int(year)] += count
        else:
            undated += count
    span = range(min(counts), max(counts) + 1) if counts else range(0)
    return {year: counts[year] for year in span}, undated


def _subclasses(queries: _SelectionQueries) -> Subclasses:
    symbols = list(_stored_subclasses(queries))
    counts = {symbol: Counter[str]() for symbol in symbols}
    counted = np.zeros_like(queries.chosen)
    patents: dict[str, int] = {}
    for scheme in ("cpc", "ipc"):
        remaining = queries.chosen & ~counted
        for symbol in symbols:
            found = queries.rows(
                "SELECT serial FROM class WHERE symbol >= ? AND symbol < ? AND scheme = ?",
                symbol,
                symbol + _LAST,
                scheme,
            )
            serials = np.unique(np.fromiter((row[0] for row in found), dtype=np.int64))
            serials = serials[remaining[serials]]
            counted[serials] = True
            counts[symbol][scheme] = len(serials)
        patents[scheme] = int(np.count_nonzero(remaining & counted))
    rows = [SubclassCount(symbol, title(symbol), by["cpc"], by["ipc"]) for symbol, by in counts.items() if by.total()]
    rows.sort(key=lambda row: (-row.patents, row.symbol))
    return Subclasses(tuple(rows), **patents)


def _stored_subclasses(queries: _SelectionQueries) -> Iterator[str]:
    """Skips along the index of symbols, from one subclass to the next."""
    after = ""
    while symbol := queries.rows("SELECT min(symbol) FROM class WHERE symbol >= ?", after).fetchone()[0]:
        if subclass(symbol[:4]) == symbol[:4]:
            yield symbol[:4]
        after = symbol[:4] + _LAST


def _citations(queries: _SelectionQueries, documents: int) -> Citations:
    sums = ", ".join(f"sum(category = '{category}')" for category in CATEGORIES)
    rows = queries.rows(f"SELECT count(*), {sums} FROM citation WHERE {{members}} GROUP BY serial")  # noqa: S608
    counts = np.fromiter(rows, dtype=np.dtype((np.int64, 1 + len(CATEGORIES))))
    total, *by_category = counts.sum(axis=0).tolist()
    keys = [key for (key,) in queries.rows("SELECT key FROM patent WHERE {patents}")]
    received = _received(queries, set(keys))
    without = np.zeros(documents - len(counts), dtype=np.int64)  # patents without a row in this table
    return Citations(
        total=total,
        categories=dict(zip(CATEGORIES, by_category, strict=True)),
        into_corpus=received.total() if queries.everything else _into_corpus(queries),
        made=_histogram(np.concatenate([counts[:, 0], without])),
        received=_histogram(np.array([received[key] for key in keys], dtype=np.int64)),
    )


def _received(queries: _SelectionQueries, keys: Collection[str]) -> Counter[str]:
    """How often each number is cited; a join in SQL, with an index lookup for every citation, takes twice as long."""
    cited: Iterable[str] = chain.from_iterable(queries.rows("SELECT cited FROM citation"))
    return Counter(filter(keys.__contains__, cited))


def _into_corpus(queries: _SelectionQueries) -> int:
    return queries.number("SELECT count(*) FROM citation WHERE {members} AND cited IN (SELECT key FROM patent)")


def _histogram(numbers: np.ndarray) -> Histogram:
    values, counts = np.unique(numbers, return_counts=True)
    return tuple(zip(values.tolist(), counts.tolist(), strict=True))


def _lengths(queries: _SelectionQueries) -> dict[str, Lengths]:
    rows = queries.rows("SELECT abstract_words, claims_words, description_words FROM patent WHERE {patents}")
    words = np.fromiter(rows, dtype=np.dtype((np.int64, len(SECTIONS))))
    return {section: _lengths_of(words[:, column]) for column, section in enumerate(SECTIONS)}


def _lengths_of(words: np.ndarray) -> Lengths:
    """The distribution of a section's lengths; a length of 0 means that the section is absent."""
    present = words[words > 0]
    if not len(present):
        return Lengths(0, 0.0, 0.0, 0.0, 0.0, 0, ())
    low, median, high = (float(value) for value in np.percentile(present, (5, 50, 95)))
    edges = _edges(int(present.max()))
    counts, _ = np.histogram(present, bins=edges)
    filled = np.flatnonzero(counts)
    steps = range(int(filled[0]), int(filled[-1]) + 1)
    return Lengths(
        count=len(present),
        mean=float(present.mean()),
        median=median,
        low=low,
        high=high,
        max=int(present.max()),
        histogram=tuple((edges[step], edges[step + 1], int(counts[step])) for step in steps),
    )


def _edges(maximum: int) -> list[int]:
    """Integers a tenth of a decade apart, the last above `maximum`."""
    tenths = 10 * len(str(maximum)) + 1
    return sorted({int(np.ceil(round(10 ** (tenth / 10), 6))) for tenth in range(tenths)})


def _families(queries: _SelectionQueries) -> Families:
    shared = "SELECT family FROM family WHERE {members} GROUP BY family HAVING count(*) > 1"
    reasons = Counter(
        _reason(reason)
        for (reason,) in queries.rows(f"SELECT reason FROM family WHERE {{members}} AND family IN ({shared})")  # noqa: S608
    )
    return Families(
        families=queries.number(f"SELECT count(*) FROM ({shared})"),  # noqa: S608
        patents=sum(reasons.values()),
        reasons={reason: reasons[reason] for reason in (*REASONS, OTHER) if reasons[reason]},
    )


def _reason(text: str) -> str:
    return next((reason for reason in REASONS if text.startswith(reason)), OTHER)


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _size(path: Path) -> int:
    """The size of the file and its write-ahead log."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())
