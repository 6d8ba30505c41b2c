"""Orders candidates by the learned ranking and the judgements so far, as one sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.review.feedback.citation_relations import KINDS, Relations
from foreart.review.feedback.feedback_weights import SIDES, FeedbackWeights
from foreart.review.feedback.matter_model import fit_matter, grown_products

# The part of a score that is of the model of topics.
TOPICS = "topics"


@dataclass(frozen=True, slots=True, eq=False)
class FeedbackPool:
    """Candidates and judged documents: scores of the ranking, unit rows of topics, relations, all by ascending row."""

    scores: np.ndarray
    topics: np.ndarray
    relations: Relations

    @property
    def rows(self) -> np.ndarray:
        """The rows of the corpus, ascending."""
        return self.relations.rows


@dataclass(frozen=True, slots=True, eq=False)
class GivenJudgements:
    """Places in a pool, ascending, with labels: 1 relevant, ½ maybe, 0 not relevant."""

    places: np.ndarray
    labels: np.ndarray

    @property
    def counting(self) -> Mapping[str, np.ndarray]:
        """For each side the weight of every judged document."""
        return dict(zip(SIDES, (self.labels, (self.labels == 0).astype(np.float64)), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Reranked:
    """Log-odds of relevance, and what judgements add to the score of the ranking, by place in the pool.

    `added` is the sum of the columns of `parts`. `matter` is what each judged document adds to the model of topics.
    """

    logits: np.ndarray
    added: np.ndarray
    parts: Mapping[str, np.ndarray]
    matter: np.ndarray


def reranked(
    pool: FeedbackPool, given: GivenJudgements, weights: FeedbackWeights, *, products: np.ndarray | None = None
) -> Reranked:
    """The pool after some judgements. Parts are divided by the weight of the ranking, so that its score stays as it is.

    `products` are those of the topics of judged documents with each other, if they are known. A judged document is
    related to the other ones only; there is no model of topics before one is relevant.
    """
    parts = _relation_parts(pool, given, weights)
    offsets = weights.intercept + weights.ranking * (pool.scores + _summed(parts, len(pool.scores)))
    matter = np.zeros(len(given.places))
    if given.labels.any() and pool.topics.shape[1]:
        judged = pool.topics[given.places]
        if products is None:
            products = grown_products(np.empty((0, 0)), judged)
        matter = fit_matter(
            products, offsets[given.places], given.labels, np.ones(len(given.places)), penalty=weights.penalty
        )
        matter *= weights.topics / weights.ranking
        parts[TOPICS] = np.einsum("ij,j->i", pool.topics, np.einsum("ji,j->i", judged, matter))
    added = _summed(parts, len(pool.scores))
    return Reranked(weights.intercept + weights.ranking * (pool.scores + added), added, parts, matter)


def related(pool: FeedbackPool, given: GivenJudgements) -> dict[str, np.ndarray]:
    """ln(1 + x) of each relation to judged documents of each side."""
    found = {}
    for side, counts in given.counting.items():
        weights = np.zeros(len(pool.scores))
        weights[given.places] = counts
        for kind, sums in zip(KINDS, pool.relations.sums(weights), strict=True):
            found[f"{kind}, {side}"] = np.log1p(sums)
    return found


def _relation_parts(pool: FeedbackPool, given: GivenJudgements, weights: FeedbackWeights) -> dict[str, np.ndarray]:
    return {
        name: weights.relations.get(name, 0.0) / weights.ranking * values
        for name, values in related(pool, given).items()
    }


def _summed(parts: Mapping[str, np.ndarray], size: int) -> np.ndarray:
    return sum(parts.values(), np.zeros(size))
