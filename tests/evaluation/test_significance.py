"""Intervals and tests: against scipy, against plain loops, and by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import permutation_test

from foreart.errors import ForeartError
from foreart.evaluation import (
    Evaluation,
    auc,
    average_precision,
    compare,
    evaluate_run,
    intervals,
    labelled_pairs,
    qrels_of,
    randomisation,
    run_of,
)
from foreart.evaluation.resampling import resampled
from foreart.evaluation.significance import wins_ties_losses

QUERIES = [f"EP{number}" for number in range(1000001, 1000031)]
METRICS = ("map", "recall@5", "auc", "ap")


def evaluation(seed: int, *, bias: float = 0.0, decimals: int = 2, queries: list[str] = QUERIES) -> Evaluation:
    """Thirty queries with a few relevant documents among forty; a bias finds more of them."""
    random = np.random.default_rng(seed)
    judged = {query: [f"US{number}" for number in range(1 + place % 4)] for place, query in enumerate(queries)}
    scores = {
        query: {f"US{number}": random.random() + bias * (f"US{number}" in judged[query]) for number in range(40)}
        for query in queries
    }
    pairs = labelled_pairs(
        (
            query,
            np.round([scores[query][number] for number in judged[query]], decimals),
            np.round([score for number, score in scores[query].items() if number not in judged[query]], decimals),
        )
        for query in queries
    )
    qrels = qrels_of([(query, number, 1) for query, numbers in judged.items() for number in numbers])
    return evaluate_run(run_of(scores), qrels, METRICS, pairs=pairs)


@pytest.mark.parametrize("decimals", [1, 2, 9])
@pytest.mark.parametrize("numbers", [1 << 24, 64])
def test_every_draw_is_the_metric_over_the_queries_drawn(
    decimals: int, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each draw again, query by query with all its pairs, ties included; also where memory allows small steps only."""
    monkeypatch.setattr("foreart.evaluation.resampling._NUMBERS", numbers)
    found = evaluation(1, decimals=decimals)
    drawn = resampled(found, samples=20, seed=7)
    random = np.random.default_rng(7)
    assert found.pairs is not None
    for sample in range(20):
        places = random.integers(0, len(QUERIES), len(QUERIES))
        parts = [found.pairs.places == place for place in places]
        scores = np.concatenate([found.pairs.scores[part] for part in parts])
        labels = np.concatenate([found.pairs.labels[part] for part in parts])
        expected = {
            "map": found.per_query["map"][places].mean(),
            "recall@5": found.per_query["recall@5"][places].mean(),
            "auc": auc(scores, labels),
            "ap": average_precision(scores, labels),
        }
        assert {metric: values[sample] for metric, values in drawn.items()} == pytest.approx(expected, abs=1e-12)


def test_intervals_hold_the_value_and_are_the_percentiles_of_the_draws() -> None:
    found = evaluation(2)
    spans = intervals(found, samples=400, seed=3)
    drawn = resampled(found, samples=400, seed=3)
    for metric, value in found.values.items():
        assert spans[metric].low < value < spans[metric].high
        assert (spans[metric].low, spans[metric].high) == tuple(np.quantile(drawn[metric], [0.025, 0.975]))
    assert spans == intervals(found, samples=400, seed=3)
    assert spans != intervals(found, samples=400, seed=4)
    narrow = intervals(found, samples=400, level=0.5, seed=3)
    assert all(spans[metric].low < narrow[metric].low < narrow[metric].high < spans[metric].high for metric in METRICS)


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Ninety per cent of the intervals of samples from a known distribution hold its mean, give or take."""
    random = np.random.default_rng(5)
    qrels = qrels_of([(query, "US1", 1) for query in QUERIES])
    held = 0
    for _ in range(100):
        ranks = random.choice([1, 2, 4], len(QUERIES))
        run = run_of(
            {
                query: {"US1": -float(rank), "US2": -1.5, "US3": -3, "US4": -3.5}
                for query, rank in zip(QUERIES, ranks, strict=True)
            }
        )
        span = intervals(evaluate_run(run, qrels, ["mrr"]), samples=200, level=0.9)["mrr"]
        held += span.low <= (1 + 1 / 2 + 1 / 4) / 3 <= span.high
    assert 80 <= held <= 98


def test_what_no_interval_can_be_made_of() -> None:
    found = evaluation(1)
    with pytest.raises(ForeartError, match="at least 1 sample, not 0"):
        intervals(found, samples=0)
    with pytest.raises(ForeartError, match="level"):
        intervals(found, samples=5, level=95)


@pytest.mark.parametrize("seed", range(4))
def test_few_queries_are_tested_exactly(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = random.random(8).round(1), random.random(8).round(1)
    differences = other - one
    observed = abs(differences.sum())
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=8)
    ]
    expected = np.mean([total >= observed - 1e-9 for total in sums])
    assert randomisation(one, other) == pytest.approx(float(expected))
    scipys = permutation_test(
        (one, other), lambda x, y: float(np.mean(x - y)), permutation_type="samples", n_resamples=np.inf
    )
    assert randomisation(one, other) == pytest.approx(scipys.pvalue, abs=1e-9)


def test_many_queries_are_tested_by_sample_near_the_exact_value() -> None:
    random = np.random.default_rng(1)
    one = random.random(16)
    other = one + random.normal(0.1, 0.3, 16)
    exact = randomisation(one, other, samples=1 << 16)
    sampled = randomisation(one, other, samples=20_000, seed=2)
    assert sampled == pytest.approx(exact, abs=0.01)
    assert sampled == randomisation(one, other, samples=20_000, seed=2)
    assert sampled != randomisation(one, other, samples=20_000, seed=3)


def test_p_of_the_same_run_is_1_and_of_a_clear_case_is_small() -> None:
    values = np.linspace(0, 1, 60)
    assert randomisation(values, values) == 1.0
    assert randomisation(values, values + 0.2) == pytest.approx(1 / 10_001)
    assert randomisation(values[:3], values[:3] + 0.2) == pytest.approx(2 / 8)
    assert randomisation(np.array([0.1, np.nan]), np.array([0.2, 0.5])) == 1.0


def test_wins_ties_and_losses() -> None:
    one = np.array([0.1, 0.2, 0.3, 0.4, np.nan])
    assert wins_ties_losses(one, np.array([0.2, 0.2, 0.1, 0.9, 0.5])) == (2, 1, 1)


def test_several_runs_are_compared_with_the_first() -> None:
    runs = {"base": evaluation(1), "same": evaluation(1), "better": evaluation(2, bias=0.6)}
    contrasts = {(item.other, item.metric): item for item in compare(runs, samples=200, flips=2000)}
    assert list(contrasts) == [(name, metric) for name in ("same", "better") for metric in METRICS]
    for metric in METRICS:
        same, better = contrasts["same", metric], contrasts["better", metric]
        assert (same.baseline, same.difference, same.p, same.wins, same.losses) == ("base", 0.0, 1.0, 0, 0)
        assert (same.interval.low, same.interval.high) == (0.0, 0.0)
        assert better.difference == pytest.approx(runs["better"][metric] - runs["base"][metric])
        assert better.p < 0.02
        assert better.wins > 15 > better.losses
        assert 0 < better.interval.low < better.difference < better.interval.high


def test_runs_on_other_queries_cannot_be_compared() -> None:
    with pytest.raises(ForeartError, match="other and base were not evaluated on the same queries"):
        compare({"base": evaluation(1), "other": evaluation(1, queries=QUERIES[:10])})
