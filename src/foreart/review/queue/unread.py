"""Replays a review up to now and estimates what is still unread, look by look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.review.feedback import JudgedDocument, reranked
from foreart.review.queue.candidate_pool import CandidatePool
from foreart.review.queue.review_choice import ReviewChoice
from foreart.review.stopping import (
    FEWEST,
    LOOKS,
    STEP,
    RecentFinds,
    Stopping,
    StoppingModel,
    UnreadInterval,
    estimate_sentence,
    holds,
    in_a_row,
    no_estimate,
    recall_of,
    unread_interval,
)

# Looks kept from one call to the next; an undone judgement changes all that follow it.
_KEPT = 2000
_TOO_FEW_FOUND = f"Fewer than {FEWEST} are too few to estimate how many are still unread."

# A document as it was read: its row and its label.
_Reading = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedLook:
    """Chances by row of the pool at one moment, and those of unread documents, first to read first."""

    rows: np.ndarray
    chances: np.ndarray
    ahead: np.ndarray


class Unread:
    """The unread documents of a review; looks are computed once."""

    def __init__(self, pool: CandidatePool, choice: ReviewChoice) -> None:
        self._pool, self._choice = pool, choice
        self._looks: dict[_Reading, ReplayedLook] = {}

    def stopping(
        self, judged: Sequence[JudgedDocument], read: Sequence[str], *, target: float, confidence: float, maybe: bool
    ) -> Stopping:
        """The estimate after all judgements, and the rule at the last looks."""
        reading = self._reading(judged, read)
        found = _found(reading, maybe=maybe)
        empty = Stopping(found, len(reading), target, confidence, "")
        model = self._choice.model
        why = self._choice.missing or (_TOO_FEW_FOUND if found < FEWEST else "")
        if model is None or why:
            return replace(empty, sentence=no_estimate(found, len(reading), why))
        now = self._interval(reading, model, confidence)
        held = [True] if self._holds(reading, now, target, maybe) else [False]
        while held[0] and len(held) < LOOKS and len(held) < len(reading):
            earlier = reading[: len(reading) - len(held)]
            interval = self._interval(earlier, model, confidence)
            held.insert(0, self._holds(earlier, interval, target, maybe))
        count = in_a_row(held)
        estimate = replace(
            empty,
            left=now.left,
            low=now.low,
            high=now.high,
            recall=recall_of(found, now.left),
            recall_low=recall_of(found, now.high),
            recall_high=recall_of(found, now.low),
            ahead=now.ahead,
            beyond=now.beyond,
            held=count,
            may_stop=count >= LOOKS,
        )
        return replace(estimate, sentence=estimate_sentence(estimate, model.reviews))

    def _holds(self, reading: _Reading, interval: UnreadInterval, target: float, maybe: bool) -> bool:
        return holds(_found(reading, maybe=maybe), interval.high, target)

    def _reading(self, judged: Sequence[JudgedDocument], read: Sequence[str]) -> _Reading:
        """Judged rows that may be hits, in the order of reading; those that were not read are first, by id."""
        labels = {row: label for row, label in self._pool.labels(judged).items() if self._pool.admissible(row)}
        places = {row: place for place, row in reversed(list(enumerate(map(self._pool.row, read)))) if row in labels}
        known = sorted((row for row in labels if row not in places), key=lambda row: self._pool.ids(np.array([row])))
        order = [*known, *sorted(places, key=places.__getitem__)]
        return tuple((row, labels[row]) for row in order)

    def _interval(self, reading: _Reading, model: StoppingModel, confidence: float) -> UnreadInterval:
        """The estimate after some documents: chances of each step are compared with what was found in it."""
        recent, look = RecentFinds(), self._look((), model)
        for start in range(0, len(reading), STEP):
            latest = reading[start : start + STEP]
            rows = np.array([row for row, _ in latest], dtype=np.int64)
            expected = float(_chances(look, rows).sum())
            recent = recent.then(sum(label for _, label in latest), expected, len(latest))
            look = self._look(reading[: start + len(latest)], model)
        return unread_interval(model, recent, look.ahead, confidence, read=len(reading))

    def _look(self, reading: _Reading, model: StoppingModel) -> ReplayedLook:
        """Chances after some documents were judged."""
        if reading not in self._looks:
            if len(self._looks) >= _KEPT:
                self._looks.clear()
            labels = dict(reading)
            pool, given = self._pool.with_judged(labels)
            if reading:
                chances = model.after.chances(reranked(pool, given, self._choice.weights).logits, len(reading))
            else:
                chances = model.before.chances(pool.scores)
            judged = np.array(sorted(labels), dtype=np.int64)
            unread = pool.relations.places(np.setdiff1d(self._pool.ranked, judged))
            self._looks[reading] = ReplayedLook(pool.rows, chances, np.sort(chances[unread])[::-1])
        return self._looks[reading]


def _chances(look: ReplayedLook, rows: np.ndarray) -> np.ndarray:
    """The chances of some rows; those that were not in the pool yet are judged besides it and were not expected."""
    places = np.minimum(np.searchsorted(look.rows, rows), len(look.rows) - 1)
    return np.where(look.rows[places] == rows, look.chances[places], 0.0) if len(look.rows) else np.zeros(len(rows))


def _found(reading: _Reading, *, maybe: bool) -> int:
    """How many are relevant, or also maybe."""
    return sum(label >= (0.5 if maybe else 1.0) for _, label in reading)
