"""Lists of numbers as people keep them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foreart.errors import BadFile
from foreart.search import listed


def test_numbers_and_files_together(tmp_path: Path) -> None:
    lines = tmp_path / "seen.txt"
    lines.write_text(
        "\ufeffNumber,Title\nUS 7,585,299 B2\n\nEP1000000A1; first\n# WO2014100001A1\nUS7585299B2 # again\n"
    )
    # A comma ends the cell of a table, so that a number with commas is written without them in a list.
    lines.write_text(lines.read_text("utf-8").replace("7,585,299", "7585299"), "utf-8")
    assert listed([lines, "WO 96/25012", "EP1000000A1"]) == ("US7585299B2", "EP1000000A1", "WO1996025012")


def test_a_saved_search_and_a_list(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"hits": [{"id": "US1A", "family_members": [{"id": "US2B1"}]}, {"id": "doc 7"}]}))
    assert listed([str(record)]) == ("US1A", "US2B1", "doc 7")
    plain = tmp_path / "list.json"
    plain.write_text('["US1A", "US3A"]')
    assert listed([record, plain]) == ("US1A", "US2B1", "doc 7", "US3A")


def test_free_ids_of_the_corpus(tmp_path: Path) -> None:
    assert listed(["doc-17"], {"doc-17"}.__contains__) == ("doc-17",)
    lines = tmp_path / "seen.txt"
    lines.write_text("doc-17\ndoc-18\n")
    assert listed([lines], {"doc-17"}.__contains__) == ("doc-17",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"hits": [', "incomplete or invalid"),
        ('{"results": []}', "has no hits"),
        ('{"hits": [{"rank": 1}]}', "without an id"),
        ("nothing here\n", "no publication number"),
        (b"\xff\xfe\x00\x81", "cannot be read"),
    ],
)
def test_files_that_are_no_lists(tmp_path: Path, text: str | bytes, told: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadFile, match=told):
        listed([file])


@pytest.mark.parametrize("text", ["nowhere.json", "", "x" * 5000, "a\0b"])
def test_neither_file_nor_number(text: str) -> None:
    with pytest.raises(BadFile, match="no such file, and it is not a publication number"):
        listed([text])


def test_an_empty_file_lists_nothing(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.touch()
    assert listed([file]) == ()
