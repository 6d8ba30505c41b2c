"""The sums of all documents: exactly the largest allowed ones are found."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.index.query.engine import Engine
from foreart.index.query.exact import Blocks
from foreart.index.scoring import sums
from foreart.index.scoring.allowed import allowed_by
from foreart.index.scoring.kernels import CHUNK
from foreart.index.scoring.query_terms import Query
from foreart.index.scoring.sums import spans
from foreart.index.storage.weighting import Weighting
from index.random_snapshots import RandomSnapshot, random_snapshot


@pytest.fixture(scope="module")
def drawn() -> RandomSnapshot:
    return random_snapshot(9, sizes=(700, 1, 330), words=500)


def nearest(
    blocks: Blocks, query: Query, k: int, share: float, allowed: np.ndarray | None = None, threads: int = 1
) -> tuple[list[int], np.ndarray]:
    """Rows and sums."""
    positions, values = blocks.sums.nearest(
        lambda block: block.terms(query, precise=False), k, share=share, allowed=allowed_by(allowed), threads=threads
    )
    parts = blocks.sums.by_segment(positions)
    return [row for part, found in parts for row in blocks.blocks[part].rows_of(found).tolist()], values


def masks(number: int) -> dict[str, np.ndarray | None]:
    """Some, all, none, a single one, and ranges that start and end within segments and chunks."""
    found: dict[str, np.ndarray | None] = {"no mask": None}
    found["some"] = np.random.default_rng(0).random(number) < 0.3
    found["all"], found["none"], found["one"] = np.ones((3, number), dtype=bool) * [[1], [0], [0]] > 0
    found["one"][123] = True
    found["few"] = np.random.default_rng(1).random(number) < 0.05
    for first, last in ((70, 200), (600, 700), (0, 650), (900, number)):
        stretch = np.zeros(number, dtype=bool)
        stretch[first:last] = True
        found[f"{first} to {last}"] = stretch
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_largest_allowed_sums_are_found(threads: int, drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting())
    blocks = engine._ready(1)
    for row, (name, mask) in enumerate(masks(len(drawn.ids)).items()):
        query = engine.query(drawn.words(31 * row + 8))
        scores = engine.scores(query) * (1.0 if mask is None else mask)
        for k in (1, 10, 16, 400, 2000):
            found, values = nearest(blocks, query, k, 0.9, mask, threads)
            threshold = 0.9 * np.sort(scores)[-k] if k <= len(scores) else 0.0
            wanted = np.flatnonzero((scores > 0) & (scores >= threshold * (1 + 1e-6)))
            assert set(wanted.tolist()) <= set(found), (name, k)
            assert all(scores[found] >= threshold * (1 - 1e-6)), (name, k)
            assert found == sorted(found)
            np.testing.assert_allclose(values, scores[found], rtol=1e-5)


def test_share_of_1_finds_k_and_ties(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="binary"))
    blocks, query = engine._ready(1), engine.query(drawn.words(77))
    everything, values = nearest(blocks, query, len(drawn.ids), 1.0)
    assert everything == np.flatnonzero(engine.scores(query) > 0).tolist()
    for k in (3, 40):
        threshold = np.sort(values)[-k]
        assert nearest(blocks, query, k, 1.0)[0] == [
            row for row, value in zip(everything, values, strict=True) if value >= threshold
        ]


def test_spans_are_divided_at_chunks() -> None:
    blocks = Engine(random_snapshot(1, sizes=(5000, 90), words=20).snapshot, Weighting())._ready(1)
    cut = [(block.part, span) for block, span in spans(blocks.blocks, 2)]
    assert cut == [(0, (0, 2496)), (0, (2496, 5000)), (1, (0, 90))]
    assert all(span[0] % CHUNK == 0 for _, span in cut)
    assert [span for _, span in spans(blocks.blocks, 1)] == [(0, 5000), (0, 90)]


@pytest.mark.parametrize("k", [1, 3, 60])
@pytest.mark.parametrize("number", [0, 50, 100, 4000])
def test_cut_off_keeps_a_share_of_the_kth_largest(number: int, k: int) -> None:
    rng = np.random.default_rng(number)
    values = np.round(rng.random(number), 2).astype(np.float32)  # with ties, and with zeros
    positions, found = sums._cut_off(np.arange(number) * 3, values, k, 0.95)
    threshold = np.sort(values)[-k] * np.float32(0.95) if number > k else 0.0
    kept = np.flatnonzero((values >= threshold) & (values > 0))
    assert positions.tolist() == (kept * 3).tolist()
    assert found.tolist() == values[kept].tolist()
