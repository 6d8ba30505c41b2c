"""What the expert's labels tell, by hand and by other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from foreart.paper.experiments.label_tables import Labels, agreement, correlations, label_metrics, outliers, panel
from foreart.review import JudgedPair

PAIRS = (
    JudgedPair("T1", "a", cited=True, score=5),
    JudgedPair("T1", "b", cited=True, score=1),
    JudgedPair("T1", "c", cited=False, score=4),
    JudgedPair("T1", "d", cited=False, score=0),
    JudgedPair("T2", "e", cited=False, score=2),
    JudgedPair("T2", "f", cited=True, score=3),
    JudgedPair("T2", "g", cited=False, score=0, stratum="low"),
)
COSINE = np.array([0.9, 0.5, 0.6, 0.1, 0.8, 0.4, 0.3])
LABELS = Labels(PAIRS, COSINE, np.array([0, 1, 2, 3, 4, 5, -1]))


def test_the_confusion_takes_the_expert_for_the_truth() -> None:
    found = agreement(LABELS)
    assert (found.true_positive, found.false_negative, found.false_positive, found.true_negative) == (2, 1, 1, 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.precision == pytest.approx(2 / 3)


def test_correlations_are_spearmans_over_the_graded_score() -> None:
    found = correlations(LABELS)
    score, cited = [5, 1, 4, 0, 2, 3, 0], [1, 1, 0, 0, 0, 1, 0]
    assert found["cosine", "score"] == pytest.approx(spearmanr(COSINE, score).statistic, abs=1e-12)
    assert found["cosine", "cited"] == pytest.approx(spearmanr(COSINE, cited).statistic, abs=1e-12)
    assert found["score", "cited"] == pytest.approx(spearmanr(score, cited).statistic, abs=1e-12)


def test_labels_that_do_not_differ_have_no_correlation() -> None:
    same = Labels(PAIRS[:2], COSINE[:2], np.array([0, 1]))
    assert correlations(same)["cosine", "cited"] is None
    assert label_metrics(same, np.array([0.1, 0.2]))["auc", "cited"] is None


def test_pairs_that_are_not_in_the_corpus_count_only_where_no_rows_are_needed() -> None:
    # Places 0 to 5 with scores 6 … 1: relevant are a (6), c (4), f (1); the others b (5), d (3), e (2).
    found = label_metrics(LABELS, np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0]))
    assert found["auc", "relevant"] == pytest.approx((3 + 2 + 0) / 9)
    assert found["ap", "relevant"] == pytest.approx((1 / 1 + 2 / 3 + 3 / 6) / 3)
    assert found["auc", "cited"] == pytest.approx((3 + 3 + 0) / 9)


def test_outliers_are_the_highest_of_their_kind() -> None:
    assert outliers(LABELS) == {"missed": ("T1", 2), "like": ("T2", 4), "cited": ("T1", 1)}


def test_the_papers_own_outliers_go_first() -> None:
    theirs = (*PAIRS, JudgedPair("US20150018885A1", "US20110087291A1", cited=False, score=5))
    labels = Labels(theirs, np.append(COSINE, 0.01), np.full(8, -1))
    assert outliers(labels)["missed"] == ("US20150018885A1", 7)


def test_a_panel_has_the_pairs_of_one_target_in_groups() -> None:
    shown = panel(LABELS, "T2", 4)
    assert shown["ids"] == ["e", "f", "g"]
    assert shown["groups"] == ["random, high", "cited", "random, low"]
    assert (shown["marked"], shown["marked_id"]) == (0, "e")
