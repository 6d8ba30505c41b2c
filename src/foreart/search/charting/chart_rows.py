"""The rows of a chart: elements of the draft's claims, each with its weighted words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foreart.document.draft import Draft
from foreart.document.elements import Element, elements
from foreart.document.numerals import numerals
from foreart.document.patent import Claim
from foreart.errors import BadRequest
from foreart.search.charting.claim_chart import ChartRow, Word
from foreart.search.charting.element_terms import ElementTerm, Frequencies, counted_words, idf_by_stem, terms_of
from foreart.text.tokens import WORD


@dataclass(frozen=True, slots=True)
class ChartedElement:
    """A row with the terms to find."""

    row: ChartRow
    terms: tuple[ElementTerm, ...]


def rows_of(
    draft: Draft,
    frequencies: Frequencies,
    documents: int,
    *,
    claims: Iterable[int] = (),
    all_claims: bool = False,
) -> tuple[ChartedElement, ...]:
    """The elements of the independent claims, of some claims, or of all; of dependent claims their own features."""
    return weighted_rows(draft, _elements(draft, tuple(claims), all_claims=all_claims), frequencies, documents)


def weighted_rows(
    draft: Draft, chosen: Sequence[tuple[str, Element]], frequencies: Frequencies, documents: int
) -> tuple[ChartedElement, ...]:
    """Labelled elements, or other texts of a draft, with their terms; weights are comparable among them."""
    known = {item.numeral: item.name for item in numerals(draft.description_text)}
    words = [word for _, item in chosen for word in counted_words(item.text, draft.language, known)]
    idf = idf_by_stem(words, draft.language, frequencies, documents)
    weighted = [(label, item, terms_of(item.text, draft.language, idf, known)) for label, item in chosen]
    total = sum(term.weight for _, _, terms in weighted for term in terms)
    return tuple(ChartedElement(_row(label, item, terms, total), terms) for label, item, terms in weighted)


def _row(label: str, item: Element, terms: Sequence[ElementTerm], total: float) -> ChartRow:
    own = sum(term.weight for term in terms)
    words = tuple(Word(term.word, term.weight / own) for term in terms)
    return ChartRow(label, item.claim, item.text, item.kind, words, own / total)


def element_texts(draft: Draft) -> dict[str, str]:
    """The text of each row that a chart of all claims of a draft can have, by its label."""
    return {label: item.text for label, item in _elements(draft, (), all_claims=True)} if draft.claims else {}


def _elements(draft: Draft, claims: tuple[int, ...], *, all_claims: bool) -> list[tuple[str, Element]]:
    """Labelled elements in the order of claims: `1.0` is the preamble of claim 1."""
    independent: dict[int, list[Element]] = {}
    for item in draft.elements:
        independent.setdefault(item.claim, []).append(item)
    known = {claim.number: claim for claim in draft.claims}
    wanted = list(dict.fromkeys(claims)) or (list(known) if all_claims else list(independent))
    unknown = [number for number in wanted if number not in known and number not in independent]
    if unknown and known:
        raise BadRequest(f"the draft has no claim {unknown[0]}; it has {_listed(known)}")
    labelled: list[tuple[str, Element]] = []
    for number in wanted:
        if number in independent:
            labelled += [(f"{number}.{position}", item) for position, item in enumerate(independent[number])]
        else:
            labelled += own_features(known[number]) if number in known else []
    charted = [(label, item) for label, item in labelled if WORD.search(item.text)]
    if not charted:
        raise BadRequest("the draft has no claims to chart: `foreart draft` shows how it is parsed")
    return charted


def own_features(claim: Claim) -> list[tuple[str, Element]]:
    """The features that a dependent claim adds: its elements without the preamble."""
    labelled = [
        (f"{claim.number}.{position}", item) for position, item in enumerate(elements(claim.text, claim.number))
    ]
    return [pair for pair in labelled if pair[1].kind != "preamble"] or labelled


def _listed(numbers: Iterable[int]) -> str:
    claims = list(numbers)
    return f"claim {claims[0]}" if len(claims) == 1 else f"claims {claims[0]} to {claims[-1]}"
