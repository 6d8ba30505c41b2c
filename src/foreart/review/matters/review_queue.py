"""Which document a rater reads next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from foreart.document.reference import is_literature
from foreart.records.record_data import Listed, SearchRecord
from foreart.review.matters.matter_events import Judged
from foreart.review.matters.matter_state import MatterState

# A document and how it was judged: relevant, maybe or no. Seeds are relevant.
Feedback = tuple[str, Judged]
# Documents with scores, best first, for what was judged.
Rerank = Callable[[Sequence[Feedback]], Sequence[tuple[str, float]]]


@dataclass(frozen=True, slots=True)
class QueuedDocument:
    """A document to read: its place and score in the present order, and the hit of the search, if it is one.

    `postponed` ones were put off with `later` and come after all others.
    """

    place: int
    id: str
    score: float
    hit: Listed | None
    postponed: bool = False


def review_order(
    search: SearchRecord, feedback: Sequence[Feedback], *, rerank: Rerank | None = None
) -> Sequence[tuple[str, float]]:
    """Documents with their scores in the order in which they are to be read, judged ones included or not.

    The one place where the order is decided: that of the search, unless a function ranks again by what was judged.
    """
    if rerank is not None:
        return rerank(feedback)
    return [(hit.id, hit.score) for hit in search.hits]


def review_queue(state: MatterState, rater: str, *, rerank: Rerank | None = None) -> tuple[QueuedDocument, ...]:
    """What a rater has not judged yet, best first, without seeds and ignored families; postponed documents last."""
    if state.search is None:
        return ()
    hits = {hit.id: hit for hit in state.search.hits}
    judged = {number: item.event.judgement for number, item in state.judged_by(rater).items()}
    excluded = {seed.event.document for seed in state.seeds}
    excluded |= {number for item in state.ignored for number in (item.event.document, *item.event.family)}
    first: list[tuple[str, float]] = []
    later: list[tuple[str, float]] = []
    for number, score in review_order(state.search, feedback_of(state, rater), rerank=rerank):
        hit = hits.get(number)
        numbers = {number, *(member.id for member in hit.family_members)} if hit else {number}
        judgement = _judgement(judged, numbers)
        if excluded.isdisjoint(numbers) and judgement in ("unjudged", "later"):
            (later if judgement == "later" else first).append((number, score))
    return tuple(
        QueuedDocument(place, number, score, hits.get(number), postponed=place > len(first))
        for place, (number, score) in enumerate((*first, *later), start=1)
    )


def feedback_of(state: MatterState, rater: str) -> list[Feedback]:
    """A rater's judgements of documents of the corpus, in order: seeds, then judgements.

    Literature is not in the corpus: it neither changes the order nor counts as found in it.
    """
    seeds: list[Feedback] = [(seed.event.document, "relevant") for seed in state.seeds]
    judged: list[Feedback] = [
        (item.event.document, item.event.judgement)
        for item in state.judgements
        if item.rater == rater
        and item.event.judgement in ("relevant", "maybe", "no")
        and not is_literature(item.event.document)
    ]
    return seeds + judged


def _judgement(judged: Mapping[str, Judged], numbers: set[str]) -> Judged:
    return next((judged[number] for number in sorted(numbers) if number in judged), "unjudged")
