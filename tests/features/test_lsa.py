"""LSA against the SVDs of numpy and scikit-learn; sparse products and pairs of words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array
from scipy.sparse.linalg import svds
from sklearn.decomposition import TruncatedSVD

from features.examples import TEXTS
from foreart.errors import ForeartError, IndexingError
from foreart.features import Tfidf, count, load, products, tokenized
from foreart.features.spectrum import leading, subspace
from foreart.features.topics import reduction
from foreart.features.topics.bigrams import frequent_pairs, joined, joined_counts
from foreart.features.topics.lsa import Lsa
from foreart.features.topics.projection import Linear


def unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 1e-9, lengths, np.inf)


def random_texts(count: int, seed: int = 3) -> list[str]:
    """Words by Zipf's law plus words of one of twenty topics: a spectrum like that of real texts."""
    random = np.random.default_rng(seed)
    shares = 1 / np.arange(1, 2001)
    found = []
    for number in range(count):
        words = random.choice(2000, size=80, p=shares / shares.sum())
        topic = 2000 + (number % 20) * 50 + random.choice(50, size=20)
        found.append(" ".join(f"w{word}" for word in [*words, *topic]))
    return found


@pytest.mark.parametrize("dimensions", [1, 5, 12])
@pytest.mark.parametrize("norm", ["length", "max"])
def test_rows_are_projections_on_the_right_singular_vectors(dimensions: int, norm: str) -> None:
    weights = Tfidf(norm=norm)  # type: ignore[arg-type]
    rows = weights.fit_encode(TEXTS).toarray()
    _, values, right = np.linalg.svd(rows, full_matrices=False)
    features = Lsa(dimensions=dimensions, norm=norm)  # type: ignore[arg-type]
    found = features.fit_encode(TEXTS)
    for texts, weighted in ((TEXTS, rows), (["bone probe pump", "probe"], None)):
        given_rows = weights.encode(texts).toarray() if weighted is None else weighted
        expected = unit(given_rows @ right[:dimensions].T)
        got = features.encode(texts)
        signs = np.sign((unit(rows @ right[:dimensions].T) * found).sum(axis=0))
        np.testing.assert_allclose(got, expected * signs, atol=2e-6)
    np.testing.assert_allclose(features.singular_values_, values[:dimensions], rtol=1e-9)


def test_rows_equal_sklearn_and_arpack() -> None:
    texts = random_texts(300)
    rows = Tfidf().fit_encode(texts)
    features = Lsa(dimensions=30)
    found = features.fit_encode(texts)
    np.testing.assert_allclose(features.singular_values_, np.sort(svds(rows, k=30)[1])[::-1], rtol=1e-9)
    other = TruncatedSVD(30, algorithm="arpack", random_state=0).fit(rows)
    expected = unit(other.transform(rows))
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=2e-6)


def test_first_dimensions_do_not_depend_on_their_number() -> None:
    many, few = Lsa(dimensions=10).fit_encode(TEXTS), Lsa(dimensions=4).fit_encode(TEXTS)
    np.testing.assert_allclose(unit(many[:, :4]), few, atol=2e-6)


def test_largest_entry_of_each_vector_is_positive() -> None:
    left = Lsa(dimensions=10).fit(TEXTS)._projection_.left
    assert (left[np.abs(left).argmax(axis=0), np.arange(left.shape[1])] > 0).all()


def test_dimensions_are_limited_by_the_rank() -> None:
    texts = ["bone screw", "bone plate", "pump valve"]
    rows = Lsa(dimensions=1000).fit_encode(texts)
    assert rows.shape == (3, 3)
    expected = unit(Tfidf().fit_encode(texts).toarray())
    np.testing.assert_allclose(rows @ rows.T, expected @ expected.T, atol=1e-6)
    assert Lsa(dimensions=1000).fit_encode(["bone screw"] * 4).tolist() == [[0.0]] * 4


def test_text_orthogonal_to_all_dimensions_is_zero() -> None:
    """Its projection is rounding, and would have a random direction if scaled to length 1."""
    texts = ["bone screw"] * 6 + ["bone plate"] * 5 + ["pump valve"]
    rows = Lsa(dimensions=2).fit_encode(texts)
    assert not rows[-1].any()
    assert rows[:-1].any(axis=1).all()


def test_min_df_drops_rare_words() -> None:
    kept = Lsa(dimensions=4, min_df=3).fit(TEXTS)
    df = Counter(word for text in TEXTS for word in set(kept.words(text)))
    assert list(kept._vocabulary_.terms) == sorted(word for word, texts in df.items() if texts >= 3)
    rows = [" ".join(word for word in kept.words(text) if df[word] >= 3) for text in TEXTS]
    np.testing.assert_allclose(kept.encode(TEXTS), Lsa(dimensions=4).fit_encode(rows), atol=1e-6)


@pytest.mark.parametrize("wrong", [{"dimensions": 0}, {"min_df": 0}, {"tf": "square"}, {"norm": "none"}])
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ForeartError, match="can be"):
        Lsa(**wrong).fit(TEXTS)  # type: ignore[arg-type]


def test_arrays_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    Lsa(dimensions=4).fit(TEXTS).save(tmp_path / "one")
    np.save(tmp_path / "one" / "offset.npy", np.zeros(3))
    Lsa(dimensions=4).fit(TEXTS).save(tmp_path / "two")
    Lsa(dimensions=4).fit(TEXTS[:9])._projection_.save(tmp_path / "two")
    for folder in ("one", "two"):
        with pytest.raises(IndexingError, match="rebuild the index"):
            load(tmp_path / folder)


# Large corpora


def test_subspace_iteration_on_a_flat_spectrum() -> None:
    """Eigenvalues that decay as slowly as those of texts: 1 / √rank."""
    size, wanted = 600, 40
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(size, size)))[0]
    values = 50 / np.sqrt(np.arange(1, size + 1))
    matrix = turn * values @ turn.T
    products_made = []

    def multiply(columns: np.ndarray) -> np.ndarray:
        products_made.append(columns.shape[1])
        return matrix @ columns

    found, vectors = subspace(multiply, size, wanted, seed=0)
    np.testing.assert_allclose(found, values[:wanted], rtol=1e-5)
    np.testing.assert_allclose(np.abs((vectors * turn[:, :wanted]).sum(axis=0)), 1.0, atol=1e-4)
    assert len(products_made) < 50
    again = subspace(multiply, size, wanted, seed=0)
    assert (again[1] == vectors).all()


@pytest.mark.parametrize("rank", [0, 3])
def test_matrix_of_small_rank(rank: int) -> None:
    factor = np.random.default_rng(1).normal(size=(300, rank))
    values, vectors = subspace(lambda columns: factor @ (factor.T @ columns), 300, 20, seed=0)
    np.testing.assert_allclose(values[:rank], np.linalg.svd(factor)[1] ** 2, rtol=1e-9)
    np.testing.assert_allclose(values[rank:], 0, atol=1e-9)
    assert np.isfinite(vectors).all()
    assert len(leading(lambda columns: factor @ (factor.T @ columns), 300, 20, seed=0)[0]) == rank


def test_large_corpora_get_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above some size neither the matrix of all texts nor all eigenvalues are computed."""
    texts = random_texts(400)
    exact = Lsa(dimensions=12)
    expected = exact.fit_encode(texts)
    monkeypatch.setattr(reduction, "DENSE_TEXTS", 100)
    monkeypatch.setattr("foreart.features.spectrum._SMALL", 100)
    large = Lsa(dimensions=12)
    found = large.fit_encode(texts)
    np.testing.assert_allclose(large.singular_values_, exact.singular_values_, rtol=1e-5)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=5e-3)
    other = Lsa(dimensions=12, seed=5)
    other.fit(texts)
    np.testing.assert_allclose(other.singular_values_, exact.singular_values_, rtol=1e-5)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 300), st.integers(1, 40), st.floats(0.01, 0.5), st.integers(0, 99))
def test_products_equal_scipy(rows: int, columns: int, share: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    one = csr_array(random_array((rows, columns), density=share, rng=random))
    other = csr_array(random_array((7, columns), density=share, rng=random))
    dense = random.normal(size=(columns, 5))
    np.testing.assert_allclose(products.times(one, dense), one @ dense, atol=1e-12)
    np.testing.assert_allclose(products.dots(one, other.tocsc()), (one @ other.T).toarray(), atol=1e-12)
    np.testing.assert_allclose(products.gram(one), (one @ one.T).toarray(), atol=1e-12)


def test_folded_words_give_the_same_projection() -> None:
    rows = Tfidf().fit_encode(TEXTS)
    left = np.random.default_rng(0).normal(size=(len(TEXTS), 16))
    projection = Linear.of(rows, left)
    df = np.bincount(rows.indices, minlength=rows.shape[1])
    assert ((projection.places >= 0) == (df > 8)).all()
    assert 0 < len(projection.right) < rows.shape[1]
    np.testing.assert_allclose(projection.apply(rows), rows @ rows.T @ left, atol=1e-5)


# Pairs of words, as published


def test_frequent_pairs() -> None:
    """`signal processor` three times; `the pump` too, but that is only a tenth of the occurrences of `the`."""
    texts = [
        "signal processor signal processor",
        "signal processor the pump the pump the pump",
        " ".join(f"the w{number}" for number in range(27)),
        "bone screw bone screw",
        "signal",
    ]
    stream = tokenized(texts, str.split)
    assert frequent_pairs(stream) == {"signal": {"processor"}}
    # With one occurrence of `the` less, three are more than a tenth.
    fewer = tokenized([*texts[:2], " ".join(f"the w{number}" for number in range(26)), *texts[3:]], str.split)
    assert frequent_pairs(fewer) == {"signal": {"processor"}, "the": {"pump"}}


def test_pairs_do_not_cross_the_end_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["x bone", "screw y"] * 5 + ["bone screw"] * 2
    assert frequent_pairs(tokenized(texts, str.split)) == {"screw": {"y"}, "x": {"bone"}}
    monkeypatch.setattr("foreart.features.topics.bigrams._STEP", 3)
    assert frequent_pairs(tokenized(texts, str.split)) == {"screw": {"y"}, "x": {"bone"}}
    assert frequent_pairs(tokenized([], str.split)) == frequent_pairs(tokenized(["", "one", ""], str.split)) == {}


def test_overlapping_pairs_are_joined() -> None:
    bigrams = {"a": frozenset("b"), "b": frozenset("c"), "x": frozenset("x")}
    assert joined("abcdacbcxx", bigrams) == ["a_b_c", "d", "a", "c", "b_c", "x_x"]
    assert joined([], bigrams) == []


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=9), max_size=9))
def test_joined_counts_equal_counts_of_joined_words(texts: list[list[str]]) -> None:
    bigrams = {"a": frozenset("bc"), "c": frozenset("c")}
    found = joined_counts(tokenized([" ".join(text) for text in texts], str.split), bigrams)
    for text, row in zip(texts, found.rows.toarray(), strict=True):
        assert {found.terms[column]: row[column] for column in np.flatnonzero(row)} == Counter(joined(text, bigrams))


def test_as_published_uses_max_norm_and_joined_words() -> None:
    features = Lsa(dimensions=6, as_published=True).fit(TEXTS)
    assert "signal_processor" in features.words("A Signal-free SIGNAL processor")
    weights = Tfidf(norm="max", as_published=True)
    weights.fit_counts(count(TEXTS, features.words))
    rows = weights.encode_counts(count(TEXTS, features.words)).toarray()
    expected = unit(rows @ np.linalg.svd(rows, full_matrices=False)[2][:6].T)
    found = features.encode(TEXTS)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-6)
    # Each of the three can be set separately.
    assert "signal_processor" in Lsa(dimensions=6, bigrams=True).fit(TEXTS).words("signal processor")
    assert Lsa(dimensions=6, as_published=True, bigrams=False).fit(TEXTS).words("Signal 7") == ["signal", "1"]


def test_pairs_need_the_word_order() -> None:
    features = Lsa(dimensions=6, bigrams=True)
    with pytest.raises(TypeError, match="use fit or fit_stream"):
        features.fit_counts(count(TEXTS, str.split))
    stream = tokenized(TEXTS, Tfidf().words)
    assert (
        features.fit_stream(stream).encode_stream(stream) == Lsa(dimensions=6, bigrams=True).fit_encode(TEXTS)
    ).all()
    single = Lsa(dimensions=6)
    assert (single.fit_stream(stream).encode_stream(stream) == Lsa(dimensions=6).fit_encode(TEXTS)).all()


def test_sample_is_evenly_spread_and_the_only_training_data() -> None:
    texts = random_texts(200)
    features = Lsa(dimensions=8, sample=50)
    found = features.fit_encode(texts)
    np.testing.assert_array_equal(features.learns_from(200), np.arange(0, 200, 4))
    assert found.shape == (200, 8)
    np.testing.assert_array_equal(found, Lsa(dimensions=8).fit(texts[::4]).encode(texts))
    for sample in (0, 200, 201):
        assert len(Lsa(sample=sample).learns_from(200)) == 200
    with pytest.raises(ForeartError, match="sample is -1"):
        Lsa(sample=-1).fit(texts)
