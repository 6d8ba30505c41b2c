"""Kernel PCA against scikit-learn, landmarks against the exact kernel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA

from features.examples import TEXTS
from foreart.errors import ForeartError
from foreart.features import Tfidf
from foreart.features.topics import reduction
from foreart.features.topics.kpca import Kpca
from foreart.features.topics.projection import Gaussian, Linear

NEW = ["bone probe pump bone screw", "an ultrasound transducer array", "engine engine fuel"]
KERNELS = [("linear", {"kernel": "linear"}), ("gaussian", {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)})]


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def by_sklearn(texts: list[str], dimensions: int, **settings: object) -> np.ndarray:
    """The rows of texts after fitting on TEXTS; texts without words are all zero, as in our contract."""
    weights = Tfidf().fit(TEXTS)
    other = KernelPCA(dimensions, eigen_solver="dense", **settings).fit(weights.encode(TEXTS))
    rows = unit(other.transform(weights.encode(texts)))
    rows[np.diff(weights.encode(texts).indptr) == 0] = 0
    return rows


@pytest.mark.parametrize("dimensions", [1, 5, 12])
@pytest.mark.parametrize(("kernel", "settings"), KERNELS, ids=lambda value: value if isinstance(value, str) else "")
def test_rows_equal_sklearn_up_to_signs(kernel: str, settings: dict[str, object], dimensions: int) -> None:
    features = Kpca(dimensions=dimensions, kernel=kernel, sigma=0.8).fit(TEXTS)  # type: ignore[arg-type]
    texts = [*TEXTS, *NEW]
    found, expected = features.encode(texts), by_sklearn(texts, dimensions, **settings)
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected * signs, atol=2e-6)


def test_default_sigma_equals_that_of_the_measure() -> None:
    """exp(−|x − y|² / 2σ²) with σ = √2."""
    expected = by_sklearn(NEW, 4, kernel="rbf", gamma=0.25)
    found = Kpca(dimensions=4, kernel="gaussian").fit(TEXTS).encode(NEW)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=2e-6)
    assert Kpca().sigma == math.sqrt(2)


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_projections_are_centred(kernel: str) -> None:
    features = Kpca(dimensions=6, kernel=kernel).fit(TEXTS)  # type: ignore[arg-type]
    rows = features._weights_.encode(TEXTS)
    np.testing.assert_allclose(features._projection_.apply(rows).mean(axis=0), 0, atol=1e-7)


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_all_texts_as_landmarks_give_the_exact_kernel(kernel: str) -> None:
    exact = Kpca(dimensions=6, kernel=kernel).fit(TEXTS).encode([*TEXTS, *NEW])  # type: ignore[arg-type]
    for landmarks in (len(TEXTS), 10**6):
        marked = Kpca(dimensions=6, kernel=kernel, landmarks=landmarks)  # type: ignore[arg-type]
        found = marked.fit(TEXTS).encode([*TEXTS, *NEW])
        np.testing.assert_allclose(found @ found.T, exact @ exact.T, atol=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_error_shrinks_with_more_landmarks(kernel: str) -> None:
    exact = Kpca(dimensions=4, kernel=kernel).fit_encode(TEXTS)  # type: ignore[arg-type]
    errors = []
    for landmarks in (5, 20, 45):
        rows = Kpca(dimensions=4, kernel=kernel, landmarks=landmarks).fit_encode(TEXTS)  # type: ignore[arg-type]
        errors.append(np.abs(rows @ rows.T - exact @ exact.T).mean())
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.05


def test_landmarks_depend_on_the_seed() -> None:
    one, same, other = (Kpca(dimensions=4, landmarks=15, seed=seed).fit(TEXTS) for seed in (1, 1, 2))
    assert (one.encode(NEW) == same.encode(NEW)).all()
    assert (one.encode(NEW) != other.encode(NEW)).any()
    assert one._projection_.texts.shape[0] == 15


def test_large_corpora_avoid_the_kernel_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linear kernel stays exact, the Gaussian one uses landmarks."""
    exact = Kpca(dimensions=6).fit_encode(TEXTS)
    monkeypatch.setattr(reduction, "DENSE_TEXTS", 30)
    monkeypatch.setattr("foreart.features.topics.kpca.DENSE_TEXTS", 30)
    linear = Kpca(dimensions=6)
    rows = linear.fit_encode(TEXTS)
    np.testing.assert_allclose(rows @ rows.T, exact @ exact.T, atol=1e-5)
    assert isinstance(linear._projection_, Linear)
    assert linear._landmarks(10**6) == 0
    gaussian = Kpca(dimensions=600, kernel="gaussian")
    assert [gaussian._landmarks(texts) for texts in (30, 31, 10**6)] == [0, 31, 2400]
    assert Kpca(dimensions=100, kernel="gaussian")._landmarks(10**6) == 2000
    assert Kpca(kernel="gaussian", landmarks=0)._landmarks(10**6) == 0


def test_only_the_linear_kernel_has_parts_with_a_constant() -> None:
    found = Kpca(dimensions=6).fit(TEXTS).parts("bone probe bone")
    assert found is not None
    assert list(found.words) == ["bone", "probe", ""]
    gaussian = Kpca(dimensions=6, kernel="gaussian").fit(TEXTS)
    assert isinstance(gaussian._projection_, Gaussian)
    assert gaussian.parts("bone") is None
    constant = Kpca(dimensions=6).fit(TEXTS).parts("engine")
    assert constant is not None
    row = np.arange(6.0)
    assert constant.products(row)[-1] == found.products(row)[-1] != 0


@pytest.mark.parametrize("errors", [{"kernel": "cubic"}, {"sigma": 0.0}, {"landmarks": -1}, {"dimensions": 0}])
def test_wrong_parameters_are_refused(errors: dict[str, object]) -> None:
    with pytest.raises(ForeartError, match="can be"):
        Kpca(**errors).fit(TEXTS)  # type: ignore[arg-type]
