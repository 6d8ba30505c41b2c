"""Judgements are kept as they are made, survive a kill, and keep raters apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.errors import BadFile, ForeartError
from foreart.review import Label, append_label, read_labels, read_raters
from foreart.review.labels import label_file, latest, rater_name, scores

ONE = Label("ann", "T", "D1", 3, "see claim 1 – „gut“", "2026-01-01T00:00:00+00:00")
TWO = Label("ann", "T", "D2", None, "cannot say")
THREE = Label("ann", "T", "D1", 4)


def test_labels_come_back_in_order_and_the_last_word_counts(tmp_path: Path) -> None:
    path = tmp_path / "labels" / "ann.jsonl"
    assert read_labels(path) == []
    for label in (ONE, TWO, THREE):
        append_label(path, label)
    assert read_labels(path) == [ONE, TWO, THREE]
    assert latest(read_labels(path)) == {("T", "D1"): THREE, ("T", "D2"): TWO}
    assert scores(latest(read_labels(path))) == {("T", "D1"): 4}
    assert path.read_text(encoding="utf-8").count("\n") == 3


@given(cut=st.integers(0, 400))
def test_a_label_that_was_cut_off_takes_no_other_with_it(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("labels") / "ann.jsonl"
    append_label(path, ONE)
    append_label(path, THREE)
    data = path.read_bytes()
    path.write_bytes(data[:cut])
    kept = [label for label in (ONE, THREE) if label in read_labels(path)]
    assert kept == read_labels(path)
    assert len(kept) == data[:cut].count(b"\n") + (data[cut : cut + 1] == b"\n")
    append_label(path, TWO)
    assert read_labels(path) == [*kept, TWO]


def test_a_line_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    for line in ("{}", "x", '{"rater": "a", "target": "T", "document": "D", "score": 7}'):
        append_label(path, ONE)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        with pytest.raises(BadFile, match="line 2 is not a judgement"):
            read_labels(path)
        path.unlink()


def test_a_score_off_the_scale_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ForeartError, match="the score 6 is not from 0 to 5"):
        append_label(tmp_path / "ann.jsonl", Label("ann", "T", "D", 6))
    assert list(tmp_path.iterdir()) == []


def test_raters_have_files_of_their_own(tmp_path: Path) -> None:
    append_label(label_file(tmp_path, "Zoë Q."[:-1]), Label("Zoë Q", "T", "D1", 1))
    append_label(label_file(tmp_path, "ann"), ONE)
    append_label(label_file(tmp_path, "ANN"), TWO)
    assert read_raters(tmp_path) == {"Zoë Q": {("T", "D1"): Label("Zoë Q", "T", "D1", 1)}, "ann": latest([ONE, TWO])}
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", ["", " ", "../ann", "a/b", "a\\b", ".ann", "ann.", "x" * 64, "a\x00b"])
def test_a_name_that_cannot_be_a_file_is_refused(name: str) -> None:
    with pytest.raises(ForeartError, match="cannot be the name of a rater"):
        rater_name(name)


def test_a_name_has_one_spelling() -> None:
    assert rater_name("  Ann   Hall ") == "Ann Hall"
    assert rater_name("Zoe\u0308") == "Zoë"
    assert label_file("x", "Ann Hall") == Path("x") / "ann hall.jsonl"
