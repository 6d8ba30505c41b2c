"""Two-stage search: what it may miss, and what it never changes."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.index.query.costs import sums_cost
from foreart.index.query.engine import Engine
from foreart.index.query.two_stage import Stages, chosen, default_stages, staged_cost
from foreart.index.storage.weighting import Weighting
from index.random_snapshots import RandomSnapshot, random_snapshot

WEIGHTINGS = [Weighting(tf="log"), Weighting(), Weighting("bm25")]


@pytest.fixture(scope="module")
def drawn() -> RandomSnapshot:
    return random_snapshot(8, sizes=(900, 1, 700), words=2000, mean=60.0)


@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
def test_scores_are_exact_and_results_are_ranked(weighting: Weighting, drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, weighting)
    query = engine.query(drawn.words(40))
    true = dict(zip(*(each.tolist() for each in engine.top(query, len(drawn.ids), exact=True)), strict=True))
    rows, scores = Engine(drawn.snapshot, weighting, stages=Stages(0.5, 0.0, 60)).top(query, 20, exact=False)
    assert len(rows) == 20
    assert all(true[row] == score for row, score in zip(rows.tolist(), scores.tolist(), strict=True))
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)


@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
def test_first_stage_with_all_words_misses_nothing(weighting: Weighting, drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, weighting)
    query = engine.query(drawn.words(40))
    rows, scores = engine.top(query, 20, exact=True)
    staged = Engine(drawn.snapshot, weighting, stages=Stages(1.0, np.inf, 60))
    found, values = staged.top(query, 20, exact=False, threads=2)
    assert found.tolist() == rows.tolist()
    assert values.tolist() == scores.tolist()


def test_words_of_the_first_stage(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    words = drawn.words(40) | {word: 1 for word in sorted(set(drawn.words(41)) | set(drawn.words(1200)))}
    query, documents = engine.query(words), 100 * int(np.sort(engine.query(words).df)[5])
    taken = chosen(query, Stages(0.6, 0.0, 10), documents)
    rare = query.df * 100 <= documents
    assert 0 < rare.sum() < taken.sum() < len(query)
    assert taken[rare].all()
    energies = np.where(rare, 0.0, query.weights**2)
    assert energies[taken].sum() >= 0.6 * energies.sum()
    weakest = np.flatnonzero(taken & ~rare)[np.argmin(energies[taken & ~rare] / np.sqrt(query.df[taken & ~rare]))]
    assert energies[taken].sum() - energies[weakest] < 0.7 * energies.sum()
    assert (chosen(query, Stages(0.6, 3.0, 10), documents) >= taken).all()
    few = query.take(np.flatnonzero(taken))
    assert few.words == tuple(word for word, is_taken in zip(query.words, taken.tolist(), strict=True) if is_taken)


def test_two_stages_are_used_only_if_cheaper(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    blocks, query = engine._ready(1), engine.query(drawn.words(40))
    stages = Stages(0.6, 1.0, len(drawn.ids))
    taken = chosen(query, stages, len(drawn.ids))
    assert staged_cost(blocks, query, 10, stages, taken) > sums_cost(blocks, query) > sums_cost(blocks, query, taken)
    exact = engine.top(query, 10, exact=True)
    assert engine.top(query, 10, exact=False)[0].tolist() == exact[0].tolist()


def test_without_idf_there_are_no_two_stages() -> None:
    assert default_stages(Weighting(tf="log", idf=False)) is None
    assert default_stages(Weighting("bm25")) is not None
