"""The result of a search, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foreart.errors import BadRequest
from foreart.index import Description
from foreart.search.law.priority import Cutoff, Regime, Status
from foreart.search.ranker import Chance, Fingerprinted, Part
from foreart.search.request import Filters, SearchRequest


@dataclass(frozen=True, slots=True)
class Member:
    """Another publication of a hit's family; `rule` says what gave it its status."""

    id: str
    status: Status
    score: float
    published: str
    title: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """The paragraph of a description that holds most of the score; its words make `share` of it."""

    text: str
    number: str
    heading: str
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One document. `words` are the greatest contributions to the likeness of texts, greatest first.

    All words together sum to `likeness`, which is the score where an index ranks alone. Where several channels rank,
    `parts` are what each contributes: they sum to the score. `chance` is how
    often documents at this score were cited, `hub` the place of a document among those that come up for most drafts,
    whatever these are about; 0 for others. `rule` says what gave the status, with article and dates.
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
    abstract: str = ""
    passage: Passage | None = None
    rule: str = ""
    parts: tuple[Part, ...] = ()
    likeness: float = 0.0
    chance: Chance | None = None
    hub: int = 0

    def __str__(self) -> str:
        return f"{self.rank}. {self.id}  {self.score:.3f}  {self.status}: {self.title}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that is no hit because of its dates, or because it is of the draft's own family.

    `by_date` is the status that its dates alone would give it: a document of the own family may count all the same.
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
    """How the scores of all documents but the draft's own lie: counts in steps of equal width.

    They go from `least`, which is 0 where no score is below it, to `greatest`.
    """

    greatest: float
    counts: tuple[int, ...]
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """One search: the request, its hits, and how they were found. Iterating gives the hits.

    `cutoff` is the date that counted. `compared` documents passed the filters. `removed` tells by filter how many
    documents it took from those that the filters before it had left: together they make the rest of the corpus; of
    those, `unknown` have no date, class, applicant, language or kind that the filter could have judged. `left_out` are
    the nearest of those after the date, `own_family` all of the draft's own family. `missing_terms` are the draft's
    weightiest rare terms, if no hit has any of them: then the hits may be about something else.
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
    # How a library writes its search record, which needs the corpus.
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
        """How many documents the filters removed together."""
        return sum(self.removed.values())

    @property
    def regime(self) -> Regime:
        """The law that decided what counts."""
        return self.request.regime

    @property
    def filters(self) -> Filters:
        """The filters, with publication numbers in place of files that list them."""
        return self.request.filters

    @property
    def draft_title(self) -> str:
        """The title of the draft."""
        return self.request.draft.title

    @property
    def draft_source(self) -> str:
        """The name of the draft's file, or the publication number it is known by."""
        return self.request.draft.source

    @property
    def draft_fingerprint(self) -> str:
        """The fingerprint of the draft's words."""
        return self.request.draft.fingerprint
