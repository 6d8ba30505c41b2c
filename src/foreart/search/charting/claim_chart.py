"""A claim chart as frozen data: elements of claims by references, each cell with verbatim quotes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from foreart.document.elements import Kind
from foreart.search.charting.places import Place
from foreart.search.law.priority import Cutoff, Status

Grade = Literal["disclosed", "mostly", "partly", "hardly", "not found"]


@dataclass(frozen=True, slots=True)
class Word:
    """A weighted word of an element; the weights of an element sum to 1."""

    word: str
    weight: float


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One element: `1.0` is the preamble of claim 1, `1.2` its third element. `weight` is its share of all rows."""

    label: str
    claim: int
    text: str
    kind: Kind
    words: tuple[Word, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Match:
    """A word of a quote, `quote.text[start:end]`, that matches `word` of the element.

    `credit` is 0 to 1, full if it is close to one of its neighbours in the element. `bridge` is True for another word
    of similar meaning.
    """

    start: int
    end: int
    word: str
    credit: float
    bridge: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim excerpt of a document: `text` starts at `start` in the text of its place.

    `coverage` is the share of the element it covers alone, `adds` what it adds to the quotes before it.
    """

    text: str
    place: Place
    start: int
    coverage: float
    adds: float
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One element in one reference. `missing` words are in no quote; those `elsewhere` are in the document.

    `own_grade` is a person's, which findings follow; `grade` and `coverage` stay as computed.
    """

    row: str
    reference: str
    coverage: float
    grade: Grade
    quotes: tuple[Quote, ...]
    missing: tuple[str, ...]
    elsewhere: tuple[str, ...]
    own_grade: Grade | None = None

    @property
    def judged(self) -> Grade:
        """The person's grade if there is one, else the computed one."""
        return self.own_grade or self.grade


@dataclass(frozen=True, slots=True)
class Reference:
    """A document of the chart. `coverage` is that of all rows, `notes` are warnings about its text.

    `status` follows from its dates and the cut-off date; the draft's own family is not considered.
    """

    id: str
    title: str
    published: str
    priority: str
    status: Status
    language: str
    fingerprint: str
    coverage: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rise:
    """A row that a reference covers better than those before it."""

    row: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class CombinationStep:
    """One reference of a combination: the coverage with it, what it adds, and to which rows."""

    reference: str
    coverage: float
    adds: float
    rises: tuple[Rise, ...]


@dataclass(frozen=True, slots=True)
class ChartFinding:
    """The summary of one claim; claim 0 is all claims of the chart.

    `ranking` has the coverage of each reference that is prior art by its date, closest first; `combination` starts with
    the closest one that may be combined: its first two steps are the best pair with it, all three the best triple.
    `undisclosed` rows are in none of them, not even partly.
    """

    claim: int
    ranking: tuple[tuple[str, float], ...]
    combination: tuple[CombinationStep, ...]
    undisclosed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Elements by references. `cells` has a tuple for each row, in the order of `references`: closest first.

    `best` names the reference that covers each row best, `""` if none covers it.
    """

    rows: tuple[ChartRow, ...]
    references: tuple[Reference, ...]
    cells: tuple[tuple[Cell, ...], ...]
    best: tuple[str, ...]
    findings: tuple[ChartFinding, ...]
    notes: tuple[str, ...]
    cutoff: Cutoff
    draft_title: str
    draft_source: str
    draft_fingerprint: str
    corpus_fingerprint: str
    documents: int
    bridged: bool
    foreart: str
