"""Filters before ranking: every method gives the ranking of all documents without the forbidden ones."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.index.query import engine as engines
from foreart.index.query.engine import Engine
from foreart.index.storage.weighting import Weighting
from index.random_snapshots import RandomSnapshot, random_snapshot


@pytest.fixture(scope="module")
def drawn() -> RandomSnapshot:
    return random_snapshot(6, sizes=(300, 200, 1, 400))


@pytest.mark.parametrize("weighting", [Weighting(tf="log"), Weighting(), Weighting("bm25")], ids=str)
@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.9, 1.0])
@pytest.mark.parametrize("scan", [True, False])
def test_only_allowed_rows_are_ranked(
    weighting: Weighting, share: float, scan: bool, drawn: RandomSnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "rows_cost", lambda *_: 0.0 if scan else np.inf)
    monkeypatch.setattr(engines, "threads_for", lambda _, threads: threads)
    engine = Engine(drawn.snapshot, weighting)
    allowed = np.random.default_rng(2).random(len(drawn.ids)) < share
    query = engine.query(drawn.words(10))
    everything, scores = engine.top(query, len(drawn.ids), exact=True)
    kept = allowed[everything]
    rows, values = engine.top(query, 25, allowed=allowed, exact=True, threads=2)
    assert rows.tolist() == everything[kept][:25].tolist()
    assert values.tolist() == scores[kept][:25].tolist()


def test_selective_filters_are_scanned(drawn: RandomSnapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[str] = []
    scanned, top = engines.scanned, engines.exactly.top
    monkeypatch.setattr(engines, "scanned", lambda *a, **b: ways.append("scan") or scanned(*a, **b))
    monkeypatch.setattr(engines.exactly, "top", lambda *a, **b: ways.append("mask") or top(*a, **b))
    engine = Engine(drawn.snapshot, Weighting())
    query = engine.query(drawn.words(10))
    few, many = np.zeros((2, len(drawn.ids)), dtype=bool)
    few[:3], many[:] = True, True
    engine.top(query, 5, allowed=few)
    engine.top(query, 5, allowed=many)
    assert ways == ["scan", "mask"]


def test_filter_does_not_reduce_threads(drawn: RandomSnapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan that is only slightly cheaper is not used, and its cost does not determine the threads."""
    costs: list[float] = []
    monkeypatch.setattr(engines, "exact_cost", lambda *_: 4e6)
    monkeypatch.setattr(engines, "rows_cost", lambda *_: 3.5e6)
    monkeypatch.setattr(engines, "threads_for", lambda cost, _: costs.append(cost) or 1)
    engine = Engine(drawn.snapshot, Weighting())
    engine.top(engine.query(drawn.words(10)), 5, allowed=np.arange(len(drawn.ids)) < 100, exact=True)
    assert costs == [4e6]
