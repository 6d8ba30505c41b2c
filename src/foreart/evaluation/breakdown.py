"""Metrics broken down by year, class and length of the query."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import ForeartError
from foreart.evaluation.evaluation import Evaluation, total
from foreart.evaluation.trec.queries import QueryDocument
from foreart.identifiers.symbols import subclass
from foreart.text import section_text

UNKNOWN = "unknown"
# Words of the full text: abstracts, short drafts, then patents; the paper's mean is 13,530.
LENGTHS = (500, 2_000, 5_000, 10_000, 20_000)


@dataclass(frozen=True, slots=True)
class Grouping:
    """The group of each query, and the groups in display order."""

    names: tuple[str, ...]
    of: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """A group of queries and its metrics; NaN where undefined."""

    name: str
    queries: int
    values: Mapping[str, float]


def by_year(queries: Iterable[QueryDocument]) -> Grouping:
    """By the year of publication; drafts by that of priority or filing."""
    return _grouping({query.id: _year(query.document) for query in queries})


def by_subclass(queries: Iterable[QueryDocument]) -> Grouping:
    """By the subclass (`A61B`) of the first CPC symbol, else of the first IPC symbol."""
    return _grouping({query.id: _subclass(query.document) for query in queries})


def by_length(queries: Iterable[QueryDocument], *, edges: Sequence[int] = LENGTHS) -> Grouping:
    """By the number of words of the full text; each edge starts a new group."""
    if list(edges) != sorted(set(edges)) or not edges:
        raise ForeartError(f"the lengths {list(edges)} must be given in ascending order, each once")
    middle = [f"{low:,} to {high - 1:,} words" for low, high in pairwise(edges)]
    names = (f"under {edges[0]:,} words", *middle, f"{edges[-1]:,} words and more")
    groups = {query.id: names[bisect_right(edges, len(section_text(query.document).split()))] for query in queries}
    return Grouping(tuple(name for name in names if name in groups.values()), groups)


GROUPINGS: dict[str, Callable[[Iterable[QueryDocument]], Grouping]] = {
    "year": by_year,
    "subclass": by_subclass,
    "length": by_length,
}


def by_group(evaluation: Evaluation, grouping: Grouping) -> tuple[QueryGroup, ...]:
    """Every metric over each group of queries; queries without a group are in the group `unknown`."""
    groups = [grouping.of.get(query, UNKNOWN) for query in evaluation.queries]
    names = dict.fromkeys((*grouping.names, UNKNOWN))
    positions = {name: [position for position, group in enumerate(groups) if group == name] for name in names}
    return tuple(_group(name, members, evaluation) for name, members in positions.items() if members)


def _group(name: str, positions: Sequence[int], evaluation: Evaluation) -> QueryGroup:
    chosen = list(positions)
    queries = [evaluation.queries[position] for position in chosen]
    pairs = evaluation.pairs.only(queries) if evaluation.pairs is not None else None
    values = {
        requested.text: total(requested, evaluation.per_query[requested.text][chosen], pairs, evaluation.tie_tolerance)
        for requested in evaluation.metrics
    }
    return QueryGroup(name, len(chosen), values)


def _grouping(groups: Mapping[str, str]) -> Grouping:
    return Grouping(tuple(sorted(set(groups.values()) - {UNKNOWN})), groups)


def _year(document: Patent | Draft) -> str:
    date = document.published if isinstance(document, Patent) else document.priority or document.filed
    return date[:4] or UNKNOWN


def _subclass(document: Patent | Draft) -> str:
    if not isinstance(document, Patent):
        return UNKNOWN
    for symbols in (document.cpc, document.ipc):
        # The symbol with position "first" is not always the first in its source.
        ordered = sorted(symbols, key=lambda symbol: symbol.position != "first")
        for symbol in ordered:
            if subclass(symbol.symbol):
                return subclass(symbol.symbol)
    return UNKNOWN
