"""Without numba: the same functions in NumPy, held to the compiled ones."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.features.compiling import HAVE_NUMBA
from foreart.index.postings import blocks, measured, measuring, own_sums, plain, plain_measures, splitting, sums
from foreart.index.postings.engine import Engine
from foreart.index.postings.fast import Fast, fast_top
from foreart.index.postings.weighting import Weighting
from index.postings.drawn import drawn_snapshot

WEIGHTINGS = [
    Weighting(tf="log"), Weighting(), Weighting(tf="binary", idf=False), Weighting("bm25"), Weighting("bm25", k1=0.0),
]  # fmt: skip
needs_numba = pytest.mark.skipif(not HAVE_NUMBA, reason="there is nothing to compare with without numba")


def answers(weighting: Weighting) -> list[np.ndarray]:
    drawn = drawn_snapshot(2, sizes=(50, 1, 120))
    engine = Engine(drawn.snapshot, weighting)
    query, allowed = engine.query(drawn.words(60)), np.arange(len(drawn.ids)) % 3 > 0
    found = [engine.scores(query), engine.scores(query, exact=True)]
    for mask in (None, allowed):
        found += engine.top(query, 30, allowed=mask, exact=True)
    found += fast_top(engine._ready(1), query, 30, Fast(0.5, 0.0, 50))
    if not weighting.saturating:
        found += engine.measures(query).values()
    return found


@needs_numba
@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
def test_results_are_those_of_the_compiled_loops(weighting: Weighting, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = answers(weighting)
    monkeypatch.setattr(blocks, "_LOOPS", plain)
    monkeypatch.setattr(sums, "_LOOPS", plain)
    monkeypatch.setattr(blocks, "_ROW_LOOPS", plain)
    monkeypatch.setattr(measured, "_LOOPS", plain_measures)
    for module in (measured, measuring, splitting):
        monkeypatch.setattr(module, "HAVE_NUMBA", False)
    monkeypatch.setattr(own_sums, "row_overlap", None)
    for one, other in zip(compiled, answers(weighting), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=5e-8)
