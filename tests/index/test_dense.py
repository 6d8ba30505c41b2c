"""Nearest neighbours of dense rows: exact, without reading all rows."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from foreart.errors import IndexingError
from foreart.index.dense import estimates, row_codes
from foreart.index.dense.candidates import Candidates
from foreart.index.dense.dense_rows import STORAGES, DenseRows, belong_together, storage_for, stored
from foreart.index.dense.row_codes import encoded, integer_products, products

Found = list[tuple[str, float]]


def ids_of(number: int) -> list[str]:
    """Ids whose order differs from the row order."""
    return [f"US{index * 7919 % number:06d}A" for index in range(number)]


def like_lsa(number: int, width: int = 40, *, seed: int = 0) -> np.ndarray:
    """Unit rows with decreasing columns; every tenth is nearly its predecessor, some are equal, some empty."""
    rng = np.random.default_rng(seed)
    rows = (rng.standard_normal((number, width)) + 0.3) / np.sqrt(1 + np.arange(width))
    rows[9::10] = rows[8:-1:10][: len(rows[9::10])] * (1 + 1e-4 * rng.standard_normal((len(rows[9::10]), width)))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[5::50] = rows[4]
    rows[7::100] = 0
    return rows.astype(np.float32)


def made(rows: np.ndarray, storage: str, groups: np.ndarray | None = None) -> DenseRows:
    number = len(rows) if groups is None else len(groups) - 1
    return DenseRows.of(ids_of(number), stored(rows, groups, storage=storage))


def expected(
    rows: np.ndarray, query: np.ndarray, k: int, measure: str, allowed: np.ndarray, groups: np.ndarray
) -> Found:
    """Reference: one document at a time, with exactly rounded sums."""
    found = []
    length = math.sqrt(math.fsum(float(x) ** 2 for x in query))
    for document, number in enumerate(ids_of(len(groups) - 1)):
        scores = []
        for row in rows[groups[document] : groups[document + 1]].astype(float).tolist():
            product = math.fsum(x * y for x, y in zip(row, query.tolist(), strict=True))
            size = math.sqrt(math.fsum(x * x for x in row)) * length
            scores.append(product if measure == "linear" else product / size if size else 0.0)
        if allowed[document] and max(scores, default=0.0) > 0:
            found.append((number, max(scores)))
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]


def assert_same(found: Found, wanted: Found) -> None:
    """Equal scores, and equal ids except where the last digits decide."""
    assert [score for _, score in found] == pytest.approx([score for _, score in wanted], rel=1e-9, abs=1e-12)
    for (number, score), (other, _) in zip(found, wanted, strict=True):
        if number != other:
            assert dict(wanted).get(number, wanted[-1][1]) == pytest.approx(score, rel=1e-12, abs=1e-12)


def top(
    rows: DenseRows, query: np.ndarray, k: int, *, measure: str = "cosine", allowed: np.ndarray | None = None
) -> Found:
    ((documents, scores),) = rows.nearest(np.asarray(query).reshape(1, -1), k, measure=measure, allowed=allowed)
    assert rows.scores_of(query, documents, measure=measure).tolist() == scores.tolist()
    return [(rows.ids[row], score) for row, score in zip(documents.tolist(), scores.tolist(), strict=True)]


def sorted_scores(rows: DenseRows, query: np.ndarray, k: int, measure: str, allowed: np.ndarray | None = None) -> Found:
    scores = rows.scores(query, measure=measure)
    order = sorted(range(len(scores)), key=lambda row: (-scores[row], rows.ids[row]))
    ranked = [row for row in order if scores[row] > 0 and (allowed is None or allowed[row])]
    return [(rows.ids[row], float(scores[row])) for row in ranked[:k]]


@pytest.mark.parametrize("measure", ["cosine", "linear"])
@pytest.mark.parametrize("storage", STORAGES)
def test_top_equals_a_full_computation(storage: str, measure: str) -> None:
    data = like_lsa(400) * np.random.default_rng(1).uniform(0.5, 2, (400, 1)).astype(np.float32)
    rows = made(data, storage)
    everything = np.ones(400, dtype=bool)
    for index in (0, 5, 8, 33):
        query = data[index].astype(float) * 3
        wanted = expected(data, query, 12, measure, everything, np.arange(401))
        assert_same(top(rows, query, 12, measure=measure), wanted)


@pytest.mark.parametrize("measure", ["cosine", "linear"])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("k", [1, 10, 100, 5000])
def test_top_equals_sorted_scores_bit_for_bit(storage: str, measure: str, k: int) -> None:
    data = like_lsa(6000)
    rows = made(data, storage)
    assert rows.storage == storage
    for index in (0, 5, 8, 59, 107):
        assert top(rows, data[index], k, measure=measure) == sorted_scores(rows, data[index], k, measure)


@pytest.mark.parametrize("storage", STORAGES)
def test_batch_equals_single_queries(storage: str) -> None:
    data = like_lsa(5000)
    rows = made(data, storage)
    queries = np.concatenate([data[:30], np.zeros((1, 40), np.float32), -data[30:40]])
    found = rows.nearest(queries, 10)
    assert len(found[30][0]) == 0
    for query, (indices, scores) in zip(queries, found, strict=True):
        assert [(rows.ids[index], score) for index, score in zip(indices, scores, strict=True)] == top(rows, query, 10)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("share", [0.0, 0.002, 0.05, 0.5, 1.0])
def test_filter_equals_removal(storage: str, share: float) -> None:
    data = like_lsa(6000)
    rows = made(data, storage)
    allowed = np.random.default_rng(2).random(6000) < share
    assert top(rows, data[3], 10, allowed=allowed) == sorted_scores(rows, data[3], 10, "cosine", allowed)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("share", [0.002, 0.05, 0.5])
def test_filter_per_query(storage: str, share: float) -> None:
    data = like_lsa(6000)
    rows = made(data, storage)
    allowed = np.random.default_rng(3).random((4, 6000)) < share
    for query, mask, (indices, scores) in zip(data, allowed, rows.nearest(data[:4], 9, allowed=allowed), strict=False):
        wanted = sorted_scores(rows, query, 9, "cosine", mask)
        assert [(rows.ids[index], score) for index, score in zip(indices, scores, strict=True)] == wanted


@pytest.mark.parametrize("measure", ["cosine", "linear"])
@pytest.mark.parametrize("storage", STORAGES)
def test_best_row_of_a_document_counts(storage: str, measure: str) -> None:
    data = like_lsa(4000, 12)
    sizes = np.random.default_rng(4).integers(0, 7, 1000)
    groups = np.concatenate([[0], np.cumsum(sizes)])
    data = data[: groups[-1]]
    rows = made(data, storage, groups)
    mask = np.random.default_rng(5).random(1000) < 0.6
    for allowed in (np.ones(1000, dtype=bool), mask, mask & (np.arange(1000) % 9 == 0)):
        query = data[11].astype(float)
        found = top(rows, query, 10, measure=measure, allowed=allowed)
        assert found == sorted_scores(rows, query, 10, measure, allowed)
        assert_same(found, expected(data, query, 10, measure, allowed, groups))


@settings(max_examples=60, deadline=None)
@given(
    data=arrays.arrays(np.float32, st.tuples(st.integers(1, 120), st.integers(1, 9)), elements=st.integers(-3, 3)),
    k=st.integers(1, 6),
    storage=st.sampled_from(STORAGES),
    measure=st.sampled_from(["cosine", "linear"]),
)
def test_many_equal_scores_are_in_order_of_id(data: np.ndarray, k: int, storage: str, measure: str) -> None:
    rows = made(data, storage)
    query = data[len(data) // 2]
    assert top(rows, query, k, measure=measure) == sorted_scores(rows, query, k, measure)


@settings(max_examples=60, deadline=None)
@given(
    data=arrays.arrays(
        np.float32, st.tuples(st.integers(2, 30), st.integers(1, 20)), elements=st.floats(-1, 1, width=32)
    ),
    storage=st.sampled_from(STORAGES),
    measure=st.sampled_from(["cosine", "linear"]),
    stretched=st.floats(1e-6, 1e6),
)
def test_scores_are_within_their_bounds(data: np.ndarray, storage: str, measure: str, stretched: float) -> None:
    """Also if one column is much larger or smaller than the others."""
    data = np.where(np.abs(data) < 1e-7, 0, data).astype(np.float32)
    data[:, 0] *= np.float32(stretched)
    rows = made(data, storage)
    estimator = rows._estimator(measure)
    query = data[0].astype(float) * estimator.codes.weights
    if not query.any():
        return
    unit = (query / np.linalg.norm(query)).astype(np.float32)[np.newaxis]
    scale = np.linalg.norm(query) / (1 if measure == "linear" else np.linalg.norm(data[0].astype(float)))
    multiply = row_codes.multiplier()
    for kernel in (None, multiply) if storage == "int8" else (None,):
        upper = estimator._upper_bounds(slice(0, len(data)), estimator.margins, unit, kernel)[:, 0].astype(float)
        scores = rows.scores(data[0], measure=measure) / scale
        assert (scores <= upper).all()
        assert (scores >= upper - 2 * estimator.margins).all()


def test_quantisation_of_the_query_is_within_the_bounds() -> None:
    """Rows of 1 and -1 have exact codes, so that no other error widens the bounds."""
    rng = np.random.default_rng(10)
    data = np.where(rng.random((2000, 400)) < 0.5, 1, -1).astype(np.float32)
    query = 1e-4 * rng.random(400)
    query[0] = 1
    unit = (query / np.linalg.norm(query)).astype(np.float32)[np.newaxis]
    estimator = made(data, "int8")._estimator("linear")
    upper = estimator._upper_bounds(slice(0, 2000), estimator.margins, unit, row_codes.multiplier())[:, 0]
    scores = data @ (query / np.linalg.norm(query))
    assert (scores <= upper).all()
    assert (scores >= upper - 2 * estimator.margins).all()


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("measure", ["cosine", "linear"])
@pytest.mark.parametrize("factor", [0.01, 100])
def test_more_than_one_step_of_indistinguishable_rows(storage: str, measure: str, factor: float) -> None:
    rng = np.random.default_rng(11)
    data = (like_lsa(20)[3] + 1e-6 * rng.standard_normal((5000, 40))).astype(np.float32)
    rows = made(data, storage)
    query = like_lsa(20)[3] * factor
    assert top(rows, query, 5, measure=measure) == sorted_scores(rows, query, 5, measure)


def test_row_is_kept_while_its_upper_bound_reaches_the_threshold() -> None:
    found = Candidates(2, np.ones((1, 1)))
    margins = np.array([0.2, 0.0, 0.0, 0.25], dtype=np.float32)
    upper = np.array([[1.0], [0.9], [0.6], [0.55]], dtype=np.float32)  # lower bounds 0.6, 0.9, 0.6, 0.05
    found.add(np.arange(4), upper, margins, None)
    ((rows, bounds),) = found.each()
    assert rows.tolist() == [0, 1, 2]
    assert bounds.tolist() == pytest.approx([1.0, 0.9, 0.6])
    assert found.threshold.tolist() == pytest.approx([0.6])


def test_rows_of_one_document_count_once() -> None:
    found = Candidates(2, np.ones((1, 1)), np.array([0, 2, 3, 4]))
    found.add(np.arange(4), np.array([[0.9], [0.8], [0.3], [0.2]], np.float32), np.zeros(4, np.float32), None)
    assert found.each()[0][0].tolist() == [0, 1, 2]
    assert found.threshold.tolist() == pytest.approx([0.3])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("compiled", [True, False])
def test_integers_threads_and_floats_give_the_same_result(
    monkeypatch: pytest.MonkeyPatch, threads: int, compiled: bool
) -> None:
    data = like_lsa(2 * estimates.PART + 777, 16)
    rows = made(data, "int8")
    wanted = sorted_scores(rows, data[5], 50, "cosine")
    monkeypatch.setattr(estimates, "cores", lambda: threads)
    if not compiled:
        monkeypatch.setattr(estimates, "multiplier", lambda: None)
    assert top(rows, data[5], 50) == wanted
    allowed = np.arange(len(data)) % 2 == 1
    assert top(rows, data[5], 50, allowed=allowed) == sorted_scores(rows, data[5], 50, "cosine", allowed)


@pytest.mark.parametrize("width", [1, 7, 250, 4000])
@pytest.mark.parametrize("shape", ["even", "peak", "random"])
def test_integer_products_never_overflow(width: int, shape: str) -> None:
    multiply = row_codes.multiplier()
    query = {
        "even": np.ones(width),
        "peak": np.eye(1, width)[0] + 1e-4,
        "random": np.random.default_rng(6).standard_normal(width),
    }[shape]
    query /= np.linalg.norm(query)
    codes = np.random.default_rng(7).integers(-127, 128, (50, width)).astype(np.int8)
    codes[:2] = [[127], [-127]]
    found = integer_products(codes, query.astype(np.float32), multiply)[:, 0]
    error = row_codes._widest_step(width) * math.sqrt(width) / 2 + (width + 16) * 2.0**-24
    assert (np.abs(found - codes @ query) <= error * np.linalg.norm(codes.astype(float), axis=1)).all()


def test_half_floats_are_converted_exactly() -> None:
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)][:, np.newaxis]
    assert (products(halves, np.ones((1, 1), np.float32))[:, 0] == halves[:, 0]).all()


@pytest.mark.parametrize(("storage", "bytes_each"), [("float16", 2), ("int8", 1)])
def test_errors_of_codes(storage: str, bytes_each: int) -> None:
    data = like_lsa(2100)
    codes = encoded(data, storage)
    assert codes.codes.nbytes == data.size * bytes_each
    decoded = codes.codes.astype(float) * codes.scales[:, np.newaxis]
    missing = np.linalg.norm(data / codes.weights - decoded, axis=1)
    assert (missing <= codes.errors).all()
    assert codes.errors == pytest.approx(missing, rel=1e-6)
    assert (codes.errors <= {"float16": 2.0**-11, "int8": 0.02}[storage] * codes.sizes).all()


@pytest.mark.parametrize("storage", ["float16", "int8"])
def test_only_candidates_are_read(tmp_path: Path, storage: str) -> None:
    data = like_lsa(5000)
    for name, array in stored(data, storage=storage).items():
        np.save(tmp_path / f"{name}.npy", array)
    files = {path.stem: np.load(path, mmap_mode="r") for path in tmp_path.glob("*.npy")}
    rows = DenseRows.of(ids_of(5000), files)
    assert isinstance(rows.data, np.memmap)
    wanted = sorted_scores(rows, data[3], 20, "cosine")
    scores = rows.scores(data[3])
    emptied = data.copy()
    emptied[scores < wanted[-1][1] - 0.05] = np.nan
    assert np.isnan(emptied[:, 0]).sum() > 4000
    np.save(tmp_path / "data.npy", emptied)
    files["data"] = np.load(tmp_path / "data.npy", mmap_mode="r")
    assert top(DenseRows.of(ids_of(5000), files), data[3], 20) == wanted


def test_best_rows_at_the_end() -> None:
    data = like_lsa(20000, 16)
    data = data[np.argsort(data @ data[3], kind="stable")]
    rows = made(data, "int8")
    assert top(rows, data[-1], 30) == sorted_scores(rows, data[-1], 30, "cosine")


@pytest.mark.parametrize("length", [1e-40, 1e37])
@pytest.mark.parametrize("storage", STORAGES)
def test_extreme_lengths_are_scored_exactly(storage: str, length: float) -> None:
    data = like_lsa(1000)
    data[::3] *= np.float32(length)
    rows = made(data, storage)
    assert rows.storage == "float32"
    for measure in ("cosine", "linear"):
        assert top(rows, data[3], 10, measure=measure) == sorted_scores(rows, data[3], 10, measure)


def test_equal_rows_have_equal_scores() -> None:
    row, query = like_lsa(20, 33)[:2]
    rows = made(np.repeat(row[np.newaxis], 5003, axis=0), "int8")
    assert len(set(rows.scores(query).tolist())) == 1
    assert row @ query > 0
    assert [number for number, _ in top(rows, query, 3)] == sorted(rows.ids)[:3]


@pytest.mark.parametrize("storage", STORAGES)
def test_empty_query_and_empty_rows(storage: str) -> None:
    assert top(made(np.zeros((0, 3), np.float32), storage), np.ones(3), 5) == []
    rows = made(like_lsa(500, 3), storage)
    assert top(rows, np.zeros(3), 5) == []
    assert top(rows, np.ones(3), 0) == []
    assert rows.nearest(np.empty((0, 3)), 5) == []


def test_unknown_storage_and_wrong_filter_size_are_refused() -> None:
    with pytest.raises(IndexingError, match=r"float32, float16, int8, not as 'int4'"):
        stored(np.ones((1, 1), np.float32), storage="int4")
    with pytest.raises(IndexingError, match=r"a filter for 3 documents does not fit an index of 2"):
        top(made(np.ones((2, 2), np.float32), "float32"), np.ones(2), 1, allowed=np.ones(3, dtype=bool))


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("grouped", [True, False])
def test_arrays_of_other_sizes_are_recognised(storage: str, grouped: bool) -> None:
    data = like_lsa(50, 8)
    arrays_ = stored(data, np.array([0, 30, 50]) if grouped else None, storage=storage)
    documents = 2 if grouped else 50
    assert belong_together(arrays_, documents=documents, columns=8)
    assert not belong_together(arrays_, documents=documents + 1, columns=8)
    assert not belong_together(arrays_, documents=documents, columns=9)
    for name, array in arrays_.items():
        assert not belong_together({**arrays_, name: array[:-1]}, documents=documents, columns=8), name
        if name not in ("data", "groups", "codes"):
            left = {other: array for other, array in arrays_.items() if other != name}
            assert not belong_together(left, documents=documents, columns=8), name


def test_storage_depends_on_the_number_of_rows() -> None:
    assert [storage_for(number) for number in (0, 9015, 1_000_000)] == ["float32", "float32", "int8"]
