"""The rows of a chart: elements of the draft's claims, each with its words and what they weigh."""

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
    """A row with the terms that are looked for."""

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
    """The elements of the independent claims, of some claims, or of all: of a dependent one its own features."""
    chosen = _elements(draft, tuple(claims), all_claims=all_claims)
    known = {item.numeral: item.name for item in numerals(draft.description_text)}
    words = [word for _, item in chosen for word in counted_words(item.text, draft.language, known)]
    idf = idf_by_stem(words, draft.language, frequencies, documents)
    found = [(label, item, terms_of(item.text, draft.language, idf, known)) for label, item in chosen]
    total = sum(term.weight for _, _, terms in found for term in terms)
    return tuple(ChartedElement(_row(label, item, terms, total), terms) for label, item, terms in found)


def _row(label: str, item: Element, terms: Sequence[ElementTerm], total: float) -> ChartRow:
    own = sum(term.weight for term in terms)
    words = tuple(Word(term.word, term.weight / own) for term in terms)
    return ChartRow(label, item.claim, item.text, item.kind, words, own / total)


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
    found: list[tuple[str, Element]] = []
    for number in wanted:
        if number in independent:
            found += [(f"{number}.{place}", item) for place, item in enumerate(independent[number])]
        else:
            found += own_features(known[number]) if number in known else []
    charted = [(label, item) for label, item in found if WORD.search(item.text)]
    if not charted:
        raise BadRequest("the draft has no claims that could be charted: `foreart draft` shows what was understood")
    return charted


def own_features(claim: Claim) -> list[tuple[str, Element]]:
    """What a dependent claim adds: its elements without the preamble that names the claims it refers to."""
    cut = [(f"{claim.number}.{place}", item) for place, item in enumerate(elements(claim.text, claim.number))]
    return [pair for pair in cut if pair[1].kind != "preamble"] or cut


def _listed(numbers: Iterable[int]) -> str:
    found = list(numbers)
    return f"claim {found[0]}" if len(found) == 1 else f"claims {found[0]} to {found[-1]}"
