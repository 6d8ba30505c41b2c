"""Learned similarity: the gradient against differences, what it learns, and that explanations sum to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import fsum
from pathlib import Path

import numpy as np
import pytest

from foreart.document.draft import draft_of_patent
from foreart.learning import learn
from foreart.learning.examples import Examples
from foreart.learning.similarity_training import SimilarityPool
from foreart.search.ranking import LEARNED_CHANNELS, FusedRanker, Learned, load_learned, write_learned
from foreart.search.request import Emphasis
from ranking_world import Town, all_scores, all_signals, town


@pytest.fixture(scope="module")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    made = Town(tmp_path_factory.mktemp("similarity"), town("words"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def learned(by_words: Town) -> Learned:
    return learn(by_words.corpus, by_words.inputs)


@pytest.fixture(scope="module")
def pool(by_words: Town) -> SimilarityPool:
    examples = Examples(by_words.corpus, by_words.inputs, by_words.inputs.graph)
    table = by_words.inputs.texts.table("topics")
    assert table is not None
    return SimilarityPool(examples, "topics", table, range(20, 50), seed=0)


def test_the_gradient_is_that_of_the_loss(pool: SimilarityPool) -> None:
    size = pool._pool.shape[1]
    rng = np.random.default_rng(1)
    matrix = (12 * np.eye(size) + rng.standard_normal((size, size))).astype(np.float32)
    places, weights = np.arange(30), np.full(30, 1 / 30)
    counts = pool._cited.sum(axis=1)
    _, slope = pool._softmax(places, matrix, weights, counts)
    for _ in range(5):
        direction = rng.standard_normal((size, size))
        step = 1e-2
        ends = [
            pool._softmax(places, (matrix + sign * step * direction).astype(np.float32), weights, counts)[0]
            for sign in (1, -1)
        ]
        assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(float((slope * direction).sum()), rel=0.02, abs=1e-3)


def test_cited_documents_become_more_similar(pool: SimilarityPool) -> None:
    matrix = pool.fit(set())
    plain = np.eye(len(matrix), dtype=np.float32)

    def margin(used: np.ndarray) -> float:
        products = (pool._queries @ used) @ pool._pool.T
        others = pool._known & ~pool._cited
        return float(products[pool._cited].mean() - products[others].mean())

    assert margin(matrix) > margin(plain) + 0.01


def test_held_out_queries_do_not_matter(by_words: Town, pool: SimilarityPool) -> None:
    """The matrix without some queries is that of a pool whose citations of these queries are others."""
    changed = SimilarityPool.__new__(SimilarityPool)
    changed.__dict__.update(pool.__dict__)
    cited = pool._cited.copy()
    cited[:5] = np.roll(cited[:5], 3, axis=1)
    changed._cited = cited
    rows = set(range(20, 25))
    assert changed.fit(rows).tobytes() == pool.fit(rows).tobytes()
    assert changed.fit(set()).tobytes() != pool.fit(set()).tobytes()


def test_the_words_of_a_learned_channel_sum_to_its_value(by_words: Town, learned: Learned) -> None:
    ranker = FusedRanker(by_words.inputs, learned)
    assert set(learned.models.similarity) == set(LEARNED_CHANNELS)
    comparison = ranker.compare(draft_of_patent(by_words.patents[50]), by_words.scope(50))
    for channel in LEARNED_CHANNELS:
        for row in (3, 20, 44):
            shares = comparison.channel_words(channel, row)
            assert shares
            value = float(all_signals(comparison).columns[channel][row])
            assert fsum(share for _, share in shares) == pytest.approx(value, abs=1e-6)
    for row in (3, 20, 44):
        assert fsum(comparison.contributions(row).values()) == pytest.approx(all_scores(comparison)[row], abs=1e-9)


def test_the_file_holds_the_matrices_bit_for_bit(by_words: Town, learned: Learned, tmp_path: Path) -> None:
    again = load_learned(write_learned(learned, tmp_path))
    draft, scope = draft_of_patent(by_words.patents[50]), by_words.scope(50)
    one, other = (all_scores(FusedRanker(by_words.inputs, item).compare(draft, scope)) for item in (learned, again))
    assert one.tobytes() == other.tobytes()
    assert "float32" not in str(learned.to_record(matrices=False))


def test_matrices_of_other_topics_are_not_used(by_words: Town, learned: Learned) -> None:
    outdated = replace(learned, topics={name: "other" for name in learned.topics})
    ranker = FusedRanker(by_words.inputs, outdated)
    assert ranker.learned is not None
    assert learned.plain is not None
    assert ranker.learned.weights == learned.plain.weights
    assert not ranker.learned.models.similarity
    assert any("foreart learn" in note for note in ranker.notes)
    comparison = ranker.compare(draft_of_patent(by_words.patents[50]), by_words.scope(50))
    assert not set(LEARNED_CHANNELS) & set(comparison.known.columns)
    assert FusedRanker(by_words.inputs, learned).notes == ()
    assert ranker.emphasising(Emphasis(classes=("A61B 1",))).notes == ranker.notes
    assert ranker.unlearned(by_words.ids[40]).notes == ranker.notes
    held_out = ranker.unlearned(by_words.ids[40]).learned
    assert held_out is not None
    assert held_out.weights in learned.plain.fold_weights


def test_cold_figures_are_counted_beside_warm_ones(learned: Learned) -> None:
    assert learned.metrics["judged"] >= learned.cold["judged"] > 0
    assert set(learned.cold) == set(learned.metrics) | {"groups", "intervals", "plain"}
    for name, (low, high) in learned.cold["intervals"].items():
        assert low <= learned.cold[name] <= high
        assert 0 <= learned.cold["plain"][name] <= 1
    assert 1 < learned.cold["groups"] <= learned.cold["judged"]
