"""The tool `explain`: the exact contributions that sum to a score, and where the shared words stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from foreart.mcp.draft_input import draft_given
from foreart.mcp.tool_arguments import Day, Document, File, Law, Number, Text
from foreart.mcp.tool_context import ToolContext
from foreart.mcp.verified_quotes import QuoteGate, VerifiedQuote, best_sentences
from foreart.search import Chance
from foreart.search.explaining import Reasons
from foreart.search.explaining.bridges import Bridge
from foreart.search.explaining.reasons import ChannelReason, SharedTerm
from foreart.search.score_parts import Cause

# Of each kind, so that five documents fit into what a model reads at once.
_WORDS = 6
_TERMS = 15
_CAUSES = 5
Numbers = Annotated[
    tuple[Document, ...],
    Field(min_length=1, max_length=5, description="Publication numbers of the corpus, five at most."),
]


@dataclass(frozen=True, slots=True)
class WordContribution:
    """A word of the draft and what it contributes; null where channels are fused by ranks."""

    word: str
    contribution: float | None


@dataclass(frozen=True, slots=True)
class ExplainedChannel:
    """A way of comparing: the rank of the document there, and its contribution to the score.

    `words` have the highest shares of the channel's own value; `evidence` are documents, classes or people behind it.
    """

    channel: str
    about: str
    rank: int
    value: float
    contribution: float
    words: tuple[WordContribution, ...]
    evidence: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class TermPlaces:
    """A rare term of both texts, how many documents have it, and places where it stands in each."""

    term: str
    documents: int
    in_draft: tuple[str, ...]
    in_document: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GuessedBridge:
    """A guess that a word of the document means the same as another one of the draft. It adds nothing to the score."""

    draft_term: str
    document_term: str
    kind: str
    similarity: float
    in_document: tuple[str, ...]
    guess: bool = True


@dataclass(frozen=True, slots=True)
class ExplainedDocument:
    """Why a document has its score: `channels` and `rounding` sum to it, `words` and `words_rest` to its text part.

    `words_rest` is null where channels are fused by ranks: words change such a score only by changing a rank.
    """

    id: str
    title: str
    published: str
    score: float
    rank: int
    listed: bool
    status: str
    rule: str
    chance: Chance | None
    channels: tuple[ExplainedChannel, ...]
    rounding: float
    words: tuple[WordContribution, ...]
    words_rest: float | None
    shared_terms: tuple[TermPlaces, ...]
    bridges: tuple[GuessedBridge, ...]
    quotes: tuple[VerifiedQuote, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ExplainedDocuments:
    """The explanations of documents for one draft, all by the same search."""

    corpus: str
    cutoff: str
    cutoff_reason: str
    regime: str
    fusion: str
    documents: list[ExplainedDocument]
    notes: list[str]


def explain(
    context: ToolContext,
    numbers: Numbers,
    text: Text = "",
    number: Number = "",
    file: File = "",
    cutoff: Day = "",
    regime: Law = "any",
) -> ExplainedDocuments:
    """Explain why documents have their rank for a draft: exact contributions of channels and words to the score.

    Give the draft and the same cut-off as to `search`; ranks are those of that search without filters. Bridges between
    different words are guesses and are marked as such.
    """
    library = context.library
    ids = list(dict.fromkeys(library.corpus.latest(item) for item in numbers))
    draft = draft_given(context, text=text, number=number, file=file)
    explainer = library.explainer(draft, words=_WORDS, cutoff=cutoff, regime=regime)
    reasons = [explainer.of(item) for item in ids]
    gate = QuoteGate(library.corpus)
    documents = [_explained(item, gate) for item in reasons]
    first = reasons[0]
    return ExplainedDocuments(
        corpus=first.corpus_fingerprint,
        cutoff=first.cutoff.date,
        cutoff_reason=first.cutoff.source,
        regime=first.regime,
        fusion=first.fusion,
        documents=documents,
        notes=gate.notes(),
    )


def _explained(reasons: Reasons, gate: QuoteGate) -> ExplainedDocument:
    quotes = (
        gate.passed(reasons.id, item.spot.label, best_sentences(item.text, item.words)) for item in reasons.extracts
    )
    by_ranks = reasons.fusion == "ranks"
    return ExplainedDocument(
        id=reasons.id,
        title=reasons.title,
        published=reasons.published,
        score=float(reasons.score),
        rank=reasons.rank,
        listed=reasons.listed,
        status=reasons.status,
        rule=reasons.rule,
        chance=reasons.calibrated.chance if reasons.calibrated else None,
        channels=tuple(map(_channel, reasons.channels)),
        rounding=float(reasons.rounding),
        words=tuple(
            WordContribution(share.word, share.adds if by_ranks else float(share.contribution))
            for share in reasons.words
        ),
        words_rest=None if by_ranks else float(reasons.words_rest),
        shared_terms=tuple(map(_shared, reasons.terms[:_TERMS])),
        bridges=tuple(map(_bridge, reasons.bridges)),
        quotes=tuple(quote for quote in quotes if quote is not None),
        notes=reasons.notes,
    )


def _channel(reason: ChannelReason) -> ExplainedChannel:
    shares = reason.words.shown if reason.words else ()
    return ExplainedChannel(
        channel=reason.channel,
        about=reason.about,
        rank=reason.rank,
        value=float(reason.value),
        contribution=float(reason.contribution),
        words=tuple(WordContribution(share.word, float(share.contribution)) for share in shares),
        evidence=tuple(map(_evidence, reason.causes[:_CAUSES])),
        sentence=reason.sentence,
    )


def _evidence(cause: Cause) -> str:
    return " ".join(filter(None, (cause.name, cause.title, f"({cause.note})" if cause.note else "")))


def _shared(term: SharedTerm) -> TermPlaces:
    places = (tuple(spot.label for spot in where.spots) for where in (term.in_draft, term.in_document))
    return TermPlaces(term.term, term.documents, *places)


def _bridge(bridge: Bridge) -> GuessedBridge:
    return GuessedBridge(
        draft_term=bridge.draft.term,
        document_term=bridge.document.term,
        kind=bridge.kind,
        similarity=float(bridge.similarity),
        in_document=tuple(spot.label for spot in bridge.document.where.spots),
    )
