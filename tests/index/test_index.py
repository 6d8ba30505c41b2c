"""Rows in order of likeness, and the folder they lie in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from foreart import index
from foreart.errors import IndexError_
from foreart.features import Tfidf
from foreart.index import DenseRows, SparseRows

TEXTS = {
    "US2B1": "the cat sat on the mat",
    "US1B1": "the cat ate the rat",
    "US4B1": "a dog sat on a log 42 17",
    "US3B1": "the cat ate the rat",
}


def write(folder: Path, features: Tfidf | None = None) -> index.Index:
    learned = features or Tfidf()
    rows = learned.fit_encode(TEXTS.values())
    return index.write(folder, rows, list(TEXTS), learned, sections="full", corpus="c0ffee")


def as_rows(matrix: csr_array) -> SparseRows:
    ids = [f"US{number}A" for number in range(matrix.shape[0])]
    return SparseRows(ids, matrix.data, matrix.indices, matrix.indptr, width=matrix.shape[1])


def test_scores_are_the_dense_cosine() -> None:
    matrix = random_array((9000, 300), density=0.02, format="csr", rng=np.random.default_rng(7))
    full = matrix.toarray()
    query = matrix[[17]]
    lengths = np.linalg.norm(full, axis=1)
    dense = full @ full[17] / np.where(lengths > 0, lengths * lengths[17], 1)
    assert np.allclose(as_rows(matrix).scores(query), dense, atol=1e-14)


def test_dense_scores_are_the_cosine_or_the_product_and_zero_rows_score_nothing() -> None:
    generator = np.random.default_rng(3)
    matrix = generator.standard_normal((5000, 20)).astype(np.float32)
    matrix[7] = 0
    query = generator.standard_normal((1, 20)).astype(np.float32)
    rows = DenseRows([f"US{number}A" for number in range(5000)], matrix)
    product = matrix.astype(float) @ query[0].astype(float)
    lengths = np.linalg.norm(matrix.astype(float), axis=1) * np.linalg.norm(query.astype(float))
    assert np.allclose(rows.scores(query, measure="linear"), product, atol=1e-12)
    assert np.allclose(rows.scores(query), np.divide(product, lengths, where=lengths > 0, out=np.zeros(5000)))
    assert rows.scores(query)[7] == 0


def test_the_best_row_of_a_group_counts_and_a_group_without_rows_scores_nothing() -> None:
    matrix = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    rows = DenseRows(["US1A", "US2A", "US3A"], matrix, np.array([0, 2, 2, 3]))
    query = np.array([[0.0, 2.0]])
    assert rows.scores(query) == pytest.approx([1.0, 0.0, np.sqrt(0.5)])
    assert rows.shares(np.array([[0.0, 0.5], [0.0, 1.5]]), 0) == pytest.approx([0.25, 0.75])
    assert rows.shares(np.array([[0.0, 0.5], [0.0, 1.5]]), 1).tolist() == [0, 0]


def test_equal_scores_are_in_order_of_id(tmp_path: Path) -> None:
    made = write(tmp_path / "index")
    found = made.top(made.encode("rat"), 4)
    assert [number for number, _ in found] == ["US1B1", "US3B1"]
    assert found[0][1] == found[1][1]


def test_documents_that_share_nothing_are_no_hits(tmp_path: Path) -> None:
    made = write(tmp_path / "index")
    assert made.top(made.encode("zebra"), 3) == []
    assert made.scores(made.encode("")).tolist() == [0.0] * 4


@pytest.mark.parametrize("norm", ["length", "max"])
@pytest.mark.parametrize("tf", ["count", "log"])
def test_contributions_sum_to_the_score(tmp_path: Path, tf: str, norm: str) -> None:
    made = write(tmp_path / "index", Tfidf(tf=tf, norm=norm))  # type: ignore[arg-type]
    text = "the cat sat and the rat sat"
    for number, score in made.top(made.encode(text), 4):
        words = made.explanation(text).of(number)
        assert sum(share for _, share in words) == pytest.approx(score, rel=1e-12)
        assert [share for _, share in words] == sorted((share for _, share in words), reverse=True)
        assert {word for word, _ in words} <= set(TEXTS[number].split())


def test_a_contribution_is_the_product_of_the_two_weights(tmp_path: Path) -> None:
    made = write(tmp_path / "index")
    idf = {"cat": np.log(4 / 3), "mat": np.log(4 / 1), "the": np.log(4 / 3), "sat": np.log(2), "on": np.log(2)}
    text = np.array([idf["cat"], idf["mat"], idf["on"], idf["sat"], 2 * idf["the"]])
    asked = np.array([idf["cat"], idf["mat"]])
    expected = {word: idf[word] ** 2 / np.linalg.norm(text) / np.linalg.norm(asked) for word in ("cat", "mat")}
    assert dict(made.explanation("cat mat").of("US2B1")) == pytest.approx(
        expected, rel=1e-6
    )  # rows are stored in single precision


def test_a_written_index_says_what_it_is_and_lies_in_its_files(tmp_path: Path) -> None:
    made = write(tmp_path / "indexes" / "tfidf")
    generation = (tmp_path / "indexes" / "tfidf" / "current").read_text()
    said = json.loads((tmp_path / "indexes" / "tfidf" / generation / "index.json").read_text())
    assert (said["documents"], said["sections"], said["corpus"]) == (4, "full", "c0ffee")
    assert said["parameters"] == Tfidf().parameters
    assert isinstance(made.rows.data, np.memmap)
    assert [path.name for path in (tmp_path / "indexes").iterdir()] == ["tfidf"]
    assert len(made) == 4
    assert made.ids == list(TEXTS)


def test_writing_again_replaces_and_an_open_index_goes_on(tmp_path: Path) -> None:
    old = write(tmp_path / "index")
    new = write(tmp_path / "index", Tfidf(tf="binary"))
    query = old.encode("cat mat")
    assert old.top(query, 1)[0][0] == "US2B1"
    assert new.description.parameters["tf"] == "binary"
    assert len([path for path in (tmp_path / "index").iterdir() if path.is_dir()]) == 1


def test_what_a_killed_writing_left_is_ignored_and_swept_away(tmp_path: Path) -> None:
    write(tmp_path / "index")
    rest = tmp_path / "index" / "half"
    rest.mkdir()
    (rest / "data.npy").write_bytes(b"half")
    assert index.load(tmp_path / "index").ids == list(TEXTS)
    write(tmp_path / "index")
    assert not rest.exists()


def test_a_writing_that_fails_leaves_the_old_index_and_no_rest(tmp_path: Path) -> None:
    write(tmp_path / "index")
    with pytest.raises(AttributeError):
        index.write(tmp_path / "index", csr_array((1, 1)), ["US1A"], Tfidf(), sections="full", corpus="")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert index.load(tmp_path / "index").ids == list(TEXTS)


def test_no_index_unknown_form_and_damage_are_told(tmp_path: Path) -> None:
    with pytest.raises(IndexError_, match=r"there is no index at .*foreart build"):
        index.load(tmp_path / "none")
    write(tmp_path / "index")
    (generation,) = [path for path in (tmp_path / "index").iterdir() if path.is_dir()]
    place = generation / "index.json"
    said = json.loads(place.read_text())
    place.write_text(json.dumps({**said, "form": 99}))
    with pytest.raises(IndexError_, match="in a form this one cannot read"):
        index.load(tmp_path / "index")
    place.write_text(json.dumps({**said, "postings": 3}))
    with pytest.raises(IndexError_, match="damaged"):
        index.load(tmp_path / "index")
    place.write_text(json.dumps(said))
    (generation / "data.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(IndexError_, match="damaged"):
        index.load(tmp_path / "index")
