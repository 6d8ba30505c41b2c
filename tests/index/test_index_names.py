"""Building an index deletes only files of earlier indexes."""

from __future__ import annotations

from pathlib import Path

import pytest

import foreart
from foreart.errors import IndexingError
from foreart.features import Tfidf
from foreart.index.word_folder import write_words
from foreart.library import Library
from index.few_patents import row_index

SAMPLE = Path(foreart.__file__).parent / "sample" / "patents.jsonl"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with Library(folder) as made:
        made.add([SAMPLE])
        made.build("tfidf")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "name",
    [
        "..",
        ".",
        "../..",
        "a/b",
        "/tmp/x",
        ".hidden",
        "a\\b",
        "a\0b",
        "a\nb",
        "tfidf\n",
        "x" * 65,
        "a b",
        "-x",
        "é",
        "C:x",
    ],
)
@pytest.mark.parametrize("kind", ["tfidf", "topics"])
def test_index_name_is_one_path_component(library: Path, name: str, kind: str) -> None:
    before = contents(library / "indexes")
    with Library(library) as opened:
        with pytest.raises(IndexingError, match="cannot be the name of an index"):
            opened.build(kind, name=name)
        with pytest.raises(IndexingError, match="cannot be the name of an index"):
            opened.index(name)
    assert contents(library / "indexes") == before


def test_names_of_letters_digits_and_punctuation_are_valid(library: Path) -> None:
    with Library(library) as opened:
        for name in ("A1", "my_index-2.1", "x" * 64):
            assert list(opened.build("tfidf", name=name)) == [name]
            assert name in opened.indexes


def test_files_of_others_are_kept(tmp_path: Path) -> None:
    mine = tmp_path / "thesis"
    files = ("chapter.docx", "figures/one.png", "0123456789abcdef/notes.txt", "current.bak", ".new", "old.npy")
    for name in files:
        (mine / name).parent.mkdir(parents=True, exist_ok=True)
        (mine / name).write_text(name)
    row_index(mine)
    row_index(mine)
    write_words(mine, Tfidf(), tmp_path / "postings")
    assert {name for name in contents(mine)} == {*files, "words.json"}
    row_index(mine)
    assert not (mine / "words.json").exists()
    assert {name: (mine / name).read_text() for name in files} == {name: name for name in files}


def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "ids.json").write_text("keep")
    row_index(tmp_path / "index")
    (tmp_path / "index" / "0123456789abcdef").symlink_to(tmp_path / "mine")
    row_index(tmp_path / "index")
    assert (tmp_path / "mine" / "ids.json").read_text() == "keep"
