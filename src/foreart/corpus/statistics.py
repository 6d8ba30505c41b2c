"""What is in a corpus, counted: the tables and figures that describe a collection of patents."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus.corpus import Corpus
from foreart.corpus.counts import (
    SECTIONS,
    Citations,
    Families,
    Histogram,
    Lengths,
    Statistics,
    SubclassCount,
    Subclasses,
)
from foreart.corpus.cpc_titles import title
from foreart.corpus.selection import EVERYTHING, Selection, where
from foreart.patent import CATEGORIES, DEPTHS

UNKNOWN = "unknown"
OTHER = "other"
FIELDS = (
    "title", "abstract", "claims", "description", "published", "filed", "priority", "classes", "applicants",
    "inventors", "citations",
)  # fmt: skip
# What the reasons of the table family begin with, the surest first; a number or a likeness follows.
REASONS = (
    "family id", "same publication number", "shared priority", "same application", "continuation reference",
    "common relative", "near-identical text",
)  # fmt: skip
_FACETS = ("country", "kind", "language", "document_type", "collection", "depth")
_IS_SYMBOL = "symbol GLOB '[A-HY][0-9][0-9][A-Z]*'"


def statistics(corpus: Corpus, selection: Selection = EVERYTHING) -> Statistics:
    """Counts the patents of a selection, without opening any text."""
    with _one_moment(corpus.connection):
        asked = _Asked(corpus.connection, selection)
        facets, absent, documents = _facets(asked)
        years, undated = _years(asked)
        subclasses = _subclasses(asked)
        citations = _citations(asked, documents)
        missing = {
            **absent,
            "published": undated,
            "classes": documents - subclasses.cpc - subclasses.ipc,
            "applicants": documents - asked.number("SELECT count(DISTINCT serial) FROM applicant WHERE {members}"),
            "citations": dict(citations.made).get(0, 0),
        }
        by_country = facets.pop("depth_by_country")
        return Statistics(
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
            lengths=_lengths(asked),
            languages=facets["language"],
            countries=facets["country"],
            kinds=facets["kind"],
            document_types=facets["document_type"],
            collections=facets["collection"],
            missing={field: missing[field] for field in FIELDS},
            families=_families(asked),
            rejects=asked.number("SELECT count(*) FROM reject"),
        )


class _Asked:
    """Queries over a selection: `{patents}` stands for its condition on the table patent, `{members}` on the others."""

    def __init__(self, connection: sqlite3.Connection, selection: Selection) -> None:
        self._connection = connection
        self._patents, self._values = where(selection)
        # A test of every row against the set of all patents would cost more than the counting.
        everything = selection == EVERYTHING
        self._members = "1" if everything else f"serial IN (SELECT serial FROM patent WHERE {self._patents})"  # noqa: S608

    def rows(self, query: str) -> sqlite3.Cursor:
        times = query.count("{patents}") + query.count("{members}")
        text = query.format(patents=self._patents, members=self._members, symbol=_IS_SYMBOL)
        return self._connection.execute(text, self._values * times)

    def number(self, query: str) -> int:
        return int(self.rows(query).fetchone()[0] or 0)


@contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """All counts of one state of the corpus, though another process may be writing."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _facets(asked: _Asked) -> tuple[dict[str, Any], dict[str, int], int]:
    """One pass over the table patent: counts of each facet's values, of absent fields, of all."""
    counters = {facet: Counter[str]() for facet in _FACETS}
    by_country: dict[str, Counter[str]] = {}
    absent = {"title": 0, "abstract": 0, "claims": 0, "description": 0, "filed": 0, "priority": 0, "inventors": 0}
    documents = 0
    for row in asked.rows(
        "SELECT country, kind, language, document_type, collection, depth, count(*), sum(title = ''), "
        "sum(abstract_words = 0), sum(claims_words = 0), sum(description_words = 0), sum(filed = ''), "
        "sum(priority = ''), sum(inventors = 0) FROM patent WHERE {patents} GROUP BY 1, 2, 3, 4, 5, 6"
    ):
        values, count, sums = row[: len(_FACETS)], row[len(_FACETS)], row[len(_FACETS) + 1 :]
        documents += count
        for facet, value in zip(_FACETS, values, strict=True):
            counters[facet][value or UNKNOWN] += count
        by_country.setdefault(values[0] or UNKNOWN, Counter())[values[-1]] += count
        for field, number in zip(absent, sums, strict=True):
            absent[field] += number
    made: dict[str, Any] = {facet: _largest_first(counter) for facet, counter in counters.items()}
    made["depth"] = {depth: counters["depth"][depth] for depth in DEPTHS}
    made["depth_by_country"] = {
        country: {depth: by_country[country][depth] for depth in DEPTHS} for country in made["country"]
    }
    return made, absent, documents


def _years(asked: _Asked) -> tuple[dict[int, int], int]:
    counts: Counter[int] = Counter()
    undated = 0
    for year, count in asked.rows("SELECT substr(published, 1, 4), count(*) FROM patent WHERE {patents} GROUP BY 1"):
        if len(year) == 4 and year.isdecimal():
            counts[int(year)] += count
        else:
            undated += count
    span = range(min(counts), max(counts) + 1) if counts else range(0)
    return {year: counts[year] for year in span}, undated


def _subclasses(asked: _Asked) -> Subclasses:
    counts: dict[str, Counter[str]] = {}
    patents: Counter[str] = Counter()
    for subclass, scheme, count in asked.rows(
        "SELECT subclass, scheme, count(*) FROM (SELECT DISTINCT serial, scheme, substr(symbol, 1, 4) AS subclass "
        "FROM class WHERE {symbol} AND {members} AND (scheme = 'cpc' OR NOT EXISTS (SELECT 1 FROM class AS better "
        "WHERE better.serial = class.serial AND better.scheme = 'cpc' AND better.{symbol}))) GROUP BY 1, 2"
    ):
        counts.setdefault(subclass, Counter())[scheme] += count
    for scheme, count in asked.rows(
        "SELECT scheme, count(*) FROM (SELECT serial, min(scheme) AS scheme FROM class "  # 'cpc' comes before 'ipc'
        "WHERE {symbol} AND {members} GROUP BY serial) GROUP BY 1"
    ):
        patents[scheme] = count
    found = [SubclassCount(symbol, title(symbol), of["cpc"], of["ipc"]) for symbol, of in counts.items()]
    found.sort(key=lambda row: (-row.patents, row.symbol))
    return Subclasses(tuple(found), cpc=patents["cpc"], ipc=patents["ipc"])


def _citations(asked: _Asked, documents: int) -> Citations:
    sums = ", ".join(f"sum(category = '{category}') AS of_{category}" for category in CATEGORIES)
    totals = ", ".join(f"sum(of_{category})" for category in CATEGORIES)
    made: dict[int, int] = {}
    categories: Counter[str] = Counter()
    for citations, patents, *of_category in asked.rows(
        f"SELECT n, count(*), {totals} FROM (SELECT count(*) AS n, {sums} FROM citation WHERE {{members}} "  # noqa: S608
        "GROUP BY serial) GROUP BY n"
    ):
        made[citations] = patents
        categories.update(dict(zip(CATEGORIES, of_category, strict=True)))
    received: dict[int, int] = dict(
        asked.rows(
            "SELECT n, count(*) FROM (SELECT count(DISTINCT citing) AS n FROM (SELECT serial AS citing, cited "
            "FROM citation) CROSS JOIN patent ON key = cited WHERE {patents} GROUP BY serial) GROUP BY n"
        )
    )
    return Citations(
        total=sum(citations * patents for citations, patents in made.items()),
        categories={category: categories[category] for category in CATEGORIES},
        into_corpus=asked.number("SELECT count(*) FROM citation WHERE {members} AND cited IN (SELECT key FROM patent)"),
        made=_from_zero(made, documents),
        received=_from_zero(received, documents),
    )


def _from_zero(counts: Mapping[int, int], documents: int) -> Histogram:
    """With those that SQL does not see, because they have no row."""
    without = documents - sum(counts.values())
    return tuple(sorted({0: without, **counts}.items() if without else counts.items()))


def _lengths(asked: _Asked) -> dict[str, Lengths]:
    rows = asked.rows("SELECT abstract_words, claims_words, description_words FROM patent WHERE {patents}")
    words = np.fromiter(rows, dtype=np.dtype((np.int64, len(SECTIONS))))
    return {section: _lengths_of(words[:, column]) for column, section in enumerate(SECTIONS)}


def _lengths_of(words: np.ndarray) -> Lengths:
    """What can be said of the lengths of a section; a length of 0 means that the section is absent."""
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


def _edges(most: int) -> list[int]:
    """Whole numbers a tenth of a decade apart, the last above `most`."""
    tenths = 10 * len(str(most)) + 1
    return sorted({int(np.ceil(round(10 ** (tenth / 10), 6))) for tenth in range(tenths)})


def _families(asked: _Asked) -> Families:
    shared = "SELECT family FROM family WHERE {members} GROUP BY family HAVING count(*) > 1"
    reasons = Counter(
        _reason(reason)
        for (reason,) in asked.rows(f"SELECT reason FROM family WHERE {{members}} AND family IN ({shared})")  # noqa: S608
    )
    return Families(
        families=asked.number(f"SELECT count(*) FROM ({shared})"),  # noqa: S608
        patents=sum(reasons.values()),
        reasons={reason: reasons[reason] for reason in (*REASONS, OTHER) if reasons[reason]},
    )


def _reason(text: str) -> str:
    return next((reason for reason in REASONS if text.startswith(reason)), OTHER)


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _size(path: Path) -> int:
    """The file and what waits in its write-ahead log."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())
