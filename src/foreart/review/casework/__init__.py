"""Matters at work: the queue and the estimate of a review, explanations, and reports."""

from foreart.review.casework.matter_review import MatterReview, QueueItem, ReviewQueue
from foreart.review.casework.matter_snapshot import DEFAULT_RULE, MatterSnapshot, RuleInLog, snapshot_of
from foreart.review.casework.searched_matter import ReviewChange

__all__ = [
    "DEFAULT_RULE",
    "MatterReview",
    "MatterSnapshot",
    "QueueItem",
    "ReviewChange",
    "ReviewQueue",
    "RuleInLog",
    "snapshot_of",
]
