"""tf-idf against hand calculation and dense formulas."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from foreart.errors import ForeartError, IndexingError
from foreart.features import FEATURES, Tfidf, load

TEXTS = ["the cat sat on the mat", "the cat ate the rat", "a dog sat on a log 42 17"]
SETTINGS = list(product(("count", "binary", "log"), (True, False), ("length", "max")))


def dense(texts: list[str], corpus: list[str], tf: str, idf: bool, norm: str) -> list[dict[str, float]]:
    """Reference weights as dictionaries, without matrices."""
    known = [set(text.split()) for text in corpus]
    rows = []
    for text in texts:
        row = {}
        for word, count in Counter(text.split()).items():
            df = sum(word in words for words in known)
            if df:
                frequency = {"count": count, "binary": 1, "log": 1 + math.log(count)}[tf]
                weight = frequency * (math.log(len(corpus) / df) if idf else 1.0)
                if weight:
                    row[word] = weight
        size = math.sqrt(sum(w * w for w in row.values())) if norm == "length" else max(row.values(), default=0)
        rows.append({word: weight / size for word, weight in row.items()})
    return rows


def as_dicts(features: Tfidf, rows: object) -> list[dict[str, float]]:
    array = rows.tocsr()  # type: ignore[attr-defined]
    return [
        {
            features.terms[column]: weight
            for column, weight in zip(
                array.indices[array.indptr[row] : array.indptr[row + 1]],
                array.data[array.indptr[row] : array.indptr[row + 1]],
                strict=True,
            )
        }
        for row in range(array.shape[0])
    ]


def test_golden_values_of_the_paper() -> None:
    features = Tfidf()
    rows = features.fit_encode(TEXTS)
    golden = {"cat": 0.264061, "mat": 0.715475, "on": 0.264061, "sat": 0.264061, "the": 0.528121}
    assert as_dicts(features, rows)[0] == pytest.approx(golden, abs=5e-7)
    assert (rows[[0]] @ rows[[1]].T).toarray()[0, 0] == pytest.approx(0.2975972243, abs=5e-11)


@pytest.mark.parametrize(("tf", "idf", "norm"), SETTINGS)
def test_every_setting_equals_the_dense_formula(tf: str, idf: bool, norm: str) -> None:
    corpus = [*TEXTS, "the dog and the cat and the rat rat rat"]
    features = Tfidf(tf=tf, idf=idf, norm=norm)  # type: ignore[arg-type]
    found = as_dicts(features, features.fit_encode(corpus))
    for row, expected in zip(found, dense(corpus, corpus, tf, idf, norm), strict=True):
        assert row == pytest.approx(expected, rel=1e-12)
    query = ["the cat cat unheard of mat"]
    assert as_dicts(features, features.encode(query))[0] == pytest.approx(dense(query, corpus, tf, idf, norm)[0])


def test_words_of_every_text_are_dropped_unless_idf_is_off() -> None:
    texts = ["the cat", "the dog"]
    with_idf = Tfidf()
    assert as_dicts(with_idf, with_idf.fit_encode(texts)) == [{"cat": 1.0}, {"dog": 1.0}]
    without = Tfidf(idf=False, norm="max")
    assert as_dicts(without, without.fit_encode(texts)) == [{"cat": 1.0, "the": 1.0}, {"dog": 1.0, "the": 1.0}]


def test_unknown_words_and_empty_texts_give_empty_rows() -> None:
    features = Tfidf().fit(TEXTS)
    rows = features.encode(["zebra", "", "the zebra"])
    assert np.diff(rows.indptr).tolist() == [0, 0, 1]
    assert rows.shape == (3, len(features.terms))


def test_fit_encode_equals_fit_and_encode_and_reads_texts_once() -> None:
    read: list[str] = []

    def once() -> object:
        for text in TEXTS:
            read.append(text)
            yield text

    left = Tfidf().fit_encode(once())  # type: ignore[arg-type]
    assert read == TEXTS
    right = Tfidf().fit(iter(TEXTS)).encode(iter(TEXTS))
    assert (left != right).nnz == 0


def test_columns_are_alphabetical_for_any_order_of_texts() -> None:
    assert (
        list(Tfidf().fit(TEXTS).terms) == list(Tfidf().fit(TEXTS[::-1]).terms) == sorted(set(" ".join(TEXTS).split()))
    )


def test_constructor_only_stores() -> None:
    features = Tfidf(tf="log", idf=False, norm="max", as_published=True)
    assert vars(features) == features.parameters == {"tf": "log", "idf": False, "norm": "max", "as_published": True}


@pytest.mark.parametrize("wrong", [{"tf": "square"}, {"norm": "none"}])
def test_wrong_parameters_are_refused_by_fit(wrong: dict[str, str]) -> None:
    with pytest.raises(ForeartError, match="it can be"):
        Tfidf(**wrong).fit(TEXTS)  # type: ignore[arg-type]


def test_saved_features_encode_as_before(tmp_path: Path) -> None:
    features = Tfidf(tf="log", norm="max").fit([*TEXTS, "Größe 骨"])
    features.save(tmp_path / "features")
    again = load(tmp_path / "features")
    assert isinstance(again, FEATURES["tfidf"])
    assert again.parameters == features.parameters
    assert (again.encode(TEXTS) != features.encode(TEXTS)).nnz == 0
    assert not list(tmp_path.rglob("*.pkl"))


def test_damaged_features_are_refused(tmp_path: Path) -> None:
    Tfidf().fit(TEXTS).save(tmp_path / "features")
    (tmp_path / "features" / "df.npy").write_bytes(b"")
    with pytest.raises(IndexingError, match="rebuild the index"):
        load(tmp_path / "features")
