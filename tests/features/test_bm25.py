"""BM25 against hand calculation, the formulas of bm25s and rank_bm25, and its own properties."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.errors import ForeartError, IndexingError
from foreart.features import load
from foreart.features.bm25 import Bm25

TEXTS = ["the cat sat on the mat", "the cat ate the rat", "a dog sat on a log 42 17", "", "cat cat cat"]
QUERIES = ["the cat cat unheard mat", "dog", "", "the the the the"]
_WORDS = st.sampled_from("abcdefg")
_TEXTS = st.lists(st.lists(_WORDS, max_size=12).map(" ".join), min_size=1, max_size=8)


def reference_scores(query: str, texts: list[str], *, k1: float, b: float, k3: float | None = None) -> list[float]:
    """Scores as in bm25s with its method "lucene", from dictionaries."""
    counts = [Counter(text.split()) for text in texts]
    mean = sum(counted.total() for counted in counts) / len(texts)
    scores = []
    for counted in counts:
        score = 0.0
        for word, times in Counter(query.split()).items():
            df = sum(word in other for other in counts)
            if counted[word]:
                idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
                tf = counted[word]
                weight = times if k3 is None else (k3 + 1) * times / (k3 + times)
                score += weight * idf * tf / (k1 * ((1 - b) + b * counted.total() / mean) + tf)
        scores.append(score)
    return scores


def scores(features: Bm25, query: str, texts: list[str]) -> np.ndarray:
    return (features.encode_queries([query]) @ features.encode(texts).T).toarray()[0]


def test_by_hand() -> None:
    """Two texts of 2 and 4 words: the mean is 3; `cat` occurs in one of them, twice."""
    features = Bm25(k1=1.2, b=0.75)
    rows = features.fit_encode(["the dog", "the cat the cat"])
    norm = 1.2 * (0.25 + 0.75 * 4 / 3)
    assert list(features.terms) == ["cat", "dog", "the"]
    assert rows[1, 0] == pytest.approx(math.log(1 + 1.5 / 1.5) * 2 / (2 + norm), rel=1e-12)
    assert rows[1, 2] == pytest.approx(math.log(1 + 0.5 / 2.5) * 2 / (2 + norm), rel=1e-12)
    assert features.encode_queries(["cat cat the"]).toarray().tolist() == [[2.0, 0.0, 1.0]]


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (1.5, 0.75), (0.9, 0.4), (2.0, 0.0), (1.2, 1.0)])
@pytest.mark.parametrize("query", QUERIES)
def test_scores_match_the_formula(query: str, k1: float, b: float) -> None:
    features = Bm25(k1=k1, b=b).fit(TEXTS)
    np.testing.assert_allclose(scores(features, query, TEXTS), reference_scores(query, TEXTS, k1=k1, b=b), atol=1e-12)
    saturated = Bm25(k1=k1, b=b, query="saturated", k3=7.0).fit(TEXTS)
    expected = reference_scores(query, TEXTS, k1=k1, b=b, k3=7.0)
    np.testing.assert_allclose(scores(saturated, query, TEXTS), expected, atol=1e-12)


@settings(deadline=None)
@given(_TEXTS, st.lists(_WORDS, max_size=6).map(" ".join))
def test_scores_match_the_formula_for_random_texts(texts: list[str], query: str) -> None:
    features = Bm25().fit(texts)
    np.testing.assert_allclose(
        scores(features, query, texts), reference_scores(query, texts, k1=1.5, b=0.75), atol=1e-9
    )


def test_okapi_differs_by_a_constant_factor_and_idf() -> None:
    """rank_bm25's BM25Okapi: tf · (k1 + 1) / (tf + …) times ln((N − df + ½) / (df + ½))."""
    features = Bm25(k1=1.5)
    rows = features.fit_encode(TEXTS)
    column = features.terms.index("mat")
    mean = sum(len(text.split()) for text in TEXTS) / len(TEXTS)
    okapi = math.log((5 - 1 + 0.5) / 1.5) * 1 * 2.5 / (1 + 1.5 * (1 - 0.75 + 0.75 * 6 / mean))
    ours = rows[0, column] * 2.5 / math.log(1 + 4.5 / 1.5) * math.log(4.5 / 1.5)
    assert ours == pytest.approx(okapi, rel=1e-12)


@settings(deadline=None)
@given(_TEXTS)
def test_weights_are_between_zero_and_idf(texts: list[str]) -> None:
    features = Bm25()
    rows = features.fit_encode(texts)
    idf = np.log1p((len(texts) - features.df_ + 0.5) / (features.df_ + 0.5))
    assert (rows.data > 0).all()
    assert (rows.data < idf[rows.indices]).all()


def test_weights_grow_with_counts_and_shrink_with_length() -> None:
    features = Bm25().fit(TEXTS)
    column = features.terms.index("cat")
    weights = features.encode(["cat", "cat cat", "cat cat cat cat", "cat " + "dog " * 9])[:, [column]].toarray().ravel()
    assert weights[3] < weights[0] < weights[1] < weights[2]
    # b = 0 ignores the length, k1 = 0 the count.
    even = Bm25(b=0.0).fit(TEXTS).encode(["cat", "cat dog dog dog"])[:, [column]].toarray().ravel()
    assert even[0] == even[1]
    flat = Bm25(k1=0.0).fit(TEXTS).encode(["cat", "cat cat cat"])[:, [column]].toarray().ravel()
    assert flat[0] == flat[1] == pytest.approx(math.log(1 + 2.5 / 3.5))


def test_query_weightings() -> None:
    texts = ["cat cat cat dog"]
    rows = {query: Bm25(query=query).fit(texts).encode_queries(texts).toarray()[0] for query in ("count", "binary")}  # type: ignore[arg-type]
    assert rows["count"].tolist() == [3.0, 1.0]
    assert rows["binary"].tolist() == [1.0, 1.0]
    saturated = Bm25(query="saturated", k3=8.0).fit(texts).encode_queries(texts).toarray()[0]
    assert saturated.tolist() == pytest.approx([9 * 3 / 11, 1.0])


def test_unknown_words_do_not_add_to_the_length() -> None:
    features = Bm25().fit(TEXTS)
    assert (features.encode(["cat mat"]) != features.encode(["cat zebra mat zebra"])).nnz == 0


@pytest.mark.parametrize("wrong", [{"query": "square"}, {"k1": -1.0}, {"k3": -1.0}, {"b": 1.5}, {"b": -0.1}])
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ForeartError, match="can be"):
        Bm25(**wrong).fit(TEXTS)  # type: ignore[arg-type]


def test_frequencies_of_other_words_are_refused(tmp_path: Path) -> None:
    Bm25().fit(TEXTS).save(tmp_path / "features")
    np.save(tmp_path / "features" / "df.npy", np.ones(3, np.int64))
    with pytest.raises(IndexingError, match="rebuild the index"):
        load(tmp_path / "features")
