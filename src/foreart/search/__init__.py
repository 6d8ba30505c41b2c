"""A draft becomes hits."""

from foreart.search.hits import Hit, LeftOut, Member, Passage, Result, Scores
from foreart.search.law.date_arrays import status_of
from foreart.search.law.priority import REGIMES, STATUSES, Cutoff, Dated, Regime, Status, cutoff_of, dated_of
from foreart.search.law.rules import rule_of
from foreart.search.number_lists import listed
from foreart.search.ranker import Chance, Comparison, IndexRanker, Part, Ranker
from foreart.search.request import Emphasis, Filters, SearchOptions, SearchRequest, request_of
from foreart.search.retrieval import search
from foreart.search.scope import Scope

__all__ = [
    "REGIMES",
    "STATUSES",
    "Chance",
    "Comparison",
    "Cutoff",
    "Dated",
    "Emphasis",
    "Filters",
    "Hit",
    "IndexRanker",
    "LeftOut",
    "Member",
    "Part",
    "Passage",
    "Ranker",
    "Regime",
    "Result",
    "Scope",
    "Scores",
    "SearchOptions",
    "SearchRequest",
    "Status",
    "cutoff_of",
    "dated_of",
    "listed",
    "request_of",
    "rule_of",
    "search",
    "status_of",
]
