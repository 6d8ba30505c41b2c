"""Fits the model of the unread to simulated reviews, and checks its quantiles on those that it was not fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from foreart.learning.simulated_reviews import PlayedCase, looks
from foreart.parallel import cores, parallel_map
from foreart.review.feedback import FeedbackWeights
from foreart.review.stopping import (
    EARLY,
    EDGES,
    FEWEST,
    STEP,
    ChanceCurve,
    GammaPrior,
    Levels,
    RecentFinds,
    StoppingModel,
    level_of,
    levels_of,
    log_likelihood,
    unread_at_most,
    unread_mean,
)
from foreart.search.ranking import fit_logistic

# Simulated reviews read this many documents, and are looked at after every step.
DEPTH = 250
_MOMENTS = tuple(range(STEP, DEPTH + 1, STEP))
# Chances are fitted at these moments.
_FITTED = frozenset((10, 30, 60, 100, 200))
_PENALTY = 1e-9
# Levels of a range that fewer reviews pass through are those of all ranges.
_ENOUGH = 30
_FEWEST_REVIEWS = 20
# A list of relevant documents is long from so many on. Of 8, 10, 12 and no such kind, 8 is the one with most reviews at
# which early intervals of held-out cold reviews with 12 and more held the truth in 90 %.
_LONG = 8


@dataclass(frozen=True, slots=True, eq=False)
class PlayedReview:
    """One simulated review, read to its end: what each moment had read and how sure it was of each document."""

    item: PlayedCase
    moments: tuple[tuple[np.ndarray, np.ndarray], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Moments of reviews: which review, how many were read and found, recent finds and chances, unread, truly left."""

    review: np.ndarray
    read: np.ndarray
    found: np.ndarray
    recent: np.ndarray
    expected: np.ndarray
    unread: np.ndarray
    left: np.ndarray

    def only(self, mask: np.ndarray) -> Outcomes:
        """Some of the moments."""
        columns = (self.review, self.read, self.found, self.recent, self.expected, self.unread, self.left)
        return Outcomes(*(column[mask] for column in columns))


class Truths(NamedTuple):
    """Moments of held-out reviews: P(M ≤ truth), P(M < truth), the mean of M, the review, its relevant documents.

    Also how many documents were read, and whether siblings of the query were among them.
    """

    below: np.ndarray
    under: np.ndarray
    means: np.ndarray
    reviews: np.ndarray
    totals: np.ndarray
    read: np.ndarray
    warm: np.ndarray


def fit_stopping(items: Sequence[PlayedCase], weights: FeedbackWeights) -> StoppingModel | None:
    """The model of the unread; None if there are too few reviews to check it."""
    if len(items) < _FEWEST_REVIEWS:
        return None

    def read(item: PlayedCase) -> PlayedReview:
        return PlayedReview(item, tuple((look.read, look.now.logits) for look in looks(item, weights, _MOMENTS)))

    reviews = parallel_map(read, items, cores())
    # Warm and cold reviews of one patent are judged by the same model.
    rows = sorted({review.item.case.fold for review in reviews})
    checked = [_checked(reviews, part) for part in rows] if len(rows) > 1 else [_checked(reviews, -1)]
    truths = Truths(*(np.concatenate(columns) for columns in zip(*checked, strict=True)))
    before, after, prior, scale = _fitted(reviews)
    ranges = np.array([level_of(mean) for mean in truths.means.tolist()])
    levels = [truth_levels(truths, ranges == place) for place in range(len(EDGES) + 1)]
    every = truth_levels(truths, np.ones(len(ranges), dtype=bool))
    chosen = tuple(item if item.reviews >= _ENOUGH else every for item in levels)
    count = len({review.item.case.row for review in reviews})
    return StoppingModel(before, after, prior, scale, chosen, count, early_levels(truths))


def early_levels(truths: Truths) -> tuple[tuple[Levels, ...], ...]:
    """For each range of EARLY the levels of warm reviews, of cold ones, and of those with long lists.

    Which of these a draft is cannot be told early; kinds with too few reviews are left out.
    """
    found, first = [], 0
    for last in EARLY:
        moments = (truths.read > first) & (truths.read <= last)
        kinds = [moments & kind for kind in (truths.warm, ~truths.warm, truths.totals >= _LONG)]
        enough = [mask for mask in kinds if len(np.unique(truths.reviews[mask])) >= _ENOUGH]
        found.append(
            tuple(
                levels_of(truths.below[mask], truths.under[mask], len(np.unique(truths.reviews[mask])))
                for mask in enough
            )
        )
        first = last
    return tuple(found)


def truth_levels(truths: Truths, mask: np.ndarray) -> Levels:
    """Levels of some moments. A review counts as often as it has relevant documents.

    Drafts have longer lists than most past patents, and of long lists more is left than the model says.
    """
    if not mask.any():
        return Levels()
    reviews = len(np.unique(truths.reviews[mask]))
    return levels_of(truths.below[mask], truths.under[mask], reviews, truths.totals[mask])


def _checked(reviews: Sequence[PlayedReview], fold: int) -> Truths:
    """Where the truth of a fold was under a model of the others."""
    before, after, prior, scale = _fitted([review for review in reviews if review.item.case.fold != fold])
    held = [review for review in reviews if fold in (review.item.case.fold, -1)]
    found = _outcomes(held, before, after)
    found = found.only(found.found >= FEWEST)
    given = (prior, found.recent, found.expected, found.unread * scale)
    return Truths(
        unread_at_most(*given, found.left),
        unread_at_most(*given, found.left - 1),
        unread_mean(*given),
        np.array([held[place].item.case.row for place in found.review.tolist()], dtype=np.int64),
        found.found + found.left,
        found.read,
        np.array([held[place].item.case.warm for place in found.review.tolist()], dtype=bool),
    )


def _fitted(reviews: Sequence[PlayedReview]) -> tuple[ChanceCurve, ChanceCurve, GammaPrior, float]:
    """Curves of chances, and the prior and scale under which what was unread is likeliest."""
    from scipy.optimize import minimize

    before, after = _before(reviews), _after(reviews)
    found = _outcomes(reviews, before, after)

    def loss(point: np.ndarray) -> float:
        shape, rate, scale = np.exp(np.clip(point, -6.0, 6.0)).tolist()
        given = (GammaPrior(shape, rate), found.recent, found.expected, found.unread * scale)
        return -float(log_likelihood(*given, found.left).mean())

    options = {"maxiter": 1500, "xatol": 1e-4, "fatol": 1e-7}
    best = minimize(loss, np.zeros(3), method="Nelder-Mead", options=options)
    shape, rate, scale = np.exp(np.clip(best.x, -6.0, 6.0)).tolist()
    return before, after, GammaPrior(shape, rate), scale


def _before(reviews: Sequence[PlayedReview]) -> ChanceCurve:
    """Chances by the score of the ranking alone."""
    scores = np.concatenate([review.item.scores for review in reviews])[:, None]
    relevant = np.concatenate([review.item.relevant for review in reviews]).astype(np.float64)
    fitted = fit_logistic(scores, relevant, ("score",), signs=(1,), penalty=_PENALTY)
    return ChanceCurve(fitted.intercept, float(fitted.weights[0]))


def _after(reviews: Sequence[PlayedReview]) -> ChanceCurve:
    """Chances of unread documents by the log-odds that order them, and by how many were read."""
    values, labels = [], []
    for review in reviews:
        for read, logits in review.moments:
            if len(read) in _FITTED:
                unread = _unread(read, len(logits))
                values.append(np.stack([logits[unread], np.full(len(unread), np.log1p(len(read)))], axis=1))
                labels.append(review.item.relevant[unread])
    relevant = np.concatenate(labels).astype(np.float64)
    fitted = fit_logistic(np.concatenate(values), relevant, ("logit", "read"), signs=(1, 0), penalty=_PENALTY)
    slope, read_slope = fitted.weights.tolist()
    return ChanceCurve(fitted.intercept, slope, read_slope)


def _outcomes(reviews: Sequence[PlayedReview], before: ChanceCurve, after: ChanceCurve) -> Outcomes:
    """Every moment at which something is unread, as a search would see it."""
    rows = []
    for number, review in enumerate(reviews):
        item, recent, done = review.item, RecentFinds(), 0
        chances = before.chances(item.scores)
        for read, logits in review.moments:
            if len(read) == len(logits):
                break
            latest = read[done:]
            recent = recent.then(float(item.relevant[latest].sum()), float(chances[latest].sum()), len(latest))
            done = len(read)
            chances = after.chances(logits, done)
            found = int(item.relevant[read].sum())
            unread = float(chances[_unread(read, len(logits))].sum())
            rows.append((number, done, found, recent.found, recent.expected, unread, item.case.total - found))
    columns = np.array(rows, dtype=np.float64).reshape(-1, 7).T
    return Outcomes(columns[0].astype(np.int64), *columns[1:])


def _unread(read: np.ndarray, count: int) -> np.ndarray:
    mask = np.ones(count, dtype=bool)
    mask[read] = False
    return np.flatnonzero(mask)
