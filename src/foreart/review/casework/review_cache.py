"""The reviews that were opened last: an order after a judgement must not compare the draft again."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

from foreart.review.feedback import JudgedDocument
from foreart.review.matters import MatterLibrary
from foreart.review.queue import Reviewing, open_reviewing
from foreart.search import Ranker, SearchRequest

# Each holds the comparison of a draft with every document.
_MOST = 4


@dataclass(frozen=True, slots=True, eq=False)
class OpenedReview:
    """A review of a request, and the ranker and state of the corpus that it is of."""

    request: SearchRequest
    reviewing: Reviewing
    ranker: Ranker
    corpus: str


_opened: WeakKeyDictionary[MatterLibrary, list[OpenedReview]] = WeakKeyDictionary()
_lock = Lock()


def opened_review(library: MatterLibrary, request: SearchRequest) -> OpenedReview:
    """The review of a request, opened once until the corpus, an index or a ranking changes."""
    ranker, corpus = library.ranker(request.index, ranking=request.ranking), library.corpus.fingerprint
    with _lock:
        kept = _opened.setdefault(library, [])
        kept[:] = [item for item in kept if item.corpus == corpus]
        found = next((item for item in kept if item.ranker is ranker and item.request == request), None)
        if found is None:
            found = _compared(library, request, corpus)
        else:
            kept.remove(found)
        kept.append(found)
        del kept[:-_MOST]
    return found


def _compared(library: MatterLibrary, request: SearchRequest, corpus: str) -> OpenedReview:
    opened = library.answer(
        request,
        lambda state, ranker: OpenedReview(
            request, open_reviewing(ranker, request, library.corpus, state=state), ranker, corpus
        ),
    )
    # What the first judgement needs is computed, and compiled, before a person waits for it.
    for first in opened.reviewing.order([], limit=1):
        opened.reviewing.order([JudgedDocument(first.id, "relevant")], limit=1)
    return opened
