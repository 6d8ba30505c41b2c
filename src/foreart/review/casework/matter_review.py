"""The review of a matter by one rater: what to read next and why, and whether reading may end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from foreart.errors import BadRequest, IndexingError
from foreart.review.casework.matter_snapshot import MatterSnapshot, snapshot_of
from foreart.review.casework.review_cache import OpenedReview, opened_review
from foreart.review.casework.searched_matter import (
    ReviewChange,
    draft_changes,
    library_changes,
    searched_request,
)
from foreart.review.feedback import JudgedDocument
from foreart.review.labels import rater_name
from foreart.review.matters import Matter, MatterLibrary, QueuedDocument, review_queue
from foreart.review.matters.review_queue import Feedback
from foreart.review.queue import JudgementPart, Queued
from foreart.review.stopping import Stopping, no_estimate


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A document to read. Its score is that of the ranking plus `contribution`, which is the sum of `parts`.

    `chance` of being relevant is None if the order is that of the search record alone.
    """

    queued: QueuedDocument
    chance: float | None = None
    contribution: float = 0.0
    parts: tuple[JudgementPart, ...] = ()
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """The first documents to read; `left` is how many there are."""

    items: tuple[QueueItem, ...]
    left: int


class MatterReview:
    """A matter at one moment, reviewed by one rater with the judgements of that rater.

    The draft is compared once for a search; after that an order is computed within milliseconds. If the library cannot
    rank any more, the order is that of the search record, and `notes` say why.
    """

    def __init__(self, snapshot: MatterSnapshot, library: MatterLibrary, *, rater: str = "") -> None:
        self.snapshot, self.library = snapshot, library
        self.rater = rater and rater_name(rater)
        self.judged = snapshot.judged(self.rater)
        self.read = snapshot.read(self.rater)

    @classmethod
    def of(cls, matter: Matter, *, rater: str = "") -> MatterReview:
        """The review of an open matter as it is now; another one is made after every event."""
        return cls(snapshot_of(matter), matter.library, rater=rater)

    @cached_property
    def _opened(self) -> OpenedReview | str:
        """The review of the last search, or why it cannot be opened."""
        try:
            return opened_review(self.library, searched_request(self.snapshot.state))
        except (IndexingError, BadRequest) as error:
            return f"judgements do not change the order: {error}"

    @property
    def opened(self) -> OpenedReview | None:
        """The candidates of the last search; None if the library cannot rank them."""
        return None if isinstance(self._opened, str) else self._opened

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know of the order and of what cannot be estimated."""
        return (self._opened,) if isinstance(self._opened, str) else self._opened.reviewing.notes

    @property
    def changes(self) -> tuple[ReviewChange, ...]:
        """What is no longer as it was at the last search, and what that search changed; judgements stay."""
        search = self.snapshot.state.search
        if search is None:
            return ()
        changed = () if self.opened is None else library_changes(search, self.opened.ranker)
        return (*draft_changes(self.snapshot.state), *changed)

    def queue(self, *, elsewhere: float = 0.0, limit: int | None = None) -> ReviewQueue:
        """What the rater has not judged yet, first to read first; postponed documents last.

        `elsewhere` from 0 to 1 moves documents back whose topics are those of judged ones.
        """
        if not 0.0 <= elsewhere <= 1.0:
            raise BadRequest(f"elsewhere is {elsewhere!r}; it can be from 0 (more like these) to 1 (look elsewhere)")
        if self.opened is None or self.snapshot.state.search is None:
            plain = review_queue(self.snapshot.state, self.rater)
            return ReviewQueue(tuple(map(QueueItem, plain[:limit])), len(plain))
        reviewing = self.opened.reviewing
        found: dict[str, Queued] = {}

        def rerank(feedback: Sequence[Feedback]) -> Sequence[tuple[str, float]]:
            judged = [JudgedDocument(number, told) for number, told in feedback if told in ("relevant", "maybe", "no")]
            found.update((item.id, item) for item in reviewing.order(judged, elsewhere=elsewhere))
            return [(item.id, item.score) for item in found.values()]

        queue = review_queue(self.snapshot.state, self.rater, rerank=rerank)
        return ReviewQueue(tuple(self._item(item, found[item.id]) for item in queue[:limit]), len(queue))

    def stopping(self, *, maybe: bool = False) -> Stopping:
        """How many relevant documents are unread, and whether the rule of the matter lets reading end."""
        return self._stopping(self.read, maybe=maybe)

    def finds(self, *, maybe: bool = False) -> tuple[tuple[int, int], ...]:
        """For a plot: how many were found among the first 0, 1, 2 … documents that were read and judged."""
        labels = {item.id: item.label for item in self.judged}
        least, found, curve = (0.5 if maybe else 1.0), 0, [(0, 0)]
        for number in self.read:
            if number in labels:
                found += labels[number] >= least
                curve.append((len(curve), found))
        return tuple(curve)

    def _stopping(self, read: Sequence[str], *, maybe: bool) -> Stopping:
        rule = self.snapshot.rule
        if self.opened is not None:
            return self.opened.reviewing.stopping(
                self.judged, read, target=rule.target, confidence=rule.confidence, maybe=maybe
            )
        labels = {item.id: item.label for item in self.judged}
        found = sum(label >= (0.5 if maybe else 1.0) for label in labels.values())
        sentence = no_estimate(found, len(labels), f"How many are still unread cannot be estimated: {self.notes[0]}")
        return Stopping(found, len(labels), rule.target, rule.confidence, sentence)

    def _item(self, queued: QueuedDocument, ranked: Queued) -> QueueItem:
        if queued.hit is None and self.opened is not None:
            hit = self.opened.reviewing.listed(queued.id)
            queued = QueuedDocument(queued.place, queued.id, queued.score, hit, queued.postponed)
        return QueueItem(queued, ranked.chance, ranked.contribution, ranked.parts, ranked.elsewhere)
