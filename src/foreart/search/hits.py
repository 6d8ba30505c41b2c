"""What a search finds, as data."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.index import Description
from foreart.search.priority import Cutoff, Status


@dataclass(frozen=True, slots=True)
class Member:
    """Another publication of a hit's family."""

    id: str
    status: Status
    score: float
    published: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The paragraph of a description that holds most of the score; its words make `share` of it."""

    text: str
    number: str
    heading: str
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One document. `words` are the greatest contributions to the score, greatest first; all of them sum to it."""

    rank: int
    id: str
    score: float
    status: Status
    title: str
    published: str
    priority: str
    words: tuple[tuple[str, float], ...]
    family: str = ""
    family_members: tuple[Member, ...] = ()
    filed: str = ""
    published_estimated: bool = False
    applicants: tuple[str, ...] = ()
    language: str = ""
    abstract: str = ""
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that would have been a hit, but for its dates."""

    id: str
    score: float
    title: str
    published: str
    priority: str
    filed: str


@dataclass(frozen=True, slots=True)
class Scores:
    """How the scores of all documents lie: counts in steps of equal width from 0 to `greatest`."""

    greatest: float
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One search: hits and all that is needed to say how they were found."""

    hits: tuple[Hit, ...]
    cutoff: Cutoff
    compared: int
    left_out: tuple[LeftOut, ...]
    left_out_count: int
    scores: Scores
    draft_title: str
    draft_source: str
    draft_fingerprint: str
    draft_notes: tuple[str, ...]
    corpus_fingerprint: str
    index: Description
    foreart: str
