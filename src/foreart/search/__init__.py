"""A draft becomes hits."""

from foreart.search.building import build, build_all
from foreart.search.hits import Hit, LeftOut, Member, Passage, Result, Scores
from foreart.search.priority import STATUSES, Cutoff, Status, cutoff_of, status
from foreart.search.searching import search

__all__ = [
    "STATUSES",
    "Cutoff",
    "Hit",
    "LeftOut",
    "Member",
    "Passage",
    "Result",
    "Scores",
    "Status",
    "build",
    "build_all",
    "cutoff_of",
    "search",
    "status",
]
