"""Pairs survive their file, and a file that is none is refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foreart.errors import BadFile
from foreart.evaluation.pairs.pairs import Pairs
from foreart.evaluation.pairs.pairs_file import read_pairs, read_targets, write_pairs

PAIRS = Pairs(
    ("US1A1", "US2A1"),
    ("US7B2", "US8B2"),
    {"US2A1": ("US5B2", "US4B2")},
    {"US1A1": ("EP1A1",)},
    {"seed": 1, "selection": {"published_from": "2015"}},
    "c0ffee",
    ("a note",),
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "pairs.tsv"
    write_pairs(PAIRS, path)
    assert read_pairs(path) == PAIRS
    assert read_pairs(path).fingerprint == PAIRS.fingerprint
    assert [file.name for file in path.parent.iterdir()] == ["pairs.tsv"]


def test_the_form_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    write_pairs(PAIRS, path)
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)
    assert header["counts"] == {"targets": 2, "citing": 1, "cited": 2, "random": 4, "duplicate": 1}
    assert (header["corpus"], header["fingerprint"]) == ("c0ffee", PAIRS.fingerprint)
    assert lines == [
        "US1A1\t\ttarget",
        "US2A1\t\ttarget",
        "\tUS7B2\trandom",
        "\tUS8B2\trandom",
        "US2A1\tUS5B2\tcited",
        "US2A1\tUS4B2\tcited",
        "US1A1\tEP1A1\tduplicate",
    ]


def changed(path: Path, old: str, new: str) -> Path:
    write_pairs(PAIRS, path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("US2A1\tUS5B2\tcited", "US2A1\tUS6B2\tcited", "was changed after it was written"),
        ("US2A1\tUS5B2\tcited", "US2A1\tUS5B2\tliked", "line 6 is not target, document and label"),
        ("US2A1\tUS5B2\tcited", "US2A1 US5B2 cited", "line 6 is not"),
        ("US1A1\t\ttarget\n", "", "US1A1 has pairs, but no line declares it a target"),
        ('"form": 1', '"form": 9', "another version"),
        ("foreart pairs", "foreart peers", "is not a file of pairs"),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    with pytest.raises(BadFile, match=reason):
        read_pairs(changed(tmp_path / "pairs.tsv", old, new))


def test_a_change_that_was_meant_is_taken(tmp_path: Path) -> None:
    path = changed(tmp_path / "pairs.tsv", "\tUS8B2\trandom\n", "")
    path.write_text(path.read_text(encoding="utf-8").replace(f'"{PAIRS.fingerprint}"', "null"), encoding="utf-8")
    assert read_pairs(path).random == ("US7B2",)


@pytest.mark.parametrize("content", [b"", b"US1 0 US2 1\n", b"\xff\xfe\x00", b"[1]\n"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BadFile):
        read_pairs(path)
    with pytest.raises(BadFile):
        read_pairs(tmp_path / "absent")


def test_targets_are_ids_or_the_queries_of_qrels(tmp_path: Path) -> None:
    path = tmp_path / "targets"
    path.write_text("# the first\nUS1A1\n\nUS2A1  # a remark\nUS1A1\n", encoding="utf-8")
    assert read_targets(path) == ("US1A1", "US2A1")
    path.write_text("US1A1 0 US7B2 1\nUS1A1 0 US8B2 1\nUS3A1 0 US7B2 1\n", encoding="utf-8")
    assert read_targets(path) == ("US1A1", "US3A1")
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(BadFile, match="names no targets"):
        read_targets(path)
