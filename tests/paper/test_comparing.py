"""Pairs as places in rows, and the scores of their rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from foreart.evaluation.pairs.pairs import Pairs
from foreart.paper.experiments.comparing import JUDGED_ONLY, Comparisons, comparisons, scores

IDS = ["a", "b", "c", "d", "e", "f"]
PAIRS = Pairs(targets=("e", "b"), random=("a", "d"), cited={"e": ("c",), "b": ("f",)}, duplicates={"b": ("c",)})


def _named(compared: Comparisons) -> list[tuple[str, str, int]]:
    return [
        (IDS[compared.targets[one]], IDS[compared.documents[other]], int(label))
        for one, other, label in zip(compared.left, compared.right, compared.labels, strict=True)
    ]


def test_pairs_of_a_target_lie_together_and_judged_ones_come_once() -> None:
    compared = comparisons(PAIRS, IDS, [("e", "a"), ("e", "f"), ("b", "e"), ("e", "nowhere")])
    assert np.all(np.diff(compared.left) >= 0)
    assert sorted(_named(compared)) == sorted(
        [
            ("b", "f", 1), ("b", "a", 0), ("b", "d", 0), ("b", "c", 2), ("b", "e", JUDGED_ONLY),
            ("e", "c", 1), ("e", "a", 0), ("e", "d", 0), ("e", "f", JUDGED_ONLY),
        ]
    )  # fmt: skip
    assert {label for *_, label in np.array(_named(compared), dtype=object)[compared.cited_or_random]} == {0, 1}
    positions = compared.positions(IDS, [("e", "f"), ("f", "e"), ("nowhere", "a")])
    assert _named(compared)[positions[0]] == ("e", "f", JUDGED_ONLY)
    assert positions[1:].tolist() == [-1, -1]


def test_labels_on_pairs_that_are_there_already_change_nothing() -> None:
    assert comparisons(PAIRS, IDS, [("e", "a")]).fingerprint == comparisons(PAIRS, IDS).fingerprint
    assert comparisons(PAIRS, IDS, [("e", "f")]).fingerprint != comparisons(PAIRS, IDS).fingerprint


@pytest.mark.parametrize("cosine", [True, False])
def test_scores_of_sparse_and_dense_rows_are_those_of_the_formula(cosine: bool) -> None:
    rng = np.random.default_rng(3)
    rows = rng.random((6, 8)) * (rng.random((6, 8)) < 0.6)
    rows[0] = 0.0
    compared = comparisons(PAIRS, IDS, [("e", "f")])
    queries, documents = rows[compared.targets], rows[compared.documents]
    expected = []
    for one, other in zip(queries[compared.left], documents[compared.right], strict=True):
        size = float(np.linalg.norm(one) * np.linalg.norm(other)) if cosine else 1.0
        expected.append(float(one @ other) / size if size else 0.0)
    sparse = scores(csr_array(queries), csr_array(documents), compared, measure="cosine" if cosine else "linear")
    np.testing.assert_allclose(sparse, expected, rtol=1e-12)
    dense = scores(
        queries.astype(np.float32), documents.astype(np.float32), compared, measure="cosine" if cosine else "linear"
    )
    np.testing.assert_allclose(dense, expected, rtol=1e-5, atol=1e-7)
