"""All pairs above a threshold are those that brute force finds."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.errors import IndexingError
from foreart.features.tfidf import Tfidf
from foreart.index.query.near import near_pairs
from foreart.index.storage.weighting import Weighting
from index.postings.drawn import drawn_snapshot


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("tf", ["count", "log", "binary"])
@pytest.mark.parametrize("threads", [1, 3])
def test_pairs_are_those_of_all_cosines(threshold: float, tf: str, threads: int) -> None:
    drawn = drawn_snapshot(seed=4, mean=12.0)
    rows = Tfidf(tf=tf).fit_counts(drawn.counts).encode_counts(drawn.counts)  # type: ignore[arg-type]
    cosines = (rows @ rows.T).toarray()
    least = threshold - (1e-9 if threshold == 1.0 else 0.0)  # a twin's cosine may be a hair below 1
    wanted = {(int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(cosines, 1) >= least), strict=True)}
    found = list(near_pairs(drawn.snapshot, Weighting(tf=tf), least, threads=threads))  # type: ignore[arg-type]
    assert len(found) == len(wanted) > 0
    assert {(a, b) for a, b, _ in found} == wanted
    for a, b, score in found:
        assert score == pytest.approx(cosines[a, b], abs=1e-12)


def test_the_order_is_fixed_and_the_lesser_row_comes_first() -> None:
    drawn = drawn_snapshot(seed=5, mean=12.0)
    runs = [list(near_pairs(drawn.snapshot, Weighting(), 0.2, threads=threads)) for threads in (1, 2)]
    assert runs[0] == runs[1]
    assert all(a < b for a, b, _ in runs[0])


def test_what_tells_nothing_is_refused() -> None:
    drawn = drawn_snapshot()
    with pytest.raises(IndexingError, match="take one above 0"):
        next(near_pairs(drawn.snapshot, Weighting(), 0.0))
    with pytest.raises(IndexingError, match="BM25"):
        next(near_pairs(drawn.snapshot, Weighting("bm25"), 0.5))
