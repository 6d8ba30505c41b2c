"""The tools `search` and `similar`: ranked documents, each with why it counts and its closest quote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from foreart.document.draft import Draft
from foreart.mcp.draft_input import draft_given
from foreart.mcp.tool_arguments import (
    Day,
    Document,
    File,
    From,
    Hits,
    Law,
    Must,
    Number,
    Offices,
    Symbols,
    Text,
    To,
    Without,
)
from foreart.mcp.tool_context import ToolContext
from foreart.mcp.verified_quotes import QuoteGate, VerifiedQuote, best_sentences
from foreart.report.exports.result_json import result_record
from foreart.search import Chance, Hit, Result
from foreart.search.charting import Place


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A hit. `status` and `rule` say by dates and law whether it counts; `chance` how often such scores were cited.

    `quote` is the closest passage, or null if there is none that can be verified; `family_members` are listed for it.
    """

    rank: int
    id: str
    title: str
    published: str
    priority: str
    applicants: tuple[str, ...]
    status: str
    rule: str
    score: float
    chance: Chance | None
    hub: bool
    family_members: tuple[str, ...]
    quote: VerifiedQuote | None


# No slots in results of tools: the library that makes their schemas would take these for defaults.
@dataclass(frozen=True)
class FoundDocuments:
    """The hits of a search, the cut-off date that counted and why, and what was left out.

    `compared` documents passed the filters, which removed `removed`; `missing_terms` are important rare terms of the
    draft that no hit has: then the hits may be about something else.
    """

    corpus: str
    documents: int
    cutoff: str
    cutoff_reason: str
    regime: str
    compared: int
    removed: dict[str, int]
    after_the_date: int
    own_family: list[str]
    missing_terms: list[str]
    notes: list[str]
    hits: list[FoundDocument]


def search(
    context: ToolContext,
    text: Text = "",
    number: Number = "",
    file: File = "",
    k: Hits = 10,
    cutoff: Day = "",
    regime: Law = "any",
    published_from: From = "",
    published_to: To = "",
    classes: Symbols = (),
    countries: Offices = (),
    must: Must = (),
    without: Without = (),
) -> FoundDocuments:
    """Find the prior art of a draft in the corpus of this machine, best first.

    Give the full text of the draft: its whole text is compared with the whole text of every patent, so a few keywords
    find less. Scores order documents by similarity; status and rule say whether a document counts by its dates. Use
    `explain` for why a document has its rank, and `chart` for what it discloses of the claims.
    """
    return found_documents(
        context,
        draft_given(context, text=text, number=number, file=file),
        k=k,
        cutoff=cutoff,
        regime=regime,
        published_from=published_from,
        published_to=published_to,
        classes=classes,
        countries=countries,
        must=must,
        without=without,
    )


def similar(context: ToolContext, number: Document, k: Hits = 10) -> FoundDocuments:
    """Find the documents most similar to a patent of the corpus that may count against it, best first.

    The number is a publication number, such as US7585299B2; its own family is left out.
    """
    return found_documents(context, draft_given(context, number=number), k=k)


def found_documents(context: ToolContext, draft: Draft, **options: Any) -> FoundDocuments:  # noqa: ANN401 of a search
    """The documents that a search with these options finds."""
    library = context.library
    result = library.search(draft, **options)
    record = result_record(result)
    gate = QuoteGate(library.corpus)
    hits = [_found(hit, gate) for hit in result]
    return FoundDocuments(
        corpus=result.corpus_fingerprint,
        documents=record["corpus"]["documents"],
        cutoff=result.cutoff.date,
        cutoff_reason=result.cutoff.source,
        regime=result.regime,
        compared=result.compared,
        removed=dict(record["removed"]["each"]),
        after_the_date=result.left_out_count,
        own_family=[item.id for item in result.own_family],
        missing_terms=list(result.missing_terms),
        notes=_notes(result, gate),
        hits=hits,
    )


def _found(hit: Hit, gate: QuoteGate) -> FoundDocument:
    quote = None
    if hit.passage is not None:
        words = [word for word, _ in hit.words]
        place = Place("description", number=hit.passage.number).label
        quote = gate.located(hit.id, best_sentences(hit.passage.text, words), place)
    return FoundDocument(
        rank=hit.rank,
        id=hit.id,
        title=hit.title,
        published=hit.published,
        priority=hit.priority,
        applicants=hit.applicants,
        status=hit.status,
        rule=hit.rule,
        score=float(hit.score),
        chance=hit.chance,
        hub=bool(hit.hub),
        family_members=tuple(member.id for member in hit.family_members),
        quote=quote,
    )


def _notes(result: Result, gate: QuoteGate) -> list[str]:
    if not result.hits:
        return [*result.notes, "no document of the corpus that may count is left: use fewer filters"]
    return [*result.notes, *gate.notes()]
