"""A claim chart as data: elements of claims by references, each cell with verbatim quotes, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from foreart.document.elements import Kind
from foreart.search.charting.places import Place
from foreart.search.law.priority import Cutoff, Status

Grade = Literal["disclosed", "mostly", "partly", "hardly", "not found"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of an element that has weight. `weight` is its share of the element: those of an element sum to 1."""

    word: str
    weight: float


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One element: `1.2` is the third of claim 1, its preamble being `1.0`. `weight` is its share of all rows."""

    label: str
    claim: int
    text: str
    kind: Kind
    words: tuple[Word, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Match:
    """A word of a quote, `quote.text[start:end]`, that is `word` of the element.

    `credit` is what it counts for, from 0 to 1: all where it stands near a word beside which it stands in the element.
    `bridge` is True where it is another word that is near in meaning.
    """

    start: int
    end: int
    word: str
    credit: float
    bridge: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim piece of a document: `text` begins at `start` in the text of its place.

    `coverage` is what it has of the element alone, `adds` what it adds to the quotes before it.
    """

    text: str
    place: Place
    start: int
    coverage: float
    adds: float
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What one reference has of one element. `missing` words are in no quote; those `elsewhere` are in the document."""

    row: str
    reference: str
    coverage: float
    grade: Grade
    quotes: tuple[Quote, ...]
    missing: tuple[str, ...]
    elsewhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A document of the chart. `coverage` is that of all rows, `notes` say what the reader must know of its text.

    `status` is how it stands to the cut-off date; whether it is of the draft's own family is not looked at.
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
    """One reference of a combination: the coverage with it, what it adds, and where."""

    reference: str
    coverage: float
    adds: float
    rises: tuple[Rise, ...]


@dataclass(frozen=True, slots=True)
class ChartFinding:
    """What the cells of one claim say together; claim 0 is all claims of the chart.

    `ranking` has the coverage of each reference that counts by its date, closest first; `combination` begins with the
    closest one that may be combined: its first two steps are the best pair with it, all three the best triple.
    `undisclosed` rows are found in none of them even partly.
    """

    claim: int
    ranking: tuple[tuple[str, float], ...]
    combination: tuple[CombinationStep, ...]
    undisclosed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Elements by references. `cells` has a tuple for each row, in the order of `references`: closest first.

    `best` names the references that cover a row best, row by row, `""` where none has anything of it.
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
