"""AUC, AP and the rest over labelled scores: against scikit-learn and scipy, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from foreart.errors import ForeartError
from foreart.evaluation import (
    Labelled,
    auc,
    average_precision,
    confusion,
    evaluate_run,
    histogram,
    judged_pairs,
    labelled_pairs,
    qrels_of,
    roc,
    run_of,
    run_pairs,
    spearman,
)

LOW = float("-inf")


def random_pairs(seed: int, *, steps: int, size: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels = random.random(size) < 0.1
    scores = random.normal(size=size) + labels
    return (np.round(scores * steps) / steps if steps else scores), labels.astype(int)


@pytest.mark.parametrize("steps", [0, 1, 5, 100])
@pytest.mark.parametrize("seed", range(3))
def test_auc_ap_and_roc_are_those_of_scikit_learn_ties_included(seed: int, steps: int) -> None:
    scores, labels = random_pairs(seed, steps=steps)
    assert auc(scores, labels) == pytest.approx(roc_auc_score(labels, scores), abs=1e-9)
    assert average_precision(scores, labels) == pytest.approx(average_precision_score(labels, scores), abs=1e-9)
    false, true, thresholds = roc_curve(labels, scores, drop_intermediate=False)
    curve = roc(scores, labels)
    np.testing.assert_allclose(curve.false_positive_rate, false, atol=1e-12)
    np.testing.assert_allclose(curve.true_positive_rate, true, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=40))
def test_auc_is_the_share_of_won_comparisons(pairs: list[tuple[int, bool]]) -> None:
    cited = [score for score, label in pairs if label]
    random = [score for score, label in pairs if not label]
    if not cited or not random:
        return
    won = sum((one > other) + (one == other) / 2 for one in cited for other in random)
    scores, labels = zip(*pairs, strict=True)
    assert auc(scores, labels) == pytest.approx(won / len(cited) / len(random), abs=1e-12)
    assert average_precision(scores, labels) == pytest.approx(average_precision_score(labels, scores), abs=1e-9)


def test_minus_infinity_is_below_all_and_equal_to_itself() -> None:
    scores = np.array([2.0, LOW, 1.0, LOW, 0.5, LOW])
    labels = np.array([1, 1, 0, 0, 1, 0])
    finite = np.where(np.isneginf(scores), -1e9, scores)
    assert auc(scores, labels) == pytest.approx(roc_auc_score(labels, finite))
    assert average_precision(scores, labels) == pytest.approx(average_precision_score(labels, finite))
    assert auc(scores, labels, tie_tolerance=1e-8) == pytest.approx(roc_auc_score(labels, finite))
    assert roc(scores, labels).thresholds.tolist() == [np.inf, 2.0, 1.0, 0.5, LOW]


def test_scores_within_the_tolerance_of_the_next_smaller_are_ties() -> None:
    """By hand: 3, then the chain 2.0, 1.95, 1.9 (0.1 from end to end), then 1."""
    scores, labels = [3.0, 2.0, 1.95, 1.9, 1.0], [0, 1, 0, 1, 0]
    assert auc(scores, labels) == pytest.approx((0 + 1 + 1 + 0 + 0 + 1) / 6)
    assert auc(scores, labels, tie_tolerance=0.0500001) == pytest.approx((0 + 0.5 + 1) * 2 / 6)
    assert average_precision(scores, labels) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert average_precision(scores, labels, tie_tolerance=0.0500001) == pytest.approx(2 / 4)
    assert roc(scores, labels, tie_tolerance=0.0500001).thresholds.tolist() == [np.inf, 3.0, 1.9, 1.0]


def test_the_tolerance_of_old_scikit_learn_makes_squared_small_scores_equal() -> None:
    """Why the paper's polynomial kernel is worse than its linear one: below 1e-4 the squares are ties."""
    random = np.random.default_rng(1)
    labels = (random.random(4000) < 0.2).astype(int)
    cosine = random.random(4000) * 1e-4 * (1 + labels)
    assert auc(cosine**2, labels) == pytest.approx(auc(cosine, labels), abs=1e-12)
    assert auc(cosine**2, labels, tie_tolerance=1e-8) < auc(cosine, labels, tie_tolerance=1e-8) - 0.1


@pytest.mark.parametrize("figure", [auc, average_precision, roc])
@pytest.mark.parametrize(
    ("scores", "labels", "told"),
    [
        ([1.0, float("nan")], [0, 1], "score 2 of 2 is NaN"),
        ([float("inf"), 1.0], [0, 1], "score 1 of 2 is"),
        ([1.0, 2.0], [0, 2], "labels are 1"),
        ([1.0], [0, 1], "1 scores and 2 labels"),
        ([1.0, 2.0], [1, 1], "both labels"),
        ([1.0, 2.0], [0, 0], "both labels"),
    ],
)
def test_what_cannot_be_compared_is_refused(figure: object, scores: list[float], labels: list[int], told: str) -> None:
    with pytest.raises(ForeartError, match=told):
        figure(scores, labels)  # type: ignore[operator]


def test_no_pairs_and_a_tolerance_below_0_are_refused() -> None:
    with pytest.raises(ForeartError, match="no pairs"):
        auc([], [])
    with pytest.raises(ForeartError, match="tie tolerance"):
        auc([1.0, 2.0], [0, 1], tie_tolerance=-1)


def test_histogram_counts_every_score_of_every_group_once() -> None:
    found = histogram({"cited": [0.0, 0.5, 1.0], "random": [0.1, LOW, 0.1]}, bins=2)
    assert found.edges.tolist() == [0.0, 0.5, 1.0]
    assert {name: counts.tolist() for name, counts in found.counts.items()} == {"cited": [1, 2], "random": [2, 0]}
    assert found.infinite == {"cited": 0, "random": 1}
    fixed = histogram({"a": [0.2, 5.0]}, bins=4, low=0.0, high=1.0)
    assert (fixed.edges.tolist(), fixed.counts["a"].tolist()) == ([0, 0.25, 0.5, 0.75, 1.0], [1, 0, 0, 0])
    assert histogram({"a": []}, bins=1).counts["a"].tolist() == [0]


def test_the_confusion_of_the_paper() -> None:
    """Table 2: search report against attorney."""
    truth = [1] * 65 + [1] * 18 + [0] * 86 + [0] * 281
    found = [1] * 65 + [0] * 18 + [1] * 86 + [0] * 281
    table = confusion(truth, found)
    assert (table.true_positive, table.false_negative, table.false_positive, table.true_negative) == (65, 18, 86, 281)
    assert (round(table.recall, 2), round(table.precision, 2)) == (0.78, 0.43)
    with pytest.raises(ForeartError, match="labels"):
        confusion([1, 0], [0.5, 0])


@pytest.mark.parametrize("seed", range(5))
def test_spearman_is_that_of_scipy_ties_included(seed: int) -> None:
    random = np.random.default_rng(seed)
    one = random.integers(0, 6, 200)
    other = one * 0.3 + random.normal(size=200).round(1)
    assert spearman(one, other) == pytest.approx(spearmanr(one, other).statistic, abs=1e-12)


def test_spearman_needs_values_that_differ() -> None:
    assert spearman([1, 2, 3], [10, 20, 30]) == pytest.approx(1.0)
    with pytest.raises(ForeartError, match="differ"):
        spearman([1, 1], [1, 2])
    with pytest.raises(ForeartError, match="NaN"):
        spearman([1, float("nan")], [1, 2])
    with pytest.raises(ForeartError, match="correlated"):
        spearman([1], [1, 2])


RUN = run_of({"EP1000001A1": {"US1A": 0.9, "US2A": 0.5, "US3A": 0.4}, "EP1000002A1": {"US3A": 0.8, "US1A": 0.7}})
QRELS = qrels_of(
    [("EP1000001B1", "US1B2", 1), ("EP1000001B1", "US3A", 0), ("EP1000002A1", "US9A", 1), ("EP1000002A1", "US1A", 2)]
)


def columns(pairs: Labelled) -> list[tuple[str, float, float]]:
    return [
        (pairs.queries[place], score, label)
        for place, score, label in zip(pairs.places, pairs.scores.tolist(), pairs.labels.tolist(), strict=True)
    ]


def test_pairs_of_a_run_where_it_lacks_documents() -> None:
    assert columns(run_pairs(RUN, QRELS, ["US2B1", "US7A"])) == [
        ("EP1000001B1", 0.9, 1),
        ("EP1000001B1", 0.5, 0),
        ("EP1000001B1", LOW, 0),
        ("EP1000002A1", LOW, 1),
        ("EP1000002A1", 0.7, 1),
        ("EP1000002A1", LOW, 0),
        ("EP1000002A1", LOW, 0),
    ]


def test_pairs_of_judged_documents() -> None:
    found = judged_pairs(RUN, QRELS)
    assert columns(found) == [
        ("EP1000001B1", 0.9, 1),
        ("EP1000001B1", 0.4, 0),
        ("EP1000002A1", LOW, 1),
        ("EP1000002A1", 0.7, 1),
    ]
    assert (len(found), found.cited) == (4, 3)
    assert columns(found.only(["EP1000002A1", "none"])) == [("EP1000002A1", LOW, 1), ("EP1000002A1", 0.7, 1)]


def test_evaluate_pools_pairs_over_queries_and_tells_each() -> None:
    pairs = labelled_pairs([("EP1000001B1", [0.9, 0.2], [0.5, 0.1]), ("EP1000002A1", [0.3], [0.4])])
    found = evaluate_run(RUN, QRELS, ["auc", "ap", "map"], pairs=pairs)
    scores, labels = [0.9, 0.2, 0.5, 0.1, 0.3, 0.4], [1, 1, 0, 0, 1, 0]
    assert found["auc"] == pytest.approx(roc_auc_score(labels, scores))
    assert found["ap"] == pytest.approx(average_precision_score(labels, scores))
    assert found.per_query["auc"].tolist() == [0.75, 0.0]
    assert found.per_query["ap"].tolist() == pytest.approx([(1 + 2 / 3) / 2, 1 / 2])
    assert found["map"] == pytest.approx((1 + 1 / 4) / 2)


def test_evaluate_compares_judged_documents_where_no_pairs_are_given() -> None:
    found = evaluate_run(RUN, QRELS, ["auc"])
    assert found["auc"] == pytest.approx((1 + 1 + 0) / 3)
    assert found.per_query["auc"][0] == 1.0
    assert np.isnan(found.per_query["auc"][1])
    with pytest.raises(ForeartError, match="auc and ap cannot be computed from 0 pairs that are not relevant and 1"):
        evaluate_run(RUN, qrels_of([("EP1000001", "US1", 1)]), ["auc", "ap"])


def test_the_tie_tolerance_reaches_the_pooled_metrics() -> None:
    pairs = labelled_pairs([("EP1000001B1", [0.50], [0.51])])
    assert evaluate_run(RUN, QRELS, ["auc"], pairs=pairs)["auc"] == 0.0
    assert evaluate_run(RUN, QRELS, ["auc"], pairs=pairs, tie_tolerance=0.1)["auc"] == 0.5
