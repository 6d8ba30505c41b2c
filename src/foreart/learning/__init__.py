"""Weights of rankings and reviews, learned from the citations of a corpus."""

from foreart.learning.keeping import learn_and_keep
from foreart.learning.review_training import learn_review
from foreart.learning.training import learn

__all__ = ["learn", "learn_and_keep", "learn_review"]
