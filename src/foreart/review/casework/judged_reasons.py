"""The explanation of a document in a matter: its score with what judgements add, as a sum."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from foreart.review.casework.matter_review import MatterReview
from foreart.review.casework.searched_matter import searched_request
from foreart.review.queue import CHANNEL, AddedToScore
from foreart.search.explaining import Cause, ChannelReason, Reasons

# What stands for the score of a ranking that is not learned, as a channel.
PLACE = "place in the list"
_ABOUT = "citations and topics that the document shares with documents that you judged"
_ABOUT_PLACE = "scores that are not learned have no scale: minus the logarithm of the place counts instead of the score"
_UNREVIEWED = "judgements add nothing: the last search of the matter cannot be ranked now"


def judged_reasons(reasons: Reasons, review: MatterReview) -> Reasons:
    """The reasons for a search score with one channel more, the judgements; all channels sum to the score of the queue.

    Words, ranks and status stay those of the search.
    """
    added = review.opened.reviewing.added(review.judged, reasons.id) if review.opened else None
    if added is None:
        return replace(reasons, notes=(*reasons.notes, _UNREVIEWED))
    channels = [*reasons.channels, _channel(added)]
    score = reasons.score + added.contribution
    if added.prior is not None:
        shift = added.prior - reasons.score
        channels.insert(-1, ChannelReason(PLACE, _ABOUT_PLACE, reasons.rank, added.prior, shift))
        score = added.prior + added.contribution
    return replace(reasons, score=score, channels=tuple(channels))


def _channel(added: AddedToScore) -> ChannelReason:
    causes = tuple(Cause(part.words, contribution=part.contribution) for part in added.parts)
    return ChannelReason(
        CHANNEL, _ABOUT, added.rank, added.contribution, added.contribution, causes=causes, causes_count=len(causes)
    )


def explained(review: MatterReview, numbers: Iterable[str], *, words: int = 15) -> tuple[Reasons, ...]:
    """The reasons for the scores of documents in a review."""
    explainer = review.library.explainer(searched_request(review.snapshot.state), words=words)
    return tuple(judged_reasons(explainer.of(number), review) for number in numbers)
