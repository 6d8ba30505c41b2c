"""The queue of a review: what to read next and why, and whether reading may end."""

from foreart.review.queue.candidate_pool import TOPICS_INDEX
from foreart.review.queue.learned_review import (
    CITATIONS,
    FILE,
    PLACES,
    TEXTS,
    LearnedReview,
    default_review,
    load_review,
    write_review,
)
from foreart.review.queue.queued import CHANNEL, AddedToScore, JudgementPart, Queued
from foreart.review.queue.reviewing import Reviewing, open_reviewing

__all__ = [
    "CHANNEL",
    "CITATIONS",
    "FILE",
    "PLACES",
    "TEXTS",
    "TOPICS_INDEX",
    "AddedToScore",
    "JudgementPart",
    "LearnedReview",
    "Queued",
    "Reviewing",
    "default_review",
    "load_review",
    "open_reviewing",
    "write_review",
]
