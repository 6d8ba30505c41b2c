"""What is in a library, as JSON: statistics, facets, rejects, state; these tasks change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from foreart.corpus.indexed_corpus import changes_since
from foreart.corpus.integrity import reject_count
from foreart.corpus.statistics import statistics
from foreart.corpus.views.facet_columns import FacetColumns
from foreart.corpus.views.related_documents import related_documents
from foreart.document.draft import Draft
from foreart.document.reject import numbered_rejects
from foreart.errors import IndexingError
from foreart.index.published_state import published_state
from foreart.library import Library
from foreart.server.work.facets import facets
from foreart.server.work.search_tasks import document_id, request, require_corpus

# The columns of each corpus by its fingerprint, the last one used.
_columns: dict[str, tuple[str, FacetColumns]] = {}


def stats_task(library: Library) -> dict[str, Any]:
    """The statistics of the corpus, as `foreart stats --json` prints them."""
    require_corpus(library)
    return statistics(library.corpus).to_dict()


def rejects_task(library: Library, limit: int, offset: int) -> dict[str, Any]:
    """The records that could not be read, as `foreart rejects --json` prints them."""
    if not library.corpus_path.exists():
        return {"rejects": [], "next": None}
    found = list(islice(library.corpus.rejects(), offset, offset + limit + 1))
    listed = list(numbered_rejects(found[:limit], start=offset + 1))
    return {"rejects": listed, "next": offset + limit if len(found) > limit else None}


def state_task(library: Library) -> dict[str, Any]:
    """What the library has, what of it is searched, and so what can be done with it next."""
    exists = library.corpus_path.exists()
    return {
        "documents": len(library.corpus) if exists else 0,
        "rejects": reject_count(library.corpus) if exists else 0,
        "fingerprint": library.corpus.fingerprint if exists else "",
        "indexes": library.indexes,
        "citations": exists and library.corpus.has_citations,
        "learned": any((library.folder / "ranking").glob("learned*")),
        **(_searched(library) if exists and library.indexes else {"searched": 0, "changes": None}),
    }


def _searched(library: Library) -> dict[str, Any]:
    """How many documents searches compare, and how the corpus has changed since the indexes were built."""
    try:
        view = published_state(library.folder).view
        since = changes_since(library.corpus, view)
    except IndexingError as error:
        return {"searched": 0, "changes": {"added": 0, "replaced": 0, "removed": 0, "note": str(error)}}
    removed = len(since.removed)
    counts = {"added": since.added, "replaced": len(since.former) - removed, "removed": removed}
    return {"searched": len(view) - removed, "changes": {**counts, "note": since.note}}


def facets_task(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """How the documents that may be hits divide, before ranking."""
    asked = request(library, draft, options)
    found = library.answer(
        asked,
        lambda state, ranker: facets(
            asked, ranker, library.corpus, lambda: _facet_columns(library), postings=state.full_text_if_built
        ),
    )
    return asdict(found)


def citations_task(library: Library, number: str) -> dict[str, Any]:
    """The documents of the corpus that a document cites, those that cite it, and its family."""
    require_corpus(library)
    return asdict(related_documents(document_id(library, number), library.corpus, library.ranker().view))


def _facet_columns(library: Library) -> FacetColumns:
    state = library.corpus.fingerprint
    cached = _columns.get(str(library.folder))
    if cached is None or cached[0] != state:
        cached = _columns[str(library.folder)] = (state, FacetColumns.of(library.corpus))
    return cached[1]
