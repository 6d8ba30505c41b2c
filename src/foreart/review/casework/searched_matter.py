"""The last search of a matter as a request that can be asked again, and what has changed since."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version

from foreart.document.draft import Draft
from foreart.errors import MatterError
from foreart.records.change_causes import ChangeCause, causes
from foreart.records.documents import Turnover, turnover
from foreart.records.record_data import SearchRecord
from foreart.review.matters import MatterState
from foreart.search import Ranker, SearchRequest
from foreart.search.request import options_of


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """Something that is no longer as it was: `draft`, `corpus`, `ranking`, `parameters` or `versions`.

    `since` is `last search` for what has changed since then, `search before` for what that search changed.
    """

    kind: str
    since: str
    sentence: str


def searched_request(state: MatterState) -> SearchRequest:
    """The request of the last search: its draft, its options, and the cut-off date that counted."""
    if not state.searches:
        raise MatterError("this matter has no search yet: make one, with `foreart matter search NAME DRAFT`")
    record = state.searches[-1].event.record
    options = options_of(record.parameters) | {"cutoff": record.cutoff.date}
    return SearchRequest.of(searched_draft(state), **options)


def searched_draft(state: MatterState) -> Draft:
    """The version of the draft that the last search was for."""
    if not state.searches or not state.drafts:
        raise MatterError("this matter has no search of a draft yet: make one, with `foreart matter search NAME DRAFT`")
    search = state.searches[-1]
    wanted = search.event.record.draft.fingerprint
    before = [item.event.draft for item in state.drafts if item.n < search.n] or [state.drafts[0].event.draft]
    return next((draft for draft in reversed(before) if draft.fingerprint == wanted), before[-1])


def draft_changes(state: MatterState) -> tuple[ReviewChange, ...]:
    """Whether the draft has changed since the last search, and what that search changed of the one before it."""
    found: list[ReviewChange] = []
    if state.draft is not None and state.search is not None and state.draft != searched_draft(state):
        found.append(
            ReviewChange(
                "draft", "last search", "the draft has a newer version than the one searched for: search again"
            )
        )
    if len(state.searches) > 1:
        first, second = (item.event.record for item in state.searches[-2:])
        found += [_told(cause) for cause in causes(first, second, _turnover(first, second))]
    return tuple(found)


def library_changes(record: SearchRecord, ranker: Ranker) -> tuple[ReviewChange, ...]:
    """What has changed in the library since a search: its documents, its ranking, foreart itself."""
    found = []
    if ranker.view.corpus != record.corpus.fingerprint:
        count = f"{record.corpus.documents:,} documents then, {len(ranker.view):,} now"
        found.append(ReviewChange("corpus", "last search", f"the corpus has changed since the last search: {count}"))
    before = record.ranking.get("ranking") or {}
    now = ranker.ranking.fingerprint if ranker.ranking is not None else ""
    if now != str(before.get("fingerprint", "")):
        found.append(ReviewChange("ranking", "last search", "the ranking differs from that of the last search"))
    then = str(record.versions.get("foreart", ""))
    if then != version("foreart"):
        found.append(ReviewChange("versions", "last search", f"the last search was made by foreart {then}"))
    return tuple(found)


# Every queue says what has changed, and counting the documents of a large corpus takes long.
_counted = lru_cache(maxsize=4)(turnover)


def _turnover(first: SearchRecord, second: SearchRecord) -> Turnover:
    same = first.corpus.fingerprint == second.corpus.fingerprint
    return Turnover(0, 0, 0) if same else _counted(first.documents, second.documents)


def _told(cause: ChangeCause) -> ReviewChange:
    effect = f" ({cause.effect})" if cause.effect else ""
    sentence = f"the last search differs from the one before it in {cause.kind}, {cause.what}: {_values(cause)}{effect}"
    return ReviewChange(cause.kind, "search before", sentence)


def _values(cause: ChangeCause) -> str:
    return f"{cause.before} before, {cause.after} then"
