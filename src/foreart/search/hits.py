"""The result of a search, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

from foreart.document.draft import Draft
from foreart.document.patent import Depth
from foreart.errors import BadRequest
from foreart.index import Description
from foreart.regimes import Regime
from foreart.search.law.priority import Cutoff, Status, cutoff_of
from foreart.search.ranker import Fingerprinted
from foreart.search.request import Filters, SearchOptions, SearchRequest, request_of
from foreart.search.score_parts import CandidateRecall, Chance, Part


@dataclass(frozen=True, slots=True)
class Member:
    """Another publication of a hit's family; `rule` explains its status."""

    id: str
    status: Status
    score: float
    published: str
    title: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """The paragraph of a description that contributes most to the score; `share` is the share of its words."""

    text: str
    number: str
    heading: str
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One document. `words` are the largest contributions to the text similarity, largest first.

    All words together sum to `similarity`, that of the texts, which is the score if one index ranks alone. If several
    channels rank, `parts` are their contributions, which sum to the score. `chance` is how often documents with this
    score were cited, `hub` the rank of a document among hubs, which rank high for drafts on any subject, 0 for others.
    `rule` explains the status, with article and dates; `depth` is how much text of the document there is.
    """

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
    depth: Depth = "full"
    abstract: str = ""
    passage: Passage | None = None
    rule: str = ""
    parts: tuple[Part, ...] = ()
    similarity: float = 0.0
    chance: Chance | None = None
    hub: int = 0

    def __str__(self) -> str:
        return f"{self.rank}. {self.id}  {self.score:.3f}  {self.status}: {self.title}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that is not a hit because of its dates, or because it is of the draft's own family.

    `by_date` is its status by dates alone: a document of the own family may still count.
    """

    id: str
    score: float
    title: str
    published: str
    priority: str
    filed: str
    status: Status = "after the date"
    rule: str = ""
    by_date: Status = "after the date"


@dataclass(frozen=True, slots=True)
class Scores:
    """Histogram of the scores of all documents that may be hits and were compared in full, in bins of equal width.

    The bins range from `least`, which is 0 if no score is negative, to `greatest`.
    """

    greatest: float
    counts: tuple[int, ...]
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """One search: the request, its hits, and how they were found. Iterates over the hits.

    `cutoff` is the effective date. `compared` documents passed the filters; of those that can be prior art, `scored`
    are candidates, which were compared in full, and `candidate_recall` says what candidates find of an exact search.
    `removed` has for each filter the number of documents it removed of those that the filters before it had left: they
    sum to the rest of the corpus; of those, `unknown` lack the date, class, applicant, language or kind that the filter
    tests. `left_out` are the most similar documents after the date, `own_family` all of the draft's own family.
    `missing_terms` are the draft's most important rare terms, if no hit has any of them: then the hits may be about
    something else.
    """

    request: SearchRequest
    hits: tuple[Hit, ...]
    cutoff: Cutoff
    compared: int
    left_out: tuple[LeftOut, ...]
    left_out_count: int
    scores: Scores
    corpus_fingerprint: str
    index: Description
    foreart: str
    notes: tuple[str, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)
    own_family: tuple[LeftOut, ...] = ()
    ranking: Fingerprinted | None = None
    missing_terms: tuple[str, ...] = ()
    scored: int = 0
    candidate_recall: CandidateRecall | None = None
    # Writes the search record of a library, which needs the corpus.
    saver: Callable[[Result, Path, bool], None] | None = field(default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def save(self, path: str | Path, *, private: bool = False) -> None:
        """Writes the search record for `foreart rerun` and `diff`; a private one has no words of the draft."""
        if self.saver is None:
            raise BadRequest("only the result of a library's search can be saved: search with Library.search")
        self.saver(self, Path(path), private)

    @property
    def removed_count(self) -> int:
        """The number of documents that all filters removed."""
        return sum(self.removed.values())

    @property
    def regime(self) -> Regime:
        """The law that defines prior art."""
        return self.request.regime

    @property
    def filters(self) -> Filters:
        """The filters, with publication numbers instead of files that list them."""
        return self.request.filters

    @property
    def draft_title(self) -> str:
        """The title of the draft."""
        return self.request.draft.title

    @property
    def draft_source(self) -> str:
        """The name of the draft's file, or its publication number."""
        return self.request.draft.source

    @property
    def draft_fingerprint(self) -> str:
        """The fingerprint of the draft's words."""
        return self.request.draft.fingerprint


def repeated_request(asked: Draft | SearchRequest | Result, **options: Unpack[SearchOptions]) -> SearchRequest:
    """The request; that of a result has the cutoff of the search, even if it was the day of the search."""
    if isinstance(asked, Result):
        request = asked.request
        same = cutoff_of(request.draft, request.cutoff) == asked.cutoff
        return request_of(request if same else replace(request, cutoff=asked.cutoff.date), **options)
    return request_of(asked, **options)
