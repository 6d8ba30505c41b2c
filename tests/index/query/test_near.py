"""All pairs above a threshold, compared with brute force."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.errors import IndexingError
from foreart.features.tfidf import Tfidf
from foreart.index.query.near import near_pairs
from foreart.index.storage.weighting import Weighting
from index.random_snapshots import random_snapshot


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("tf", ["count", "log", "binary"])
@pytest.mark.parametrize("threads", [1, 3])
def test_pairs_equal_brute_force(threshold: float, tf: str, threads: int) -> None:
    drawn = random_snapshot(seed=4, mean=12.0)
    rows = Tfidf(tf=tf).fit_counts(drawn.counts).encode_counts(drawn.counts)  # type: ignore[arg-type]
    cosines = (rows @ rows.T).toarray()
    limit = threshold - (1e-9 if threshold == 1.0 else 0.0)  # rounding may give duplicates a cosine just below 1
    wanted = {(int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(cosines, 1) >= limit), strict=True)}
    found = list(near_pairs(drawn.snapshot, Weighting(tf=tf), limit, threads=threads))  # type: ignore[arg-type]
    assert len(found) == len(wanted) > 0
    assert {(a, b) for a, b, _ in found} == wanted
    for a, b, score in found:
        assert score == pytest.approx(cosines[a, b], abs=1e-12)


def test_order_is_fixed_and_the_smaller_row_is_first() -> None:
    drawn = random_snapshot(seed=5, mean=12.0)
    runs = [list(near_pairs(drawn.snapshot, Weighting(), 0.2, threads=threads)) for threads in (1, 2)]
    assert runs[0] == runs[1]
    assert all(a < b for a, b, _ in runs[0])


def test_invalid_threshold_and_weighting_are_refused() -> None:
    drawn = random_snapshot()
    with pytest.raises(IndexingError, match="it can be above 0"):
        next(near_pairs(drawn.snapshot, Weighting(), 0.0))
    with pytest.raises(IndexingError, match="BM25"):
        next(near_pairs(drawn.snapshot, Weighting("bm25"), 0.5))
