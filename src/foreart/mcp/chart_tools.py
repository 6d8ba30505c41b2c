"""The tool `chart`: which reference discloses which element of the claims, with verified quotes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from foreart.errors import BadFile, BadRequest
from foreart.mcp.draft_input import draft_given
from foreart.mcp.tool_arguments import Day, Document, File, Law, Number, Text
from foreart.mcp.tool_context import ToolContext
from foreart.mcp.verified_quotes import QuoteGate, VerifiedQuote
from foreart.search.charting import Cell, Chart, ChartFinding

NO_CLAIMS = "the draft has no claims to chart: put them under a heading CLAIMS, each with its number, `1. A …`"
References = Annotated[
    tuple[Document, ...],
    Field(min_length=1, max_length=10, description="Publication numbers of the corpus, ten at most."),
]
Claims = Annotated[
    tuple[Annotated[int, Field(ge=1, le=10_000)], ...],
    Field(max_length=50, description="Only these claims; without it, the independent ones."),
]


@dataclass(frozen=True, slots=True)
class ClaimElement:
    """An element of a claim: `1.0` is the preamble of claim 1. `best` is the reference that covers it best, if any."""

    label: str
    claim: int
    text: str
    kind: str
    best: str


@dataclass(frozen=True, slots=True)
class ChartedReference:
    """A reference, closest first: its status by dates alone, and how much of all elements it covers."""

    id: str
    title: str
    published: str
    status: str
    coverage: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChartedCell:
    """An element in a reference: `coverage` is the share of its words, weighted, that are disclosed close together.

    `missing` words are in no quote; those `elsewhere` are somewhere else in the document.
    """

    element: str
    reference: str
    grade: str
    coverage: float
    quotes: tuple[VerifiedQuote, ...]
    missing: tuple[str, ...]
    elsewhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CombinedReference:
    """A reference of the best combination: the coverage with it, and what it adds to those before."""

    reference: str
    coverage: float
    adds: float


@dataclass(frozen=True, slots=True)
class ClaimSummary:
    """The summary of a claim, or of all if `claim` is 0; elements that are `not_found` are in no reference."""

    claim: int
    closest: str
    combination: tuple[CombinedReference, ...]
    not_found: tuple[str, ...]


@dataclass(frozen=True)
class ChartedClaims:
    """Elements by references. Grades count words: whether an element is disclosed is for a person to decide."""

    corpus: str
    cutoff: str
    cutoff_reason: str
    elements: list[ClaimElement]
    references: list[ChartedReference]
    cells: list[ChartedCell]
    summaries: list[ClaimSummary]
    notes: list[str]


def chart(
    context: ToolContext,
    references: References,
    text: Text = "",
    number: Number = "",
    file: File = "",
    claims: Claims = (),
    cutoff: Day = "",
    regime: Law = "any",
) -> ChartedClaims:
    """Chart the claims of a draft against references: for each element what each discloses, with verbatim quotes.

    Every quote was looked up in the stored document; cite it with its document and place. Says which reference is
    closest, which combination covers most, and which elements are in none.
    """
    library = context.library
    ids = list(dict.fromkeys(library.corpus.latest(item) for item in references))
    draft = draft_given(context, text=text, number=number, file=file)
    if not draft.claims:
        raise BadRequest(NO_CLAIMS)
    try:
        made = library.chart(draft, ids, claims=claims, cutoff=cutoff, regime=regime)
    except BadFile as error:  # of the claims, which may have come from a file
        raise BadRequest(str(error)) from None
    return _answer(made, QuoteGate(library.corpus))


def _answer(made: Chart, gate: QuoteGate) -> ChartedClaims:
    cells = [_cell(cell, gate) for row in made.cells for cell in row]
    return ChartedClaims(
        corpus=made.corpus_fingerprint,
        cutoff=made.cutoff.date,
        cutoff_reason=made.cutoff.source,
        elements=[
            ClaimElement(row.label, row.claim, row.text, row.kind, best)
            for row, best in zip(made.rows, made.best, strict=True)
        ],
        references=[
            ChartedReference(item.id, item.title, item.published, item.status, item.coverage, item.notes)
            for item in made.references
        ],
        cells=cells,
        summaries=[_summary(finding) for finding in made.findings],
        notes=[*made.notes, *gate.notes()],
    )


def _cell(cell: Cell, gate: QuoteGate) -> ChartedCell:
    quotes = (gate.passed(cell.reference, quote.place.label, quote.text) for quote in cell.quotes)
    return ChartedCell(
        element=cell.row,
        reference=cell.reference,
        grade=cell.grade,
        coverage=float(cell.coverage),
        quotes=tuple(quote for quote in quotes if quote is not None),
        missing=cell.missing,
        elsewhere=cell.elsewhere,
    )


def _summary(finding: ChartFinding) -> ClaimSummary:
    return ClaimSummary(
        claim=finding.claim,
        closest=finding.ranking[0][0] if finding.ranking else "",
        combination=tuple(
            CombinedReference(step.reference, float(step.coverage), float(step.adds)) for step in finding.combination
        ),
        not_found=finding.undisclosed,
    )
