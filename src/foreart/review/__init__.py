"""Relevance judgements of people: blind samples, labels and agreement."""

from foreart.review.agreement import Agreement, agreements, mean_agreement, weighted_kappa
from foreart.review.expert_set import STRATA, Item, choose_targets, expert_set
from foreart.review.judged import JudgedPair
from foreart.review.judged_pairs import read_judged
from foreart.review.labels import RELEVANT, Label, append_label, read_labels, read_raters
from foreart.review.session import Session, rater_order

__all__ = [
    "RELEVANT",
    "STRATA",
    "Agreement",
    "Item",
    "JudgedPair",
    "Label",
    "Session",
    "agreements",
    "append_label",
    "choose_targets",
    "expert_set",
    "mean_agreement",
    "rater_order",
    "read_judged",
    "read_labels",
    "read_raters",
    "weighted_kappa",
]
