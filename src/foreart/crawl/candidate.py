"""A document that a crawl found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from foreart.corpus import Packed, pack
from foreart.document.patent import Category, Patent
from foreart.document.reject import Reject
from foreart.identifiers.numbers import number_key

# Citations made by relatives only: Google Patents lists them along with those of the patent itself.
OF_RELATIVES = "family"


@dataclass(frozen=True, slots=True)
class Candidate:
    """The fields that conditions check, the numbers it links to, and a function that packs it for the corpus."""

    id: str
    published: str
    country: str
    cpc: tuple[str, ...]
    ipc: tuple[str, ...]
    citation_categories: frozenset[Category]
    cites: tuple[str, ...]
    relatives: tuple[str, ...]
    citing: tuple[str, ...]
    pack: Callable[[], Packed]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source returns for a number: documents, unreadable bytes, or nothing."""

    candidates: tuple[Candidate, ...] = ()
    reject: Reject | None = None


NOTHING = Answer()


def candidate(patent: Patent, *, citing: tuple[str, ...] = ()) -> Candidate:
    """The candidate of a parsed patent."""
    own = [citation for citation in patent.citations if citation.phase != OF_RELATIVES]
    family = {number_key(number) for number in patent.family_refs}
    return Candidate(
        id=patent.id,
        published=patent.published,
        country=patent.country,
        cpc=tuple(symbol.symbol for symbol in patent.cpc),
        ipc=tuple(symbol.symbol for symbol in patent.ipc),
        citation_categories=frozenset(citation.category for citation in own),
        cites=tuple(citation.id for citation in own if number_key(citation.id) not in family),
        relatives=patent.family_refs,
        citing=citing,
        pack=partial(pack, patent),
    )
