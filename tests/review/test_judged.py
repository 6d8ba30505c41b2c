"""Judged pairs in one shape, from our labels and from sheets in the form the paper published."""

from __future__ import annotations

from pathlib import Path

import pytest

from foreart.errors import BadFile, ForeartError
from foreart.review import JudgedPair, Label, append_label, read_judged
from foreart.review.expert_folder import labels_folder, write_set
from foreart.review.expert_set import Item
from foreart.review.labels import label_file
from foreart.review.sheet import SheetRow

ITEMS = (
    Item("US1A1", "US2B2", True, "cited", 0.5, 0.25),
    Item("US1A1", "US3B2", False, "high", 0.25, 0.125),
    Item("US1A1", "US4B2", False, "low", 0.0, 0.0),
)


@pytest.fixture
def expert_set(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    write_set(folder, ITEMS, [SheetRow(item.target, item.document) for item in ITEMS], [], about={})
    for rater, document, score in (
        ("Ann", "US2B2", 2), ("Ann", "US3B2", 5), ("Ann", "US2B2", 4),
        ("bob", "US2B2", 1), ("bob", "US9B2", 3), ("bob", "US4B2", None),
    ):  # fmt: skip
        append_label(label_file(labels_folder(folder), rater), Label(rater, "US1A1", document, score))
    return folder


def test_labels_and_key_make_judged_pairs(expert_set: Path) -> None:
    assert read_judged(expert_set) == (
        JudgedPair("US1A1", "US2B2", True, 2.5, 0.5, 0.25, "cited"),
        JudgedPair("US1A1", "US3B2", False, 5.0, 0.25, 0.125, "high"),
    )
    assert read_judged(expert_set, rater="ann")[0].score == 4
    assert [judged.document for judged in read_judged(expert_set, rater="bob")] == ["US2B2"]
    with pytest.raises(ForeartError, match=r"cyn has judged nothing in .*; labels are of Ann, bob"):
        read_judged(expert_set, rater="cyn")


def test_relevant_is_above_two() -> None:
    scores = (0, 2, 2.5, 3, 5)
    assert [JudgedPair("t", "d", False, score).relevant for score in scores] == [False, False, True, True, True]


def sheet(folder: Path, text: str, *, name: str = "US20150018885", encoding: str = "utf-8") -> Path:
    path = folder / "patent_sheets" / f"{name}_human_eval.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


EXPECTED = (
    JudgedPair("US20150018885", "US20110087291", False, 4.0, 0.61, 0.3),
    JudgedPair("US20150018885", "US7585299", True, 0.0, 0.125, None),
)


@pytest.mark.parametrize(
    "text",
    [
        "id\tcited\thuman\tcosine\tjaccard\nUS20110087291\t0\t4\t0.61\t0.3\nUS7585299\t1\t0\t.125\t\nUS8\t1\t\t0.1\t0.1\n",
        "US20110087291\t0\t4\t0.61\t0.3\nUS7585299\t1\t0\t.125\t\nUS8\t1\t\t0.1\t0.1\n",
        "id,cited,human,cosine,jaccard\nUS20110087291,0.0,4.0,0.61,0.3\nUS7585299,1.0,0.0,0.125,nan\nUS8,1.0,nan,0.1,0.1\n",
        "id;cited;human;cosine;jaccard\nUS20110087291;0;4;0,61;0,3\nUS7585299;1,0;0;0,125;\nUS8;1;;0,1;0,1\n",
        'id,cited,human,cosine,jaccard\r\nUS20110087291,0,4,"0,61","0,3"\r\nUS7585299,1,0,"0,125",\r\n\r\nUS8,1,-,0,0\r\n',
        "\ufefftitle\tID\tHuman\tCited\tJaccard\tCosine\tlink\n"
        "a, b\tUS 2011/0087291\t4\tFalse\t0.3\t0.61\tx\nc\tUS7,585,299\t0\tTrue\t\t0.125\tx\nd\tUS8\tn/a\tTrue\t\t\t\n",
        "US20110087291\trandom\t4\t0,61\t0,3\nUS7585299\tcited\t0\t0,125\t\n",
    ],
    ids=["as published", "no header", "commas", "semicolons", "quoted", "more columns", "words"],
)
def test_the_sheets_of_the_paper_are_read_in_every_variant(tmp_path: Path, text: str) -> None:
    path = sheet(tmp_path, text)
    assert read_judged(tmp_path) == read_judged(path) == EXPECTED


def test_all_sheets_of_a_folder_in_order_of_target(tmp_path: Path) -> None:
    for name in ("US20150066086", "US20150018885"):
        sheet(tmp_path, "US7585299\t1\t3\t0.5\t0.2\n", name=name)
    (tmp_path / "notes.csv").write_text("nothing", encoding="utf-8")
    assert [judged.target for judged in read_judged(tmp_path)] == ["US20150018885", "US20150066086"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("US1\t1\t7\t0.5\t0.2\n", "row 1: the score '7' is not from 0 to 5"),
        ("id\tcited\thuman\tcosine\tjaccard\nUS1\t1\tgood\t0.5\t0.2\n", "row 2: 'good' is not a number"),
        ("US1\tmaybe\t3\t0.5\t0.2\n", "row 1: 'maybe' in the column cited is neither 1 nor 0"),
        ("US1\t1\t3\t0.5\n", "row 1: 4 cells where there should be 5"),
        ("id,cited,human,cosine,jaccard\nUS1,1,3,0,5,0,2\n", "row 2: 7 cells where there should be 5"),
        ("id\tcited\thuman\tcosine\nUS1\t1\t3\t0.5\n", "has no column 'jaccard'"),
    ],
)
def test_what_cannot_be_read_is_told_with_file_and_row(tmp_path: Path, text: str, reason: str) -> None:
    sheet(tmp_path, text)
    with pytest.raises(BadFile, match="US20150018885_human_eval.csv.*" + reason):
        read_judged(tmp_path)


def test_a_folder_without_either_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"has neither key.json .* nor sheets that are called <target>_human_eval.csv"):
        read_judged(tmp_path)
