"""Simulated reviews: what decides in invented worlds is learned, and intervals hold the truth of others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.sparse import csr_array

from foreart.learning import learn, learn_review
from foreart.learning.review_cases import ReviewCase
from foreart.learning.review_training import fit_feedback
from foreart.learning.simulated_reviews import PlayedCase, looks
from foreart.learning.stopping_training import Truths, early_levels, fit_stopping, truth_levels
from foreart.review.feedback import RELATIONS, FeedbackWeights, Relations, reranked
from foreart.review.stopping import STEP, RecentFinds, StoppingModel, unread_interval
from ranking_world import Town

SIZE, TOPICS = 120, 3
PLAIN = FeedbackWeights(-4.0, 1.0, dict.fromkeys(RELATIONS, 0.0), topics=0.4)


def _case(number: int, *, matter: float, spread: float = 0.6) -> PlayedCase:
    """Chances are those of the score, times the luck of the case, and of its own direction of topics."""
    random = np.random.default_rng([7, number])
    topics = random.normal(size=(SIZE, TOPICS))
    topics /= np.linalg.norm(topics, axis=1)[:, None]
    scores = np.sort(random.normal(size=SIZE))[::-1].copy() * 1.5
    direction = random.normal(size=TOPICS)
    direction *= matter / np.linalg.norm(direction)
    logits = scores - 3.2 + topics @ direction + random.normal() * spread
    relevant = random.random(SIZE) < 1 / (1 + np.exp(-logits))
    empty = csr_array((SIZE, 1))
    relations = Relations(np.arange(SIZE), (empty, empty), csr_array((SIZE, SIZE)), (np.zeros(SIZE), np.zeros(SIZE)))
    known = np.packbits(np.ones(SIZE, dtype=bool))
    case = ReviewCase(number, np.arange(SIZE), scores, relevant, 0, SIZE, known, warm=False, fold=number % 3)
    return PlayedCase(case, scores, relevant, np.arange(SIZE), relations, topics)


def _held(items: Sequence[PlayedCase], weights: FeedbackWeights, model: StoppingModel) -> list[bool]:
    """Whether each interval of each review holds the truth."""
    found = []
    for item in items:
        recent, done, chances = RecentFinds(), 0, model.before.chances(item.scores)
        for look in looks(item, weights, range(STEP, SIZE, STEP)):
            latest = look.read[done:]
            recent = recent.then(item.relevant[latest].sum(), chances[latest].sum(), len(latest))
            done = len(look.read)
            chances = model.after.chances(look.now.logits, done)
            unread = np.setdiff1d(np.arange(SIZE), look.read)
            if item.relevant[look.read].sum() >= 3:
                said = unread_interval(model, recent, np.sort(chances[unread])[::-1], 0.9, read=done)
                found.append(said.low <= item.relevant[unread].sum() <= said.high)
    return found


@pytest.fixture(scope="module")
def world() -> list[PlayedCase]:
    return [_case(number, matter=1.5) for number in range(60)]


def test_early_levels_are_those_of_warm_and_cold_reviews_and_of_long_lists() -> None:
    """The truth of cold reviews is farther up, and that of long lists, half of them warm, farther still."""
    columns = []
    for number in range(160):
        warm, long = number % 2 == 0, number < 40
        high = 0.99 if long else 0.4 if warm else 0.8
        for read in (10, 40, 80):
            if read == 10 or number >= 11:  # 29 long ones are left at 40
                columns.append((high, high - 0.1, 1.0, number, 20 if long else 5, read, warm))
    values = [np.array(column) for column in zip(*columns, strict=True)]
    truths = Truths(*values[:-1], values[-1].astype(bool))
    early = early_levels(truths)
    assert [[item.reviews for item in kinds] for kinds in early] == [[80, 80, 40], [74, 75]]
    warm, cold, long = early[0]
    assert [item.interval(0.4)[1] for item in (warm, cold, long)] == pytest.approx([0.5, 0.7, 0.89])


def test_intervals_hold_the_truth_of_reviews_that_taught_nothing(world: list[PlayedCase]) -> None:
    model = fit_stopping(world[:40], PLAIN)
    assert model is not None
    assert model.reviews == 40
    assert 0.85 <= np.mean(_held(world[40:], PLAIN, model)) <= 0.98
    assert fit_stopping(world[:40], PLAIN) == model
    assert fit_stopping(world[:19], PLAIN) is None


def test_a_review_counts_as_often_as_it_has_relevant_documents() -> None:
    """One review in 22 is long and badly foreseen: that is a tail only if its length counts."""
    numbers = np.arange(110)
    long = numbers % 22 == 0
    under = np.where(long, 0.99, numbers / 220)
    means, rest = np.full(110, 2.0), (np.full(110, 20), numbers >= 0)
    found = truth_levels(Truths(under, under, means, numbers, np.where(long, 30.0, 3.0), *rest), numbers >= 0)
    assert found.reviews == 110
    assert found.interval(0.8)[1] == 0.99
    alike = truth_levels(Truths(under, under, means, numbers, np.full(110, 3.0), *rest), numbers >= 0)
    assert alike.interval(0.8)[1] == 0.5
    assert truth_levels(Truths(under, under, under, numbers, under, *rest), numbers < 0).reviews == 0


def test_topics_get_a_weight_where_they_decide_and_little_where_they_do_not(world: list[PlayedCase]) -> None:
    decided, blind = fit_feedback(world[:40]), fit_feedback([_case(number, matter=0.0) for number in range(40)])
    assert decided.topics > 3 * blind.topics
    assert 0.7 < blind.ranking < 1.3
    assert set(decided.relations.values()) == {0.0}  # nobody cites anything in this world


def test_a_review_reads_in_the_order_of_the_feedback(world: list[PlayedCase]) -> None:
    item = world[0]
    found = list(looks(item, PLAIN, (1, 2, 5, 1000)))
    assert [len(look.read) for look in found] == [1, 2, 5, SIZE]
    assert found[0].read.tolist() == [0]
    assert all(np.array_equal(look.given.places, np.sort(look.read)) for look in found)
    assert sorted(found[-1].read.tolist()) == list(range(SIZE))
    for look in found:  # a review of a person computes the same in one step
        assert reranked(look.pool, look.given, PLAIN).logits.tobytes() == look.now.logits.tobytes()


def test_learning_gives_every_held_out_query_as_a_case(by_lot: Town) -> None:
    cases: list[ReviewCase] = []
    learned = learn(by_lot.corpus, by_lot.inputs, observe=cases.append)
    ids = by_lot.inputs.view.ids
    assert {ids[case.row] for case in cases} == {number for fold in learned.folds for number in fold.ids}
    for case in cases:
        known = case.known(len(ids))
        assert known.sum() == case.documents
        assert known[case.rows].all()
        assert not known[case.row]
        assert (np.diff(case.scores) <= 0).all()
        assert case.total == case.relevant.sum() + case.outside > 0
        assert ids[case.row] in learned.folds[case.fold].ids
    review = learn_review(cases, by_lot.inputs, learned)
    assert review is not None
    assert review.ranking == learned.fingerprint
    assert review == learn_review(cases, by_lot.inputs, learned)
    assert review.weights.ranking > 0
    assert all(
        weight * (1 if name.endswith(", relevant") else -1) >= 0 for name, weight in review.weights.relations.items()
    )
    assert learn_review([], by_lot.inputs, learned) is None
