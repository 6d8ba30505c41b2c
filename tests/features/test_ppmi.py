"""PPMI word vectors against brute force: pairs by loops, information by the dense formula, vectors by full SVD."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from features.examples import TEXTS
from foreart.errors import ForeartError
from foreart.features import Tfidf, TokenStream, tokenized
from foreart.features.vectors import cooccurrence
from foreart.features.vectors.cooccurrence import cooccurrences
from foreart.features.vectors.ppmi import Ppmi, directions, positive_information


def stream_of(texts: list[list[int]], terms: int) -> TokenStream:
    ends = np.cumsum([0, *map(len, texts)])
    ids = np.array([word for text in texts for word in text], dtype=np.int32)
    return TokenStream([f"w{number:03}" for number in range(terms)], ids, ends)


def brute_force(texts: list[list[int]], ranks: list[int], window: int, contexts: int) -> np.ndarray:
    found = np.zeros((max(ranks, default=-1) + 1, max(ranks, default=-1) + 1), dtype=np.int64)
    for text in texts:
        known = [ranks[word] for word in text if ranks[word] >= 0]
        for left, first in enumerate(known):
            for right, second in enumerate(known):
                if left != right and abs(left - right) <= window:
                    found[first, second] += 1
    return found[:, :contexts]


@given(
    texts=st.lists(st.lists(st.integers(0, 11), max_size=25), max_size=5),
    skipped=st.sets(st.integers(0, 11), max_size=11),
    window=st.integers(1, 6),
    contexts=st.integers(1, 14),
    frequent=st.integers(1, 60),
    block=st.integers(1, 40),
)
@settings(max_examples=150, deadline=None)
def test_pairs_equal_brute_force(
    texts: list[list[int]], skipped: set[int], window: int, contexts: int, frequent: int, block: int
) -> None:
    """For any size of the table and of a block."""
    ranks, rank = [], 0
    for word in range(12):
        ranks.append(-1 if word in skipped else rank)
        rank += word not in skipped
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cooccurrence, "_FREQUENT", frequent)
        found = cooccurrences(
            stream_of(texts, 12), np.array(ranks, dtype=np.int32), window=window, contexts=contexts, block=block
        )
    assert found.has_sorted_indices
    assert (found.data > 0).all()
    np.testing.assert_array_equal(found.toarray(), brute_force(texts, ranks, window, contexts))


def test_pairs_do_not_cross_texts() -> None:
    found = cooccurrences(stream_of([[0, 1], [2, 0]], 3), np.arange(3, dtype=np.int32), window=5, contexts=3)
    assert found.toarray().tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(("smoothing", "shift"), [(1.0, 1.0), (0.75, 1.0), (1.0, 3.0), (0.5, 0.5)])
def test_information_equals_the_dense_formula(smoothing: float, shift: float) -> None:
    counts = np.random.default_rng(3).poisson(1.2, (9, 6)).astype(np.uint32)
    counts[4], counts[:, 2] = 0, 0
    found = positive_information(csr_array(counts), smoothing=smoothing, shift=shift)
    smooth = counts.sum(axis=0) ** smoothing
    for row in range(9):
        for column in range(6):
            expected = 0.0
            if counts[row, column]:
                alone = counts[row].sum() / counts.sum() * smooth[column] / smooth.sum()
                expected = max(0.0, math.log(counts[row, column] / counts.sum() / alone / shift))
            assert found[row, column] == pytest.approx(expected, rel=1e-6, abs=1e-7)
    assert (found.data > 0).all()


def test_directions_are_the_right_singular_vectors_of_the_square() -> None:
    rows = csr_array(np.maximum(np.random.default_rng(5).normal(size=(30, 12)), 0).astype(np.float32))
    values, right = directions(rows, 4, seed=0)
    _, expected, across = np.linalg.svd(rows.toarray()[:12])
    np.testing.assert_allclose(values, expected[:4], rtol=1e-6)
    np.testing.assert_allclose(np.abs(np.sum(right * across[:4].T, axis=0)), 1.0, rtol=1e-6)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_vectors_are_projected_unit_rows(power: float) -> None:
    features = Ppmi(dimensions=5, window=3, min_count=3, contexts=20, power=power).fit(TEXTS)
    words = [features.words(text) for text in TEXTS]
    totals = Counter(word for text in words for word in text)
    ranked = sorted((word for word in totals if totals[word] >= 3), key=lambda word: (-totals[word], word))
    ranks = {word: rank for rank, word in enumerate(ranked)}
    texts = [[ranks[word] for word in text if word in ranks] for text in words]
    near = brute_force(texts, list(range(len(ranked))), 3, 20).astype(float)
    expected = near.sum(axis=1, keepdims=True) * near.sum(axis=0) / near.sum()
    rows = np.log(np.divide(near, expected, out=np.ones_like(near), where=near > expected))
    _, values, across = np.linalg.svd(rows[:20])
    vectors = rows @ across[:5].T * values[:5] ** (power - 1)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    assert not lengths.all()  # a word without contexts
    vectors /= np.where(lengths > 0, lengths, 1.0)
    found = np.array([features.vector(word) for word in ranked])
    np.testing.assert_allclose(found @ found.T, vectors @ vectors.T, atol=2e-6)


def test_rows_are_weighted_sums_of_known_vectors() -> None:
    features = Ppmi(dimensions=6, min_count=4).fit(TEXTS)
    text = "bone screw screw probe fusion engine bone naïve unheardof"
    weights = Tfidf().fit(TEXTS)
    row = weights.encode([text])
    total = sum(
        weight * features.vector(weights.terms[column]) for column, weight in zip(row.indices, row.data, strict=True)
    )
    np.testing.assert_allclose(features.encode([text])[0], total / np.linalg.norm(total), atol=1e-6)
    assert not features.vector("unheardof").any()
    assert np.linalg.norm(features.vector("bone")) == pytest.approx(1.0, abs=1e-6)


def test_words_of_one_topic_are_similar() -> None:
    features = Ppmi(dimensions=6).fit(TEXTS)
    probe, echo, bone = features.vector("probe"), features.vector("echo"), features.vector("bone")
    assert probe @ echo > 0.5 > probe @ bone


def test_rare_words_have_no_vector() -> None:
    features = Ppmi(dimensions=4, min_count=3).fit(["a b a b a c", "b c d", "d e"])
    assert [word for word in "abcde" if features.vector(word).any()] == ["a", "b"]
    assert not features.encode(["c d e"]).any()


def test_stream_and_texts_give_the_same_rows() -> None:
    features = Ppmi(dimensions=6)
    stream = tokenized(TEXTS, features.words)
    rows = features.fit_stream(stream).encode_stream(stream)
    np.testing.assert_array_equal(rows, Ppmi(dimensions=6).fit_encode(TEXTS))
    with pytest.raises(TypeError, match="order"):
        features.fit_counts(stream.counts())


def test_more_dimensions_than_words_are_zero() -> None:
    features = Ppmi(dimensions=30, min_count=1).fit(["a b c a b", "c d a"])
    assert features.vectors_.shape == (4, 30)
    assert not features.vectors_[:, 4:].any()


@pytest.mark.parametrize(
    "wrong",
    [{"dimensions": 0}, {"window": 0}, {"min_count": 0}, {"contexts": 0}, {"shift": 0.0}, {"tf": "square"}],
)
def test_wrong_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ForeartError, match="it can be"):
        Ppmi(**wrong).fit(TEXTS)  # type: ignore[arg-type]
