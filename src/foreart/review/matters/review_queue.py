"""Which document a rater reads next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foreart.records.record_data import Listed, SearchRecord
from foreart.review.matters.matter_events import Judged
from foreart.review.matters.matter_state import MatterState
from foreart.search import Ranker

# A document and how it was judged: relevant, maybe or no. Seeds are relevant.
Feedback = tuple[str, Judged]


@dataclass(frozen=True, slots=True)
class QueuedDocument:
    """A document to read: its place and score in the present order, and the hit of the search.

    `postponed` ones were put off with `later` and come after all others.
    """

    place: int
    id: str
    score: float
    hit: Listed
    postponed: bool = False


def review_order(
    search: SearchRecord, feedback: Sequence[Feedback], *, ranker: Ranker | None = None
) -> Sequence[tuple[Listed, float]]:
    """The hits of a search with their scores in the order in which they are to be read, judged ones included.

    The one place where the order is decided: it is that of the search, whatever was judged.
    """
    return [(hit, hit.score) for hit in search.hits]


def review_queue(state: MatterState, rater: str, *, ranker: Ranker | None = None) -> tuple[QueuedDocument, ...]:
    """What a rater has not judged yet, best first, without seeds and ignored families; postponed documents last."""
    if state.search is None:
        return ()
    judged = {number: item.event.judgement for number, item in state.judged_by(rater).items()}
    excluded = {seed.event.document for seed in state.seeds}
    excluded |= {number for item in state.ignored for number in (item.event.document, *item.event.family)}
    first, later = [], []
    for hit, score in review_order(state.search, feedback_of(state, rater), ranker=ranker):
        numbers = {hit.id, *(member.id for member in hit.family_members)}
        if not excluded.isdisjoint(numbers):
            continue
        judgement = _judgement(judged, numbers)
        if judgement == "unjudged":
            first.append((hit, score))
        elif judgement == "later":
            later.append((hit, score))
    return tuple(
        QueuedDocument(place, hit.id, score, hit, postponed=place > len(first))
        for place, (hit, score) in enumerate((*first, *later), start=1)
    )


def feedback_of(state: MatterState, rater: str) -> list[Feedback]:
    """What a rater has told about relevance, in order: seeds, then judgements."""
    seeds: list[Feedback] = [(seed.event.document, "relevant") for seed in state.seeds]
    judged: list[Feedback] = [
        (item.event.document, item.event.judgement)
        for item in state.judgements
        if item.rater == rater and item.event.judgement in ("relevant", "maybe", "no")
    ]
    return seeds + judged


def _judgement(judged: Mapping[str, Judged], numbers: set[str]) -> Judged:
    return next((judged[number] for number in sorted(numbers) if number in judged), "unjudged")
