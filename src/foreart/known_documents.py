"""Look-ups of documents that exist, by number, for programs that are not the command line."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.corpus.fronts import fronts_of
from foreart.document.draft import Draft
from foreart.errors import NotInCorpus, StaleIndex
from foreart.library import Library
from foreart.search.draft_source import publication_draft

# Documents listed for each relation; some documents are cited thousands of times.
MOST_RELATED = 500


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    """A document that is named beside another one."""

    id: str
    title: str
    published: str


@dataclass(frozen=True, slots=True)
class RelatedDocuments:
    """The documents of the corpus that a document cites, those that cite it, and its family."""

    id: str
    cites: tuple[RelatedDocument, ...]
    cited_by: tuple[RelatedDocument, ...]
    family: tuple[RelatedDocument, ...]


def require_corpus(library: Library) -> None:
    """NotInCorpus if the library is empty: looking into it must not create a corpus."""
    if not library.corpus_path.exists():
        raise NotInCorpus("the library has no documents yet: add files first")


def document_id(library: Library, number: str) -> str:
    """The id of a number, with or without kind code: the latest publication."""
    ids = library.corpus.find(number)
    if not ids:
        raise NotInCorpus(f"{number[:60]} is not in the corpus")
    return ids[-1]


def patent_draft(library: Library, number: str) -> Draft:
    """A patent of the corpus as a draft; the number is never read as the name of a file."""
    require_corpus(library)
    return publication_draft(document_id(library, number), library.corpus)


def related_documents(library: Library, number: str) -> RelatedDocuments:
    """What a document cites, what cites it, and its family, as far as they are in the corpus and indexed."""
    require_corpus(library)
    view, wanted = library.ranker().view, document_id(library, number)
    if wanted not in view.ids:
        raise StaleIndex(f"{wanted} was added after the indexes were built: build them again")
    row = view.ids.index(wanted)
    cited = view.rows_at(view.cited.row(row))
    citing = view.cited.overlap(view.own[row : row + 1]) > 0
    return RelatedDocuments(
        id=wanted,
        cites=_named(library, [view.ids[int(place)] for place in cited if place != row]),
        cited_by=_named(library, [view.ids[int(place)] for place in citing.nonzero()[0]]),
        family=_named(library, [view.ids[int(place)] for place in view.members([row]) if place != row]),
    )


def _named(library: Library, ids: list[str]) -> tuple[RelatedDocument, ...]:
    known = fronts_of(library.corpus, ids[:MOST_RELATED])
    return tuple(
        RelatedDocument(number, front.title, front.published)
        for number in ids[:MOST_RELATED]
        if (front := known.get(number)) is not None
    )
