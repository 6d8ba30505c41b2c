"""Judgements that re-rank: citations and topics of judged documents, added to the learned score."""

from foreart.review.feedback.citation_relations import KINDS, Relations, relations_of
from foreart.review.feedback.elsewhere import ONE_IN, in_order, interleaved, moved, nearness
from foreart.review.feedback.family_rows import POOL, family_names, first_of_families
from foreart.review.feedback.feedback_weights import RELATIONS, SIDES, FeedbackWeights, feedback_weights_of
from foreart.review.feedback.matter_model import fit_matter, grown_products
from foreart.review.feedback.reranking import TOPICS, FeedbackPool, GivenJudgements, Reranked, related, reranked
from foreart.review.feedback.verdicts import LABELS, JudgedDocument, Verdict

__all__ = [
    "KINDS",
    "LABELS",
    "ONE_IN",
    "POOL",
    "RELATIONS",
    "SIDES",
    "TOPICS",
    "FeedbackPool",
    "FeedbackWeights",
    "GivenJudgements",
    "JudgedDocument",
    "Relations",
    "Reranked",
    "Verdict",
    "family_names",
    "feedback_weights_of",
    "first_of_families",
    "fit_matter",
    "grown_products",
    "in_order",
    "interleaved",
    "moved",
    "nearness",
    "related",
    "relations_of",
    "reranked",
]
