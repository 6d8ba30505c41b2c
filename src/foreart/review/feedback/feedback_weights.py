"""The learned weights of feedback: how much the ranking, citations and topics of judged documents count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from foreart.review.feedback.citation_relations import KINDS

# The sides of a judgement: relevant ones (maybe counts half), and the others.
SIDES = ("relevant", "not relevant")
RELATIONS = tuple(f"{kind}, {side}" for kind in KINDS for side in SIDES)


@dataclass(frozen=True, slots=True)
class FeedbackWeights:
    """The log-odds of relevance are intercept + ranking · score + relations + topics · u·z.

    `relations` weigh ln(1 + x) of each relation; u is the model of the matter, whose ridge penalty is `penalty`.
    """

    intercept: float
    ranking: float
    relations: Mapping[str, float] = field(default_factory=dict)
    topics: float = 1.0
    penalty: float = 0.3

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


def feedback_weights_of(record: Mapping[str, Any]) -> FeedbackWeights:
    """The weights of a record; ValueError where one is missing or not a number."""
    relations = {name: float(record["relations"][name]) for name in RELATIONS}
    weights = FeedbackWeights(
        float(record["intercept"]),
        float(record["ranking"]),
        relations,
        float(record["topics"]),
        float(record["penalty"]),
    )
    if weights.ranking <= 0 or weights.penalty <= 0:
        raise ValueError("the ranking and the penalty need weights above 0")
    return weights
