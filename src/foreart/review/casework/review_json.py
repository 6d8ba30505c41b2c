"""The queue and the estimate of a review as JSON, the same for the command line and over HTTP."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from foreart.review.casework.matter_review import MatterReview
from foreart.review.casework.queue_details import QueueDetail
from foreart.review.queue import CHANNEL
from foreart.review.stopping import Stopping


def detail_record(detail: QueueDetail) -> dict[str, Any]:
    """A document of the queue with all that a judgement needs."""
    item, queued = detail.item, detail.item.queued
    hit = queued.hit
    record = {key: value for key, value in asdict(detail).items() if key != "item"}
    return {
        **record,
        "place": queued.place,
        "id": queued.id,
        "score": queued.score,
        "chance": item.chance,
        "judgements": {
            "channel": CHANNEL,
            "contribution": item.contribution,
            "parts": [asdict(part) for part in item.parts],
        },
        "elsewhere": item.elsewhere,
        "postponed": queued.postponed,
        "rank": hit.rank if hit else None,
        "status": hit.status if hit else "",
        "rule": hit.rule if hit else "",
        "family": [member.id for member in hit.family_members] if hit else [],
    }


def stopping_record(review: MatterReview, *, maybe: bool = False) -> dict[str, Any]:
    """The estimate with its rule, the finds to plot, and what has changed."""
    stopping: Stopping = review.stopping(maybe=maybe)
    return {
        "rater": review.rater,
        **asdict(stopping),
        "maybe": maybe,
        "rule": rule_record(review),
        "curve": [{"read": read, "found": found} for read, found in review.finds(maybe=maybe)],
        "notes": list(review.notes),
        "changes": changes_record(review),
    }


def changes_record(review: MatterReview) -> list[dict[str, str]]:
    """What is no longer as it was; judgements stay as they were made."""
    return [asdict(change) for change in review.changes]


def rule_record(review: MatterReview) -> dict[str, Any]:
    """The stopping rule, when it was set, and every rule of the log with how much had been read before."""
    snapshot = review.snapshot
    return {
        "target": snapshot.rule.target,
        "confidence": snapshot.rule.confidence,
        "in_log": bool(snapshot.rules),
        "fixed_before_reading": snapshot.fixed_before_reading,
        "sentence": snapshot.rule_sentence,
        "log": [asdict(rule) for rule in snapshot.rules],
    }
