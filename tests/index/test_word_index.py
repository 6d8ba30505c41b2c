"""An index of words: scores, explanations, and its folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from foreart import durable, index
from foreart.errors import IndexingError, NotInCorpus
from foreart.features import Bm25, Features, Tfidf
from foreart.index.building import build_all
from foreart.index.word_folder import WORDS
from index.few_patents import TEXTS, corpus_of, numbers, row_index, word_index


@pytest.mark.parametrize("features", [Tfidf(), Tfidf(tf="log", idf=False), Tfidf(tf="binary", norm="max"), Bm25()])
def test_scores_equal_those_of_the_rows(tmp_path: Path, features: Features) -> None:
    made = word_index(tmp_path, features)
    learned = type(features)(**features.parameters)
    rows = learned.fit_encode(TEXTS.values())
    query = learned.encode_queries(["the cat sat and the rat sat"])
    products = np.asarray((rows @ query.T).todense()).ravel()
    if features.measure == "cosine":
        products = products / np.linalg.norm(query.toarray()) / np.linalg.norm(rows.toarray(), axis=1)
    assert made.scores(made.encode("the cat sat and the rat sat")) == pytest.approx(products, abs=1e-6)


def test_equal_scores_are_in_order_of_id(tmp_path: Path) -> None:
    made = word_index(tmp_path)
    found = made.top(made.encode("rat"), 4)
    assert numbers(found) == ["US1B1", "US3B1"]
    assert found[0][1] == found[1][1]


def test_documents_without_shared_words_are_no_hits(tmp_path: Path) -> None:
    made = word_index(tmp_path)
    assert made.top(made.encode("zebra"), 3) == []
    assert made.scores(made.encode("")).tolist() == [0.0] * 4


@pytest.mark.parametrize("features", [Tfidf(), Tfidf(tf="log", norm="max"), Bm25()])
def test_contributions_sum_to_the_score(tmp_path: Path, features: Features) -> None:
    made = word_index(tmp_path, features)
    text = "the cat sat and the rat sat"
    for number, score in made.top(made.encode(text), 4):
        words = made.explanation(text).of(number)
        assert sum(share for _, share in words) == pytest.approx(score, rel=1e-12)
        assert [share for _, share in words] == sorted((share for _, share in words), reverse=True)
        assert {word for word, _ in words} <= set(TEXTS[number].split())


def test_contribution_is_the_product_of_the_weights(tmp_path: Path) -> None:
    made = word_index(tmp_path)
    idf = {"cat": np.log(4 / 3), "mat": np.log(4 / 1), "the": np.log(4 / 3), "sat": np.log(2), "on": np.log(2)}
    text = np.array([idf["cat"], idf["mat"], idf["on"], idf["sat"], 2 * idf["the"]])
    query = np.array([idf["cat"], idf["mat"]])
    expected = {word: idf[word] ** 2 / np.linalg.norm(text) / np.linalg.norm(query) for word in ("cat", "mat")}
    assert dict(made.explanation("cat mat").of("US2B1")) == pytest.approx(expected, rel=1e-12)


def test_only_allowed_documents_are_ranked(tmp_path: Path) -> None:
    made = word_index(tmp_path)
    query = made.encode("the cat sat on the mat")
    allowed = np.array([number in ("US1B1", "US4B1") for number in made.ids])
    assert set(numbers(made.top(query, 4, allowed=allowed))) == {"US1B1", "US4B1"}


def test_weighted_rows_equal_those_of_the_features(tmp_path: Path) -> None:
    made = word_index(tmp_path, Tfidf(tf="log"))
    expected = Tfidf(tf="log").fit_encode(TEXTS.values()).toarray()
    found = made.weighted(list(TEXTS)).toarray()
    assert (found @ found.T) == pytest.approx(expected @ expected.T, abs=1e-12)
    with pytest.raises(NotInCorpus, match="US9B1 is not in the index"):
        made.weighted(["US9B1"])


def test_description_and_shared_postings(tmp_path: Path) -> None:
    word_index(tmp_path)
    with corpus_of(tmp_path / "corpus.db", {}) as corpus:
        wanted = {tmp_path / "indexes" / name: Tfidf(tf=name) for name in ("log", "binary")}  # type: ignore[arg-type]
        made = build_all(corpus, wanted, postings=tmp_path / "postings")
    described = made[tmp_path / "indexes" / "log"].description
    assert (described.documents, described.sections, described.features) == (4, "full", "tfidf")
    assert (described.columns, described.numbers) == (12, 20)
    assert described.statistics["documents"] == 4
    assert described.recall["recall@100"] == 1.0
    assert {index.stored_at(folder) for folder in wanted} == {tmp_path / "postings" / "full"}
    again = index.load(tmp_path / "indexes" / "binary")
    assert again.description.parameters["tf"] == "binary"
    assert sorted(again.ids) == sorted(TEXTS)
    assert index.verify(tmp_path / "indexes" / "binary") == []


def test_library_can_be_moved(tmp_path: Path) -> None:
    word_index(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "there")
    made = index.load(tmp_path / "there" / "indexes" / "words")
    assert numbers(made.top(made.encode("dog"), 1)) == ["US4B1"]


def test_index_of_rows_and_of_words_replace_each_other(tmp_path: Path) -> None:
    word_index(tmp_path)
    path = tmp_path / "indexes" / "words"
    row_index(path)
    assert index.load(path).description.features == "lsa"
    assert not (path / WORDS).exists()
    word_index(tmp_path)
    assert index.load(path).description.features == "tfidf"
    assert [path.name for path in path.iterdir()] == [WORDS]


def test_changed_parameter_is_reported_as_damage(tmp_path: Path) -> None:
    word_index(tmp_path)
    path = tmp_path / "indexes" / "words"
    (path / WORDS).write_text((path / WORDS).read_text().replace('"count"', '"log"'))
    (message,) = index.verify(path)
    assert "words.json does not match its checksum" in message
    with pytest.raises(IndexingError, match="rebuild it with `foreart build`"):
        index.load(path)


def test_file_of_version_0_1_0_has_no_checksum(tmp_path: Path) -> None:
    word_index(tmp_path)
    path = tmp_path / "indexes" / "words"
    record = durable.read_checked(path / WORDS)
    (path / WORDS).write_text(json.dumps(record))
    assert index.load(path).description.features == "tfidf"
    (path / WORDS).write_text(json.dumps({**record, "checksun": "0" * 32}))
    with pytest.raises(IndexingError, match=r"is damaged \(.*words.json cannot be read"):
        index.load(path)
    (path / WORDS).write_text(json.dumps({**record, "features": "nothing"}))
    with pytest.raises(IndexingError, match="unknown kind of index"):
        index.load(path)


def test_unreadable_index_is_reported(tmp_path: Path) -> None:
    word_index(tmp_path)
    path = tmp_path / "indexes" / "words"
    content = (path / WORDS).read_text()
    (path / WORDS).write_text(content.replace("tfidf", "tf-idf"))
    with pytest.raises(
        IndexingError, match=r"is damaged \(.*words.json does not match its checksum\); .*foreart build"
    ):
        index.load(path)
    (path / WORDS).write_text(content)
    (tmp_path / "postings" / "full" / "current").unlink()
    with pytest.raises(IndexingError, match="there is no index"):
        index.load(path)
