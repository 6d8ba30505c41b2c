"""What a matter needs of its library, as JSON; runs in worker processes and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from foreart.corpus.relations.families import family_of
from foreart.document.draft import Draft
from foreart.errors import IndexingError
from foreart.library import Library
from foreart.review.matters import QueuedDocument
from foreart.review.matters.queue_details import Tokenizer, queue_detail
from foreart.server.work.search_tasks import document_id, patent_draft, require_corpus, searched
from foreart.typed_json import from_json, to_json


def located_task(library: Library, number: str) -> dict[str, Any]:
    """The id of a document, and the other publications of its family."""
    require_corpus(library)
    found = document_id(library, number)
    return {"document": found, "family": list(family_of(library.corpus, found))}


def draft_task(library: Library, number: str) -> dict[str, Any]:
    """A patent of the corpus as a draft, in full."""
    return {"draft": to_json(patent_draft(library, number))}


def matter_search_task(library: Library, draft: Draft, options: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a search. Families that are ignored may have left the corpus."""
    require_corpus(library)
    ignored = [number for number in options.get("ignore", ()) if number in library.corpus]
    return {"record": to_json(library.record(searched(library, draft, {**options, "ignore": ignored})))}


def queue_task(library: Library, queue: Sequence[Mapping[str, Any]], index: str) -> dict[str, Any]:
    """The details of some documents of a queue."""
    require_corpus(library)
    tokenize = _tokenizer(library, index)
    items: list[QueuedDocument] = [from_json(QueuedDocument, item) for item in queue]
    return {"queue": [_detail(library, item, tokenize) for item in items]}


def _detail(library: Library, item: QueuedDocument, tokenize: Tokenizer | None) -> dict[str, Any]:
    found = queue_detail(item, library.corpus, tokenize)
    hit = item.hit
    record = {key: value for key, value in asdict(found).items() if key != "queued"}
    return {
        **record,
        "place": item.place,
        "id": item.id,
        "score": item.score,
        "postponed": item.postponed,
        "rank": hit.rank if hit else None,
        "status": hit.status if hit else "",
        "rule": hit.rule if hit else "",
        "family": [member.id for member in hit.family_members] if hit else [],
    }


def _tokenizer(library: Library, index: str) -> Tokenizer | None:
    try:
        return library.ranker(index).words
    except IndexingError:
        return None
