"""What a past ranking would be today: where the plain mean is too good by construction, the expectation is right."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.evaluation.formulas import JudgedRanking, average_precision, recall
from foreart.learning.crowding import Growth, grown, growth_of
from foreart.learning.examples import Examples
from foreart.learning.judging import METRICS, Judgement, held_out
from ranking_world import HandTexts, Town


def ranking(marks: np.ndarray, total: int) -> JudgedRanking:
    return JudgedRanking(marks.astype(np.int64), np.ones(total, dtype=np.int64))


def test_each_document_stands_for_as_many_of_its_kind() -> None:
    past = np.array([1, 0, 1, 0, 0, 1], dtype=bool)
    assert grown(past, 4, Growth())[0].tolist() == past.tolist()
    marks, total = grown(past, 4, Growth(2.0, 2.0))
    assert (marks.astype(int).tolist(), total) == ([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1], 8)
    marks, total = grown(past, 4, Growth(3.0, 1.0))
    assert (marks.astype(int).tolist(), total) == ([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1], 4)
    nothing, total = grown(np.zeros(0, dtype=bool), 3, Growth(5.0, 2.0))
    assert (nothing.any(), total) == (False, 6)


def test_a_hundred_places_are_half_as_many_in_twice_as_crowded_a_subject() -> None:
    past = np.random.default_rng(3).random(400) < 0.1
    total = int(past.sum()) + 5
    now = ranking(*grown(past, total, Growth(2.0, 2.0)))
    then = ranking(past, total)
    assert recall(now, 100) == pytest.approx(recall(then, 50), abs=1e-9)
    assert average_precision(now, None) == pytest.approx(average_precision(then, None), abs=0.03)


def test_the_plain_mean_of_small_corpora_is_too_good_and_the_expectation_is_not() -> None:
    """Scores of relevant and other documents are drawn alike; past queries knew a quarter of what there is today."""
    random = np.random.default_rng(7)
    plain, expected, true = [], [], []
    for _ in range(150):
        scores = np.concatenate([random.normal(2.0, 1.0, 10), random.normal(0.0, 1.0, 1000)])
        cited = np.arange(len(scores)) < 10
        then = np.concatenate([np.arange(10), 10 + random.choice(1000, 250, replace=False)])
        past = cited[then[np.argsort(-scores[then], kind="stable")]]
        texts = HandTexts(words=random.random(len(scores)))
        growth = growth_of(
            texts,  # type: ignore[arg-type]
            np.isin(np.arange(len(scores)), then),
            np.ones(len(scores), dtype=bool),
            listed=10,
            relevant=10,
        )
        assert growth.relevant == 1.0
        for found, judged in (
            (plain, ranking(past, 10)),
            (expected, ranking(*grown(past, 10, growth))),
            (true, ranking(cited[np.argsort(-scores, kind="stable")], 10)),
        ):
            found.append((average_precision(judged, None), recall(judged, 50)))
    one, two, real = (np.mean(found, axis=0) for found in (plain, expected, true))
    assert (one > real + 0.15).all()
    assert two == pytest.approx(real, abs=0.06)


def test_what_is_relevant_grows_as_far_as_the_whole_list() -> None:
    known = np.arange(400) < 100
    near = HandTexts(words=[float(row % 4 == 0) for row in range(400)])
    present = np.ones(400, dtype=bool)
    growths = [growth_of(near, known, present, listed=listed, relevant=10) for listed in (10, 20, 1000)]  # type: ignore[arg-type]
    crowding = 101 / 26
    assert growths == [Growth(crowding, 1.0), Growth(crowding, 2.0), Growth(crowding, crowding)]
    assert growth_of(near, present, present, listed=90, relevant=10) == Growth()  # type: ignore[arg-type]


def test_the_latest_query_has_no_growth_and_an_early_one_much(by_lot: Town) -> None:
    examples = Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph)
    early, last = (examples[row].growth for row in (25, 47))
    assert last == Growth()
    assert early.crowding == pytest.approx(48 / 26)
    assert early.relevant == 1.0, "its whole list is in the corpus"


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
