"""Learns from simulated reviews of past patents: weights of feedback, and the model of the unread."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from foreart.learning.review_cases import ReviewCase
from foreart.learning.simulated_reviews import PlayedCase, looks, played
from foreart.learning.stopping_training import fit_stopping
from foreart.parallel import cores, parallel_map
from foreart.review.feedback import RELATIONS, SIDES, TOPICS, FeedbackWeights, related
from foreart.review.queue import TOPICS_INDEX, LearnedReview
from foreart.search.ranking import Learned, RankingInputs, fit_logistic

# Reviews are simulated of at most this many cases, evenly spread.
MAX_CASES = 400
# Feedback is learned from the states after so many judgements.
_STATES = (3, 6, 12, 25, 50, 80)
# Unread documents of a state: the best, and a sample of the others that stands for all of them.
_BEST, _SAMPLED = 300, 100
# Ridge penalty; a stronger one where relevant documents are no rare exceptions, as in a corpus of few documents.
_PENALTY, _RARE = 1e-5, 0.02
# The ranking weighs at least so much: judgements are measured in its units.
_LEAST = 0.05
_RIDGE = 0.3
# The model of topics counts so much while states are made from which its weight is learned.
_FIRST_TOPICS = 0.4
_NAMES = ("ranking", *RELATIONS, TOPICS)
# More related to relevant documents is never worse, more related to the others never better.
_SIGNS = (1, *(1 if name.endswith(f", {SIDES[0]}") else -1 for name in RELATIONS), 1)


def learn_review(
    cases: Sequence[ReviewCase], inputs: RankingInputs, learned: Learned | None = None, *, seed: int = 0
) -> LearnedReview | None:
    """What is learned from simulated reviews of the cases; None if no case has a relevant candidate."""
    chosen = [case for case in _spread(cases) if case.relevant.any()]
    if not chosen:
        return None
    table = inputs.texts.table(TOPICS_INDEX)
    items = [played(case, inputs.graph, table) for case in chosen]
    weights = fit_feedback(items, seed=seed)
    return LearnedReview(
        weights=weights,
        stopping=fit_stopping(items, weights),
        ranking="" if learned is None else learned.fingerprint,
        corpus=inputs.view.corpus,
        training={"reviews": len(items), "cases": len(cases), "states": list(_STATES), "seed": seed},
        versions={"python": platform.python_version(), "foreart": version("foreart"), "numpy": version("numpy")},
    )


def fit_feedback(items: Sequence[PlayedCase], *, seed: int = 0) -> FeedbackWeights:
    """Logistic regression over states of simulated reviews: ranking, relations and topics of unread documents."""
    first = _first_weights(items)
    states = parallel_map(lambda item: _states(item, first, seed), items, cores())
    tables = [table for found in states for table in found]
    if not tables:
        return first
    values, labels, counts = (np.concatenate(columns) for columns in zip(*tables, strict=True))
    penalty = _PENALTY * max(1.0, float(counts @ labels / counts.sum()) / _RARE)
    fitted = fit_logistic(values, labels, _NAMES, signs=_SIGNS, penalty=penalty, weights=counts)
    found = dict(zip(_NAMES, fitted.weights.tolist(), strict=True))
    ranking = max(found["ranking"], _LEAST)
    relations = {name: found[name] for name in RELATIONS}
    return FeedbackWeights(fitted.intercept, ranking, relations, found[TOPICS], _RIDGE)


def _first_weights(items: Sequence[PlayedCase]) -> FeedbackWeights:
    """The log-odds by the ranking alone."""
    scores = np.concatenate([item.scores for item in items])
    relevant = np.concatenate([item.relevant for item in items]).astype(np.float64)
    fitted = fit_logistic(scores[:, None], relevant, ("ranking",), signs=(1,), penalty=_PENALTY)
    nothing = dict.fromkeys(RELATIONS, 0.0)
    return FeedbackWeights(fitted.intercept, max(float(fitted.weights[0]), _LEAST), nothing, _FIRST_TOPICS, _RIDGE)


def _states(item: PlayedCase, weights: FeedbackWeights, seed: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Signals, labels and weights of unread documents at each state, as long as a relevant one is unread."""
    random = np.random.default_rng([seed, item.case.row])
    found = []
    for look in looks(item, weights, _STATES):
        unread = np.ones(len(item.relevant), dtype=bool)
        unread[look.read] = False
        if not item.relevant[unread].any():
            break
        order = np.flatnonzero(unread)
        order = order[np.argsort(-look.now.logits[order], kind="stable")]
        others = order[_BEST:]
        drawn = random.choice(others, min(_SAMPLED, len(others)), replace=False)
        counts = np.zeros(len(unread))
        counts[drawn] = len(others) / max(1, len(drawn))
        counts[order[:_BEST]] = counts[unread & item.relevant] = 1.0
        kept = np.flatnonzero(counts)
        relations = related(look.pool, look.given)
        matter = look.now.parts.get(TOPICS, np.zeros(len(unread))) * weights.ranking / weights.topics
        columns = (item.scores, *(relations[name] for name in RELATIONS), matter)
        values = np.stack([column[kept] for column in columns], axis=1)
        found.append((values, item.relevant[kept].astype(np.float64), counts[kept]))
    return found


def _spread(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    """At most so many cases, evenly spread."""
    if len(cases) <= MAX_CASES:
        return list(cases)
    return [cases[place * len(cases) // MAX_CASES] for place in range(MAX_CASES)]
