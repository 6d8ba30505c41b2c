"""Searches for the prior art of a draft."""

from foreart.regimes import REGIMES, Regime
from foreart.search.hits import Hit, LeftOut, Member, Passage, Result, Scores, repeated_request
from foreart.search.index_ranker import IndexRanker
from foreart.search.law.date_arrays import status_of
from foreart.search.law.priority import STATUSES, Cutoff, Dated, Status, cutoff_of, dated_of
from foreart.search.law.rules import rule_of
from foreart.search.number_lists import listed
from foreart.search.ranker import Comparison, Ranker
from foreart.search.request import Emphasis, Filters, SearchOptions, SearchRequest, request_of
from foreart.search.retrieval import search
from foreart.search.scope import Scope, known_before
from foreart.search.score_parts import Chance, Part

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
    "known_before",
    "listed",
    "repeated_request",
    "request_of",
    "rule_of",
    "search",
    "status_of",
]
