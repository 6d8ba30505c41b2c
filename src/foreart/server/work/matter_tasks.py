"""What a matter needs of its library, as JSON; runs in worker processes and changes nothing."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from foreart.corpus.relations.families import family_of
from foreart.document.draft import Draft
from foreart.errors import IndexingError
from foreart.library import Library
from foreart.report.exports.explain_json import reasons_record
from foreart.review.casework.judged_reasons import judged_reasons
from foreart.review.casework.matter_forms import previewed_report, written_report
from foreart.review.casework.matter_review import MatterReview
from foreart.review.casework.matter_snapshot import MatterSnapshot
from foreart.review.casework.queue_details import Tokenizer, queue_detail
from foreart.review.casework.review_json import changes_record, detail_record, stopping_record
from foreart.review.casework.searched_matter import searched_request
from foreart.review.matters.export_options import ExportOptions
from foreart.server.work.reason_tasks import kept_explainer
from foreart.server.work.search_tasks import document_id, patent_draft, require_corpus, searched
from foreart.typed_json import to_json


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


def queue_task(library: Library, snapshot: MatterSnapshot, rater: str, limit: int, elsewhere: float) -> dict[str, Any]:
    """The first documents of a rater's queue, with their details."""
    require_corpus(library)
    review = MatterReview(snapshot, library, rater=rater)
    queue = review.queue(elsewhere=elsewhere, limit=limit)
    tokenize = _tokenizer(library, snapshot)
    return {
        "queue": [detail_record(queue_detail(item, library.corpus, tokenize)) for item in queue.items],
        "left": queue.left,
        "notes": list(review.notes),
        "changes": changes_record(review),
    }


def stopping_task(library: Library, snapshot: MatterSnapshot, rater: str, maybe: bool) -> dict[str, Any]:
    """What can be said of the unread documents of a rater."""
    require_corpus(library)
    return stopping_record(MatterReview(snapshot, library, rater=rater), maybe=maybe)


def matter_explain_task(
    library: Library, snapshot: MatterSnapshot, rater: str, numbers: Sequence[str], words: int
) -> dict[str, Any]:
    """Why documents have their score in a review, as `foreart matter explain --json` prints it."""
    require_corpus(library)
    review = MatterReview(snapshot, library, rater=rater)
    explainer = kept_explainer(library, searched_request(snapshot.state), words)
    ids = [document_id(library, number) for number in numbers]
    return reasons_record([judged_reasons(explainer.of(number), review) for number in ids])


def matter_report_task(library: Library, snapshot: MatterSnapshot, form: str, options: ExportOptions) -> str:
    """The report of a matter as a file of that form, in base64."""
    require_corpus(library)
    return base64.b64encode(written_report(snapshot, library, form, options)).decode("ascii")


def matter_preview_task(
    library: Library, snapshot: MatterSnapshot, form: str, options: ExportOptions
) -> dict[str, Any]:
    """What the report of a matter shows in that form."""
    require_corpus(library)
    found: dict[str, Any] = to_json(previewed_report(snapshot, library, form, options))
    return found


def _tokenizer(library: Library, snapshot: MatterSnapshot) -> Tokenizer | None:
    search = snapshot.state.search
    try:
        return library.ranker(str(search.parameters.get("index", ""))).words if search else None
    except IndexingError:
        return None
