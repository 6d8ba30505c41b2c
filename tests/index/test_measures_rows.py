"""Rows of all types are measured, or refused with a clear message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from foreart.errors import ForeartError, IndexingError
from foreart.index.measures import overlap_pairs
from foreart.index.measures.measure_rows import prepare
from foreart.index.measures.measure_scores import pair_scores, pair_values
from foreart.index.measures.measures import MEASURES
from foreart.index.measures.overlap_postings import BLOCK

DENSE = ["cosine", "linear", "gaussian", "polynomial", "sigmoidal", "euclidean", "geodesic"]
FIRST = np.array([0]), np.array([0])


def rows(number: int, *, seed: int = 0) -> csr_array:
    """A few columns in most rows and many in few, as words in texts."""
    rng = np.random.default_rng(seed)
    shares = np.where(np.arange(400) < 30, 0.8, 0.08)
    return csr_array(np.where(rng.random((number, 400)) < shares, rng.random((number, 400)), 0.0))


def test_zeros_duplicates_and_order_are_corrected_in_a_copy() -> None:
    untidy = csr_array(
        (np.array([0.5, 0.0, 0.25, 0.25, 2.0, 0.0]), np.array([3, 1, 0, 0, 2, 3]), np.array([0, 4, 6])), shape=(2, 4)
    )
    before = untidy.data.copy(), untidy.indices.copy(), untidy.indptr.copy()
    tidy = csr_array(np.array([[0.5, 0.0, 0.0, 0.5], [0.0, 0.0, 2.0, 0.0]]))
    every = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    found, expected = pair_values(untidy, untidy, every), pair_values(tidy, tidy, every)
    for name, values in expected.items():
        assert (found[name] == values).all(), name
    assert found["canberra"].tolist() == [0.0, 3.0, 3.0, 0.0]
    after = untidy.data, untidy.indices, untidy.indptr
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


def test_other_types_of_weights_and_of_matrices() -> None:
    counts = np.array([[1, 0, 2], [0, 3, 1]])
    expected = pair_values(csr_array(counts.astype(np.float64)), csr_array(counts.astype(np.float64)), FIRST)
    for same in (
        csr_array(counts),
        csr_matrix(counts),
        csr_array(counts.astype(np.float32)),
        csr_array(counts).tocsc(),
    ):
        found = pair_values(same, same, FIRST)
        assert {name: values.tolist() for name, values in found.items()} == {
            name: values.tolist() for name, values in expected.items()
        }
    wide = csr_array(counts)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert pair_values(wide, wide, FIRST)["jaccard"].tolist() == [1.0]


def test_single_precision_rows_are_summed_in_double() -> None:
    single = rows(5, seed=1).astype(np.float32)
    double = single.astype(np.float64)
    pairs = np.array([0, 1, 2]), np.array([3, 4, 2])
    one, other = pair_values(single, single, pairs), pair_values(double, double, pairs)
    for name, values in one.items():
        assert (values == other[name]).all(), name


def test_scores_are_values_or_negative_distances() -> None:
    documents, query = prepare(rows(50)), rows(1, seed=2)
    pairs = np.zeros(50, dtype=np.int64), np.arange(50)
    found, values = pair_scores(query, documents, pairs), pair_values(query, documents, pairs)
    assert list(found) == list(MEASURES)
    for name, each in MEASURES.items():
        assert (found[name] == (-values[name] if each.distance else values[name])).all(), name
        assert found[name].dtype == np.float64


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_values_do_not_depend_on_threads_and_other_pairs(threads: int) -> None:
    queries, documents = rows(40, seed=3), rows(60, seed=4)
    rng = np.random.default_rng(5)
    few = rng.integers(0, 40, 300), rng.integers(0, 60, 300)
    taken = rng.permutation(40 * 60)[:2200]
    often = taken // 60, taken % 60
    assert [overlap_pairs.is_dense(prepare(queries), prepare(documents), pairs) for pairs in (few, often)] == [
        False,
        True,
    ]
    for pairs in (few, often):
        expected = pair_values(queries, documents, pairs, threads=1)
        found = pair_values(queries, documents, pairs, threads=threads)
        for name, values in expected.items():
            assert (found[name] == values).all(), name
            alone = pair_values(queries, documents, pairs, measures=[name], threads=threads)
            assert list(alone) == [name]
            assert (alone[name] == values).all(), name
        both = pair_values(queries, documents, pairs, measures=["linear", "jaccard"], threads=threads)
        assert all((both[name] == expected[name]).all() for name in both)


def test_more_queries_than_one_block() -> None:
    queries, documents = rows(BLOCK + 90, seed=8), rows(5, seed=9)
    taken = np.random.default_rng(10).permutation(queries.shape[0] * 5)
    pairs = taken // 5, taken % 5
    expected = pair_values(queries, documents, pairs)
    for name in ("linear", "histogram-intersection"):
        assert (pair_values(queries, documents, pairs, measures=[name])[name] == expected[name]).all()
    assert np.allclose(expected["linear"], (queries @ documents.T).toarray()[pairs], rtol=1e-14)


def test_no_pairs_and_no_documents() -> None:
    none = np.empty(0, dtype=np.int64)
    for measures in (None, ["cosine"], ["jaccard", "linear"]):
        assert all(len(found) == 0 for found in pair_scores(rows(2), rows(3), (none, none), measures=measures).values())
        empty = pair_scores(rows(1), csr_array((0, 400)), (none, none), measures=measures)
        assert all(len(found) == 0 for found in empty.values())
    assert pair_scores(np.ones((1, 2)), np.ones((1, 2)), (none, none))["cosine"].tolist() == []


def test_heaviest_missing_term_after_many_shared_ones() -> None:
    """Chebyshev's distance first checks the heaviest terms of a row; here all of them are shared."""
    x = np.zeros((2, 80))
    x[0, :60] = np.linspace(5.0, 4.0, 60)
    x[1, :60] = np.linspace(5.0, 4.0, 60) + 0.125
    x[0, 70] = 0.75
    x[1, 79] = 0.5
    found = pair_values(csr_array(x), csr_array(x), (np.array([0, 1]), np.array([1, 0])), measures=["chebyshev"])
    assert found["chebyshev"].tolist() == [0.75, 0.75]


def test_dense_rows_allow_measures_of_products() -> None:
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(7, 33)), rng.normal(size=(9, 33)).astype(np.float32)
    y[4] = 0.0
    pairs = np.repeat(np.arange(7), 9), np.tile(np.arange(9), 7)
    found = pair_values(x, y, pairs)
    product = (x @ y.T.astype(np.float64)).ravel()
    lengths = (np.linalg.norm(x, axis=1)[:, None] * np.linalg.norm(y.astype(np.float64), axis=1)).ravel()
    cosine = np.divide(product, lengths, out=np.zeros(63), where=lengths > 0)
    apart = ((x[:, None, :] - y.astype(np.float64)) ** 2).sum(axis=2).ravel()
    assert sorted(found) == sorted(DENSE) == sorted(name for name, each in MEASURES.items() if each.dense)
    expected = {
        "cosine": cosine, "linear": product, "gaussian": np.exp(-apart / 4), "polynomial": product**2,
        "sigmoidal": np.tanh(product), "euclidean": apart, "geodesic": np.arccos(cosine),
    }  # fmt: skip
    for name, values in expected.items():
        assert np.allclose(found[name], values, rtol=1e-12, atol=1e-12), name
    assert pair_scores(x[:1], y, ([0], [4]), measures=["geodesic"])["geodesic"].tolist() == [-np.pi / 2]


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 50, 251])
def test_equal_dense_rows_are_exactly_equal(width: int) -> None:
    x = np.random.default_rng(width).normal(size=(64, width))
    same = np.arange(64)
    found = pair_values(x, x.copy(), (same, same))
    assert (found["cosine"] == 1.0).all()
    assert (found["euclidean"] == 0.0).all()
    assert (found["geodesic"] == 0.0).all()


def test_dense_rows_are_refused_by_other_measures() -> None:
    with pytest.raises(
        IndexingError, match=r"jaccard, chi2: not defined on dense rows; use .*tfidf.* one of cosine, lin"
    ):
        pair_scores(np.ones((2, 3)), np.ones((2, 3)), FIRST, measures=["cosine", "jaccard", "chi2"])


def test_negative_weights_are_refused_by_other_measures() -> None:
    signed = csr_array(np.array([[0.5, -0.25, 0.0], [0.0, -1.0, 2.0]]))
    assert sorted(pair_values(signed, signed, FIRST)) == sorted(DENSE)
    assert pair_values(signed, signed, (np.array([0]), np.array([1])))["linear"].tolist() == [0.25]
    with pytest.raises(IndexingError, match="manhattan: not defined on rows with negative weights"):
        pair_values(csr_array(np.ones((1, 3))), signed, FIRST, measures=["manhattan"])


def test_rows_that_do_not_fit_are_refused() -> None:
    with pytest.raises(IndexingError, match="queries have 4 columns and documents 5"):
        pair_values(csr_array((1, 4)), csr_array((1, 5)), FIRST)
    with pytest.raises(IndexingError, match="one side has dense rows"):
        pair_values(csr_array((1, 4)), np.zeros((1, 4)), FIRST)
    with pytest.raises(IndexingError, match="not finite"):
        pair_values(csr_array([[1.0, np.nan]]), csr_array([[1.0, 2.0]]), FIRST)
    with pytest.raises(IndexingError, match="not finite"):
        pair_values(np.array([[1.0, np.inf]]), np.array([[1.0, 2.0]]), FIRST)
    with pytest.raises(ForeartError, match="a matrix, not an array of 1 dimensions"):
        pair_values(np.ones(3), np.ones(3), FIRST)


def test_invalid_pairs_are_refused() -> None:
    with pytest.raises(ForeartError, match="document rows 0 to 3; there are 0 to 2"):
        pair_values(rows(2), rows(3), (np.array([0, 1]), np.array([0, 3])))
    with pytest.raises(ForeartError, match="query rows -1 to 0; there are 0 to 1"):
        pair_values(rows(2), rows(3), (np.array([0, -1]), np.array([0, 1])))
    with pytest.raises(ForeartError, match="two lists of equal length"):
        pair_values(rows(2), rows(3), (np.array([0, 1]), np.array([0])))


def test_compiled_code_works_without_a_cache() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import numpy as np; from overlap import own_sums; "
        "found = np.zeros((2, 1)); own_sums(np.ones(3), np.array([0, 3]), found[0], found[1]); print(found.tolist())"
    )
    call = [sys.executable, "-c", code, str(Path(overlap_pairs.__file__).parent)]
    closed = {**os.environ, "NUMBA_CACHE_LOCATOR_CLASSES": "ZipCacheLocator"}  # it only works inside archives
    printed = subprocess.run(call, capture_output=True, text=True, check=True, env=closed).stdout
    assert printed == "[[3.0], [3.0]]\n"


def test_names_of_measures_do_not_import_numba() -> None:
    code = (
        "import sys; from foreart.index.measures import measures, measure_scores; measures.measure('dice'); "
        "print('foreart.index.measures.overlap' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "False\n"
