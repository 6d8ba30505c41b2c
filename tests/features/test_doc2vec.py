"""doc2vec against gensim, and what we add to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from extras import reason
from features.examples import QUERY, TEXTS
from foreart.errors import ForeartError, IndexingError
from foreart.features import load, tokenized
from foreart.features.vectors.doc2vec import Doc2Vec
from foreart.features.vectors.paragraph_model import METHODS, infer

paragraphs = pytest.importorskip("gensim.models.doc2vec", reason=reason("gensim"))

# Enough to learn from texts of sixty words.
SMALL = {"dimensions": 8, "sample": 0.0, "epochs": 30, "window": 4}


@pytest.fixture(scope="module")
def learned() -> Doc2Vec:
    return Doc2Vec(**SMALL).fit(TEXTS)  # type: ignore[arg-type]


@pytest.mark.parametrize("negative", [0, 5])
@pytest.mark.parametrize("method", METHODS)
def test_inference_equals_gensim_except_for_the_start(
    method: str, negative: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    features = Doc2Vec(**SMALL, method=method, negative=negative).fit(TEXTS)  # type: ignore[arg-type]
    words = features.words(QUERY)
    found = infer(features._model_, words, key=17, seed=3, epochs=6, rate=0.05)
    random = np.random.default_rng([17, 3])
    start = ((random.random(8) - 0.5) / 8).astype(np.float32)
    monkeypatch.setattr(paragraphs, "pseudorandom_weak_vector", lambda *_, **__: start.copy())
    features._model_.random = np.random.RandomState(int(random.integers(2**32)))
    np.testing.assert_allclose(found, features._model_.infer_vector(words, epochs=6, alpha=0.05), atol=1e-7)
    assert np.abs(found - start).max() > 0.01


@pytest.mark.parametrize("negative", [0, 5])
@pytest.mark.parametrize("method", METHODS)
def test_training_equals_gensim(method: str, negative: int) -> None:
    features = Doc2Vec(**SMALL, seed=4, method=method, negative=negative).fit(TEXTS[:20])  # type: ignore[arg-type]
    predicting = {"hs": 0, "negative": negative} if negative else {"hs": 1, "negative": 0}
    model = paragraphs.Doc2Vec(
        vector_size=8, sample=0, window=4, min_count=1, seed=4, workers=1, **predicting, **METHODS[method]
    )
    known = features._vocabulary_.columns
    texts = [[word for word in features.words(text) if word in known] for text in TEXTS[:20]]
    model.dv.index_to_key = list(range(20))
    model.build_vocab_from_freq({word: sum(text.count(word) for text in texts) for word in sorted(known)})
    tagged = [paragraphs.TaggedDocument(words, [tag]) for tag, words in enumerate(texts)]
    model.train(tagged, total_words=sum(map(len, texts)), epochs=30)
    np.testing.assert_allclose(features._model_.wv.vectors, model.wv.vectors, atol=1e-6)
    hidden = "syn1neg" if negative else "syn1"
    np.testing.assert_allclose(getattr(features._model_, hidden), getattr(model, hidden), atol=1e-6)


def test_sum_and_mean_are_two_methods() -> None:
    """gensim's constructor drops its option `dm_mean`, so that a sum would silently be a mean."""
    models = {method: Doc2Vec(**SMALL, method=method).fit(TEXTS)._model_ for method in ("sum", "mean")}  # type: ignore[arg-type]
    assert [models[method].cbow_mean for method in ("sum", "mean")] == [0, 1]
    assert np.abs(models["sum"].wv.vectors - models["mean"].wv.vectors).max() > 0.01


def test_defaults_are_those_of_the_paper() -> None:
    assert Doc2Vec().parameters == {
        "dimensions": 50, "window": 8, "min_count": 5, "epochs": 18, "infer_epochs": 5, "infer_rate": 0.1,
        "method": "sum", "negative": 0, "sample": 0.0, "as_published": False, "seed": 0, "workers": 1,
    }  # fmt: skip


def test_training_texts_are_inferred_like_any_other(learned: Doc2Vec) -> None:
    """A vector from training, the same whatever `infer_epochs`, cannot be compared with an inferred one."""
    quick = Doc2Vec(**SMALL, infer_epochs=2).fit(TEXTS)  # type: ignore[arg-type]
    np.testing.assert_array_equal(quick._model_.wv.vectors, learned._model_.wv.vectors)
    texts = [*TEXTS[:40], QUERY]
    assert np.abs(quick.encode(texts) - learned.encode(texts)).max(axis=1).min() > 1e-3
    nearly_the_same = learned.encode([text + " bone" for text in TEXTS[:40]])
    assert (nearly_the_same * learned.encode(TEXTS[:40])).sum(axis=1).min() > 0.8


@pytest.mark.parametrize("negative", [0, 5])
def test_a_single_known_word_is_enough(negative: int) -> None:
    features = Doc2Vec(**SMALL, negative=negative).fit(["bone bone bone bone bone"])  # type: ignore[arg-type]
    assert np.linalg.norm(features.encode(["a bone"])) == pytest.approx(1.0, abs=1e-6)


def test_rows_depend_on_known_words_and_their_order(learned: Doc2Vec) -> None:
    rows = learned.encode(TEXTS)
    np.testing.assert_array_equal(learned.encode([TEXTS[5].upper() + " unheardof"])[0], rows[5])
    assert TEXTS[3] == TEXTS[46]
    np.testing.assert_array_equal(rows[3], rows[46])
    for other in (TEXTS[5] + " bone", " ".join(reversed(TEXTS[5].split()))):
        assert np.abs(learned.encode([other])[0] - rows[5]).max() > 1e-4


def test_words_after_the_ten_thousandth_are_used() -> None:
    words = " ".join(TEXTS)
    features = Doc2Vec(**SMALL | {"epochs": 3}).fit([words + " " + "late owl " * 6_000, *TEXTS])  # type: ignore[arg-type]
    start_text = "bone screw plate " * 4_000
    left, right = features.encode([start_text + "engine piston " * 500, start_text + "probe echo " * 500])
    assert np.abs(left - right).max() > 1e-3
    # In training too: the vector of a word that gensim alone would not have read has changed.
    initial = paragraphs.Doc2Vec(vector_size=8, seed=0, min_count=1)
    initial.build_vocab_from_freq({word: 9 for word in sorted(features._vocabulary_.columns)})
    model = features._model_
    owl = model.wv.key_to_index["owl"]
    assert model.wv.get_vecattr("owl", "count") == 6_000
    assert np.linalg.norm(model.wv.vectors[owl]) > 3 * np.linalg.norm(initial.wv.vectors, axis=1).max()


def test_inference_is_thread_safe(learned: Doc2Vec) -> None:
    texts = [f"{QUERY} {text}" for text in TEXTS]
    alone = learned.encode(texts)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: learned.encode([text])[0], texts))
    np.testing.assert_array_equal(np.array(together), alone)


def test_stream_and_texts_give_the_same_rows(learned: Doc2Vec) -> None:
    texts = [*TEXTS, QUERY, "unheardof"]
    np.testing.assert_array_equal(learned.encode_stream(tokenized(texts, learned.words)), learned.encode(texts))
    counts = tokenized(texts, learned.words).counts()
    with pytest.raises(TypeError, match="order"):
        learned.encode_counts(counts)
    with pytest.raises(TypeError, match="order"):
        learned.fit_counts(counts)


@pytest.mark.parametrize("negative", [0, 5])
@pytest.mark.parametrize("name", ["vectors", "hidden", "keeping", "counts or drawing"])
def test_arrays_that_do_not_fit_are_refused(name: str, negative: int, tmp_path: Path) -> None:
    """A compiled loop would read out of bounds."""
    Doc2Vec(**SMALL | {"epochs": 1}, negative=negative).fit(TEXTS).save(tmp_path / "features")  # type: ignore[arg-type]
    name = {"counts or drawing": "drawing" if negative else "counts"}.get(name, name)
    path = tmp_path / "features" / f"{name}.npy"
    np.save(path, np.load(path)[:-1])
    with pytest.raises(IndexingError, match="rebuild the index"):
        load(tmp_path / "features")


def test_an_index_with_vectors_from_training_is_refused(learned: Doc2Vec, tmp_path: Path) -> None:
    """Its rows, made by 0.1.0, cannot be compared with the inferred vector of a query."""
    learned.save(tmp_path / "features")
    np.save(tmp_path / "features" / "documents.npy", np.zeros((2, 8), np.float32))
    with pytest.raises(IndexingError, match="rebuild the index"):
        load(tmp_path / "features")


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "median"},
        {"dimensions": 0},
        {"window": 0},
        {"epochs": 0},
        {"infer_epochs": 0},
        {"infer_rate": 0.0},
        {"negative": -1},
        {"sample": -1.0},
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ForeartError, match="it can be"):
        Doc2Vec(**wrong).fit(TEXTS)  # type: ignore[arg-type]
