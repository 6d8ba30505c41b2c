"""Which kind of draft this is: with siblings in the corpus, or without."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.search.ranking import KindRule, kind_rule


def test_the_threshold_separates_best() -> None:
    warm, cold = np.linspace(0.3, 0.9, 40), np.linspace(0.0, 0.25, 40)
    rule = kind_rule(warm, cold)
    assert rule == KindRule(pytest.approx(0.3), 1.0)  # type: ignore[arg-type]
    assert (rule.kind(0.3), rule.kind(0.29)) == ("warm", "cold")


def test_what_overlaps_is_right_for_a_part() -> None:
    warm, cold = np.array([0.1] * 10 + [0.8] * 30), np.array([0.1] * 30 + [0.8] * 10)
    rule = kind_rule(warm, cold)
    assert rule is not None
    assert (rule.threshold, rule.right) == (0.8, pytest.approx(0.75))


def test_too_few_of_a_kind_say_nothing() -> None:
    assert kind_rule(np.ones(19), np.zeros(500)) is None
    assert kind_rule(np.ones(500), np.zeros(19)) is None
