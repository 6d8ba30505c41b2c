"""What a past ranking would be today: where the plain mean is too good by construction, the expectation is right."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.evaluation.formulas import JudgedRanking, average_precision, recall
from foreart.learning.crowding import crowded, crowding_of
from foreart.learning.examples import Examples
from foreart.learning.judging import METRICS, Judgement, held_out
from ranking_world import HandTexts, Town


def ranking(marks: np.ndarray, total: int) -> JudgedRanking:
    return JudgedRanking(marks.astype(np.int64), np.ones(total, dtype=np.int64))


def test_each_document_stands_for_as_many_of_its_kind() -> None:
    past = np.array([1, 0, 1, 0, 0, 1], dtype=bool)
    marks, total = crowded(past, 4, 1.0)
    assert (marks.tolist(), total) == (past.tolist(), 4)
    marks, total = crowded(past, 4, 2.0)
    assert (marks.astype(int).tolist(), total) == ([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1], 8)
    marks, total = crowded(past, 4, 1.4)
    assert (marks.astype(int).tolist(), total) == ([1, 0, 0, 1, 0, 0, 0, 1], 6)
    nothing, total = crowded(np.zeros(0, dtype=bool), 3, 2.0)
    assert (nothing.any(), total) == (False, 6)


def test_a_hundred_places_are_half_as_many_in_twice_as_crowded_a_subject() -> None:
    past = np.random.default_rng(3).random(400) < 0.1
    total = int(past.sum()) + 5
    now, then = ranking(*crowded(past, total, 2.0)), ranking(past, total)
    assert recall(now, 100) == pytest.approx(recall(then, 50), abs=1e-9)
    assert average_precision(now, None) == pytest.approx(average_precision(then, None), abs=0.03)


def test_the_plain_mean_of_small_corpora_is_too_good_and_the_expectation_is_not() -> None:
    """Scores of relevant and other documents are drawn alike; past queries knew a quarter of what there is today."""
    random = np.random.default_rng(7)
    plain, expected, true = [], [], []
    for _ in range(150):
        cited = np.arange(1200) < 120
        scores = random.normal(np.where(cited, 1.5, 0.0), 1.0)
        then = np.flatnonzero(random.random(len(scores)) < 0.25)
        past = cited[then[np.argsort(-scores[then], kind="stable")]]
        known = np.isin(np.arange(len(scores)), then)
        texts = HandTexts(words=random.random(len(scores)))
        crowding = crowding_of(texts, known, np.ones(len(scores), dtype=bool))  # type: ignore[arg-type]
        for found, judged in (
            (plain, ranking(past, int(past.sum()))),
            (expected, ranking(*crowded(past, int(past.sum()), crowding))),
            (true, ranking(cited[np.argsort(-scores, kind="stable")], 120)),
        ):
            found.append((average_precision(judged, None), recall(judged, 100)))
    one, two, real = (np.mean(found, axis=0) for found in (plain, expected, true))
    assert one[1] > real[1] + 0.25
    assert two == pytest.approx(real, abs=0.03)


def test_the_crowd_is_counted_among_the_nearest() -> None:
    known = np.arange(400) < 100
    near = HandTexts(words=[float(row % 4 == 0) for row in range(400)])
    present = np.ones(400, dtype=bool)
    assert crowding_of(near, known, present) == 101 / 26  # type: ignore[arg-type]
    assert crowding_of(near, present, present) == 1.0  # type: ignore[arg-type]


def test_an_early_subject_is_more_crowded_today_and_the_latest_is_not(by_lot: Town) -> None:
    examples = Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph)
    early, last = (examples[row].crowding for row in (25, 47))
    assert (early, last) == (pytest.approx(48 / 26), 1.0)


def judgement(now: float, then: float) -> Judgement:
    figures = ({name: value for name in METRICS} for value in (then, now))
    return Judgement(*figures, np.array([1.0]), np.array([True]), False, 5, 0.0)


def test_siblings_count_once() -> None:
    """Nine siblings are easy and one patent is hard: of ten drafts on new subjects nine are not easy."""
    judgements = [[judgement(1.0, 1.0)] for _ in range(9)] + [[judgement(0.2, 0.6)]]
    found = held_out(judgements, [4] * 9 + [7], 3)
    assert found.cold["map"] == pytest.approx(0.6)
    assert found.cold["plain"]["map"] == found.metrics["map"] == pytest.approx(0.96)
    assert found.cold["groups"] == 2
    assert found.cold["intervals"]["recall@100"] == pytest.approx([0.2, 1.0])
    assert "siblings hidden" in found.cold["how"]


def test_nothing_cold_says_nothing() -> None:
    found = held_out([[Judgement(dict.fromkeys(METRICS, 1.0), {}, np.ones(1), np.ones(1), True, 5, 0.9)]], [1], 3)
    assert (found.metrics["map"], found.cold["judged"]) == (1.0, 0)
    assert "map" not in found.cold
