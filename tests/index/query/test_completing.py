"""Two-stage search: both stages sum to the full score; the second completes as many candidates as necessary."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.index.query import completing
from foreart.index.query.completing import completed
from foreart.index.query.engine import Engine
from foreart.index.query.exact import Blocks
from foreart.index.query.splitting import Split
from foreart.index.query.two_stage import Stages, _segments, candidate_limit, chosen
from foreart.index.scoring.allowed import allowed_by
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.weighting import Weighting
from index.random_snapshots import RandomSnapshot, random_snapshot

WEIGHTINGS = [Weighting(tf="log"), Weighting(), Weighting(tf="binary"), Weighting("bm25")]


@pytest.fixture(scope="module")
def drawn() -> RandomSnapshot:
    return random_snapshot(12, sizes=(900, 1, 700), words=2000, mean=60.0)


Near = tuple[np.ndarray, np.ndarray]


def first_stage(blocks: Blocks, query: Query, energy: float = 0.3) -> tuple[Near, Split, np.ndarray]:
    documents = len(blocks.snapshot)
    taken = chosen(query, Stages(energy, 0.0, 0), documents, saturating=blocks.weighting.saturating)
    segments = _segments(blocks)
    split = Split(segments, query, taken, segments.buffer())
    return blocks.sums.nearest(split.terms, documents, prior=split.prior), split, taken


@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
def test_both_stages_sum_to_the_full_score(weighting: Weighting, drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, weighting)
    blocks, query = engine._ready(1), engine.query(drawn.words(40) | drawn.words(1200))
    (positions, values), split, taken = first_stage(blocks, query)
    assert 0 < np.count_nonzero(taken) < len(query)
    parts = blocks.sums.by_segment(positions)
    gains = np.concatenate([split.gains(part, documents) for part, documents in parts])
    rows = np.concatenate([blocks.blocks[part].rows_of(documents) for part, documents in parts])
    np.testing.assert_allclose(values + gains, engine.scores(query, exact=True)[rows], rtol=5e-3, atol=1e-6)
    assert len(rows) > 100
    assert np.abs(gains).max() > 0.01


def test_rare_words_of_a_segment_are_in_its_first_stage(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    blocks, query = engine._ready(1), engine.query(drawn.words(40))
    segments = _segments(blocks)
    buffer = segments.buffer()
    split = Split(segments, query, np.zeros(len(query), dtype=bool), buffer)
    assert np.count_nonzero(buffer) > 0
    for block, own in zip(blocks.blocks, query.terms, strict=True):
        numbers, factors, gridded = split.terms(block)
        rare = np.sort(own[own >= block.common])
        assert numbers.tolist() == rare.tolist()
        assert gridded == 0
        factor_of = {int(number): factor for number, factor in zip(own, query.factors, strict=True)}
        np.testing.assert_allclose(factors, [factor_of[number] for number in numbers.tolist()], rtol=1e-6)
    split.clear()
    assert np.count_nonzero(buffer) == 0


def test_candidates_are_completed_as_necessary(drawn: RandomSnapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    blocks, query = engine._ready(1), engine.query(drawn.words(40))
    near, split, _ = first_stage(blocks, query)
    taken: list[int] = []
    gains = completing._gains
    monkeypatch.setattr(completing, "_gains", lambda *a: taken.append(len(a[2])) or gains(*a))
    assert len(near[0]) > 600
    found = {}
    for sure in (0.0, 2.0, np.inf):
        taken.clear()
        found[sure] = completed(blocks.sums, split, near, 5, limit=600, sure=sure, share=1.0, threads=1)
        assert taken[0] == 15
        assert all(after <= 2 * sum(taken[:step]) for step, after in enumerate(taken) if step)
        found[sure, "number"] = np.array(taken).sum()
    assert 15 <= found[0.0, "number"] < found[2.0, "number"] < found[np.inf, "number"] == 600
    assert len(found[np.inf]) == 5


@pytest.mark.parametrize("k", [1, 30, 5000])
def test_results_are_among_the_candidates(k: int, drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting())
    blocks, query = engine._ready(1), engine.query(drawn.words(40))
    near, split, _ = first_stage(blocks, query)
    first = near[0][np.argsort(-near[1], kind="stable")[:50]]
    found = completed(blocks.sums, split, near, k, limit=50, sure=np.inf, share=0.99, threads=2)
    assert set(found.tolist()) <= set(first.tolist())
    assert min(k, 50) <= len(found) <= 50
    assert found.tolist() == sorted(found.tolist())


def test_number_of_candidates_depends_on_k_and_filter() -> None:
    stages, mask = Stages(0.3, 1.0, 1000), np.arange(100)
    assert [candidate_limit(stages, k) for k in (1, 100, 300)] == [1000, 1000, 3000]
    assert stages.among(None) == stages.among(allowed_by(mask < 60)) == stages
    assert stages.among(allowed_by(mask < 40)) == Stages(0.3, 1.1, 450)
