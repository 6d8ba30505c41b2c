"""The documents that a document cites, those that cite it, and its family, as far as they are in the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foreart.corpus.corpus import Corpus
from foreart.corpus.fronts import fronts_of
from foreart.corpus.views.view import CorpusView
from foreart.errors import StaleIndex

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


def related_documents(number: str, corpus: Corpus, view: CorpusView) -> RelatedDocuments:
    """The relations of a document, given by its id, in a view; those that were removed since are left out."""
    if number not in view.ids:
        raise StaleIndex(f"{number} was added after the indexes were built: build them again")
    row = view.ids.index(number)
    cited = view.rows_at(view.cited.row(row))
    citing = view.cited.overlap(view.own[row : row + 1]) > 0

    def named(rows: Iterable[int]) -> tuple[RelatedDocument, ...]:
        ids = [view.ids[int(place)] for place in rows if place != row][:MOST_RELATED]
        known = fronts_of(corpus, ids)
        listed = ((each, known[each]) for each in ids if each in known)
        return tuple(RelatedDocument(each, front.title, front.published) for each, front in listed)

    return RelatedDocuments(number, named(cited), named(citing.nonzero()[0]), named(view.members([row])))
