"""word2vec against gensim, and the import of gensim."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extras import reason
from features.examples import TEXTS
from foreart.errors import ForeartError, MissingExtra
from foreart.features import Features, Tfidf
from foreart.features.vectors.doc2vec import Doc2Vec
from foreart.features.vectors.gensim_models import _requirement, chunks
from foreart.features.vectors.word2vec import Word2Vec

models = pytest.importorskip("gensim.models", reason=reason("gensim"))


def trained_by_gensim(texts: list[list[str]], **parameters: object) -> object:
    model = models.Word2Vec(sg=1, workers=1, **parameters)
    totals = Counter(word for text in texts for word in text)
    model.build_vocab_from_freq({word: totals[word] for word in sorted(totals)})
    model.initial = model.wv.vectors.copy()
    model.train(texts, total_words=totals.total(), epochs=3)
    return model


def test_vectors_equal_gensim() -> None:
    features = Word2Vec(dimensions=12, window=4, min_count=4, negative=7, epochs=3, seed=5).fit(TEXTS)
    texts = [features.words(text) for text in TEXTS]
    model = trained_by_gensim(texts, vector_size=12, window=4, min_count=4, negative=7, seed=5)
    assert len(model.wv) == len(features.vectors_)  # type: ignore[attr-defined]
    for word in model.wv.index_to_key:  # type: ignore[attr-defined]
        expected = model.wv.get_vector(word, norm=True)  # type: ignore[attr-defined]
        np.testing.assert_allclose(features.vector(word), expected, atol=1e-6)


def test_defaults_are_those_of_the_paper() -> None:
    assert Word2Vec().parameters == {
        "dimensions": 200, "window": 5, "min_count": 5, "negative": 13, "epochs": 0, "sample": 1e-3,
        "tf": "count", "idf": True, "as_published": False, "seed": 0, "workers": 1,
    }  # fmt: skip


def test_words_after_the_ten_thousandth_are_learned_from() -> None:
    """gensim alone leaves their vectors at the initial values."""
    text = ["early", "bird"] * 6_000 + ["late", "owl"] * 1_000
    model = trained_by_gensim([text], vector_size=8, sample=0, seed=0)
    late = model.wv.key_to_index["late"]  # type: ignore[attr-defined]
    np.testing.assert_array_equal(model.wv.vectors[late], model.initial[late])  # type: ignore[attr-defined]
    features = Word2Vec(dimensions=8, sample=0.0, epochs=3).fit([" ".join(text)])
    initial = model.initial[late] / np.linalg.norm(model.initial[late])  # type: ignore[attr-defined]
    assert features.vector("late") @ initial < 0.99
    assert features.vector("late") @ features.vector("owl") > features.vector("late") @ features.vector("early")


@given(length=st.integers(0, 45_000))
def test_chunks_cover_the_text_and_are_limited(length: int) -> None:
    words = [str(number) for number in range(length)]
    parts = list(chunks(words))
    assert [word for part in parts for word in part] == words
    sizes = {len(part) for part in parts}
    assert len(parts) == -(-length // 10_000)
    assert not sizes or (max(sizes) <= 10_000 and max(sizes) - min(sizes) <= 1)


def test_rows_are_weighted_sums_of_vectors() -> None:
    features = Word2Vec(dimensions=8, sample=0.0, tf="log").fit(TEXTS)
    text = "bone screw screw probe fusion engine bone unheardof"
    weights = Tfidf(tf="log").fit(TEXTS)
    row = weights.encode([text])
    total = sum(
        weight * features.vector(weights.terms[column]) for column, weight in zip(row.indices, row.data, strict=True)
    )
    np.testing.assert_allclose(features.encode([text])[0], total / np.linalg.norm(total), atol=1e-6)


def test_rows_depend_on_the_seed_only() -> None:
    one, again, other = (Word2Vec(dimensions=8, seed=seed).fit_encode(TEXTS) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert np.abs(one - other).max() > 0.01


@pytest.mark.parametrize(("features", "module"), [(Word2Vec(), "word2vec"), (Doc2Vec(), "doc2vec")])
def test_missing_gensim_names_the_extra(features: Features, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, f"gensim.models.{module}", None)
    with pytest.raises(MissingExtra, match=rf"{module}.*pip install 'foreart\[word2vec\]'"):
        features.fit(TEXTS)


def test_python_without_gensim_suggests_ppmi() -> None:
    assert _requirement("word2vec", (3, 13)) == "word2vec"
    message = str(MissingExtra(_requirement("word2vec", (3, 14)), "word2vec"))
    assert "Python 3.14" in message
    assert "use `ppmi` instead" in message
    assert message.endswith("on Python 3.13 it needs an optional library: pip install 'foreart[word2vec]'")


@pytest.mark.parametrize("name", ["dimensions", "window", "min_count", "negative", "workers"])
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(ForeartError, match=f"{name} is 0; it can be 1 or more"):
        Word2Vec(**{name: 0}).fit(TEXTS)
