"""The picture of a neighbourhood against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest

manifold = pytest.importorskip("sklearn.manifold", reason="needs the tools of development: `make test` installs them")

from foreart.server.work.map_layout import pca, trustworthiness, tsne  # noqa: E402


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """Twelve clusters in 40 dimensions, which no plane can show well."""
    chance = np.random.default_rng(3)
    centres = chance.normal(size=(12, 40))
    made = centres[chance.integers(12, size=300)] + 0.35 * chance.normal(size=(300, 40))
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_trustworthiness_is_that_of_scikit_learn(rows: np.ndarray) -> None:
    for places in (pca(rows), np.random.default_rng(0).normal(size=(300, 2))):
        expected = manifold.trustworthiness(rows, places, n_neighbors=10)
        assert trustworthiness(rows, places) == pytest.approx(expected, abs=6e-4)


def test_t_sne_is_as_good_as_that_of_scikit_learn(rows: np.ndarray) -> None:
    seen: list[int] = []
    places = tsne(rows, pca(rows), lambda done, total: seen.append(done))
    peer = manifold.TSNE(init="pca", perplexity=30, random_state=0).fit_transform(rows)
    ours, theirs, plain = (trustworthiness(rows, found) for found in (places, peer, pca(rows)))
    assert ours > theirs - 0.02
    assert ours > plain + 0.05
    assert seen == list(range(1, 501))
    assert np.array_equal(places, tsne(rows, pca(rows), lambda done, total: None))


def test_pca_spans_the_plane_of_largest_variance(rows: np.ndarray) -> None:
    centred = rows - rows.mean(axis=0)
    values = np.linalg.eigvalsh(centred.T @ centred)
    assert np.square(pca(rows)).sum(axis=0) == pytest.approx(values[::-1][:2])
    assert pca(rows[:1]).tolist() == [[0.0, 0.0]]
