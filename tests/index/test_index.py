"""An index of dense rows, and its folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from foreart import index
from foreart.errors import IndexingError, NotFitted
from foreart.features import QueryParts, make
from foreart.index.dense.dense_rows import DenseRows
from foreart.index.row_index import RowIndex
from index.few_patents import TEXTS, numbers, row_index, word_index


def test_scores_are_cosine_or_product_and_0_for_zero_rows() -> None:
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


def test_best_row_of_a_group_counts_and_empty_groups_score_0() -> None:
    matrix = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    rows = DenseRows(["US1A", "US2A", "US3A"], matrix, np.array([0, 2, 2, 3]))
    query = np.array([[0.0, 2.0]])
    assert rows.scores(query) == pytest.approx([1.0, 0.0, np.sqrt(0.5)])
    each = np.array([[0.0, 0.5], [0.0, 1.5]])
    parts = QueryParts(["one", "two"], each.sum(axis=0), lambda row: each @ row)
    assert rows.shares(parts, 0) == pytest.approx([0.25, 0.75])
    assert rows.shares(parts, 1).tolist() == [0, 0]


def test_equal_scores_are_in_order_of_id(tmp_path: Path) -> None:
    made = row_index(tmp_path / "index")
    found = made.top(made.encode("rat"), 2)
    assert numbers(found) == ["US1B1", "US3B1"]
    assert found[0][1] == found[1][1]


def test_contributions_sum_to_the_score(tmp_path: Path) -> None:
    made = row_index(tmp_path / "index")
    text = "the cat sat and the rat sat"
    for number, score in made.top(made.encode(text), 4):
        words = made.explanation(text).of(number)
        assert sum(share for _, share in words) == pytest.approx(score, rel=1e-6)
        assert {word for word, _ in words} <= set(text.split())


def test_description_and_files(tmp_path: Path) -> None:
    made = row_index(tmp_path / "indexes" / "lsa")
    generation = (tmp_path / "indexes" / "lsa" / "current").read_text()
    record = json.loads((tmp_path / "indexes" / "lsa" / generation / "index.json").read_text())
    assert (record["documents"], record["sections"], record["corpus"]) == (4, "full", "c0ffee")
    assert record["parameters"] == make("lsa", {"dimensions": 2}).parameters
    assert isinstance(made, RowIndex)
    assert isinstance(made.rows.data, np.memmap)
    assert [path.name for path in (tmp_path / "indexes").iterdir()] == ["lsa"]
    assert len(made) == 4
    assert list(made.ids) == list(TEXTS)


def test_rewriting_keeps_open_indexes_valid(tmp_path: Path) -> None:
    old = row_index(tmp_path / "index")
    new = row_index(tmp_path / "index", dimensions=1)
    assert numbers(old.top(old.encode("dog log"), 1)) == ["US4B1"]
    assert new.description.parameters["dimensions"] == 1
    assert len([path for path in (tmp_path / "index").iterdir() if path.is_dir()]) == 1


def test_files_of_killed_writers_are_ignored_and_removed(tmp_path: Path) -> None:
    row_index(tmp_path / "index")
    rest = tmp_path / "index" / "0f1e2d3c4b5a6978"
    rest.mkdir()
    (rest / "data.npy").write_bytes(b"half")
    assert list(index.load(tmp_path / "index").ids) == list(TEXTS)
    row_index(tmp_path / "index")
    assert not rest.exists()


def test_failed_write_keeps_the_old_index(tmp_path: Path) -> None:
    row_index(tmp_path / "index")
    unlearned = make("lsa", {})
    with pytest.raises(NotFitted):
        index.write(tmp_path / "index", np.ones((1, 1)), ["US1A"], unlearned, sections="full", corpus="")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert list(index.load(tmp_path / "index").ids) == list(TEXTS)


def test_flipped_byte_is_reported(tmp_path: Path) -> None:
    row_index(tmp_path / "index")
    assert index.verify(tmp_path / "index") == []
    for file in sorted(path for path in (tmp_path / "index").rglob("*.npy")):
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        (message,) = index.verify(tmp_path / "index")
        assert file.name in message
        assert "foreart build" in message
        file.write_bytes(whole)


def test_missing_index_unknown_format_and_damage_are_reported(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match=r"there is no index at .*foreart build"):
        index.load(tmp_path / "none")
    row_index(tmp_path / "index")
    (generation,) = [path for path in (tmp_path / "index").iterdir() if path.is_dir()]
    path = generation / "index.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "form": 99}))
    with pytest.raises(IndexingError, match="in a format that this version cannot read"):
        index.load(tmp_path / "index")
    path.write_text(json.dumps({**record, "postings": 3}))
    with pytest.raises(IndexingError, match="damaged"):
        index.load(tmp_path / "index")
    path.write_text(json.dumps(record))
    (generation / "data.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(IndexingError, match="damaged"):
        index.load(tmp_path / "index")


@pytest.mark.parametrize(
    "name",
    [
        b"\xff\xfe\x00",
        b"caf\xe9",
        b"",
        b"\0",
        b"../..",
        b"a" * 5000,
        b"\xef\xbb\xbf" + b"a" * 16,
        b"aaaaaaaa\nb",
        b"a" * 16,
    ],
    ids=lambda name: repr(name[:20]),
)
@pytest.mark.parametrize("kind", ["rows", "words"])
def test_a_damaged_name_of_what_is_current_is_told(tmp_path: Path, kind: str, name: bytes) -> None:
    """Not UTF-8, empty, too long, or of nothing: a sentence says what to do, from loading and from checking."""
    if kind == "rows":
        folder = tmp_path / "index"
        row_index(folder)
        current = folder / "current"
    else:
        word_index(tmp_path)
        folder, current = tmp_path / "indexes" / "words", tmp_path / "postings" / "full" / "current"
    current.write_bytes(name)
    with pytest.raises(IndexingError, match=r"`foreart build`"):
        index.load(folder)
    (told,) = index.verify(folder)
    assert "`foreart build`" in told
