"""The rows of every index and of the view: aligned once by a build, kept beside the view, checked by the doctor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import foreart as fa
from foreart.corpus.views.string_tables import IdTable
from foreart.doctor import examine
from foreart.document.patent import Patent
from foreart.errors import IndexingError
from foreart.index.build import merging
from foreart.index.published_state import publish_state, published_state
from foreart.index.storage.row_alignment import SAME, Alignment, keep_alignment
from foreart.library import Library
from foreart.sources import read

DRAFT = fa.read_draft(fa.SAMPLE / "drafts" / "insulin-pump.txt")
PATENTS: list[Patent] = list(read(fa.SAMPLE / "patents.jsonl"))


@pytest.fixture(scope="module", autouse=True)
def _small_segments_stay() -> Iterator[None]:
    """As full segments do, which nobody rewrites for one replaced document."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "MAX_REWRITTEN", 0)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library in which a document was replaced: its row is the last one of the postings, not of the view."""
    folder = tmp_path_factory.mktemp("aligned")
    with Library(folder) as library:
        library.corpus.add(PATENTS[:30])
        library.build()
        assert {entry.rows for entry in published_state(folder).indexes.values()} == {SAME}
        library.build("passages")
        library.corpus.add([replace(PATENTS[3], title="Another title"), *PATENTS[30:35]])
        library.build()
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    with Library(shutil.copytree(made, tmp_path / "library")) as library:
        yield library


def listed(library: Library) -> list[tuple[str, float]]:
    with Library(library.folder) as fresh:
        return [(hit.id, hit.score) for hit in fresh.search(DRAFT, k=20, cutoff="2030-01-01")]


def problems(library: Library) -> list[str]:
    return [check.sentence for check in examine(library.folder) if check.state == "bad"]


def test_a_build_keeps_the_rows_of_all_indexes(library: Library) -> None:
    state = published_state(library.folder)
    names = {entry.rows for entry in state.indexes.values()}
    assert len(names - {SAME}) == 1
    assert len(list(state.view_folder.glob("rows-*"))) == 1
    for name in state.indexes:
        alignment, index = state.alignment(name), state.index(name)
        assert alignment is not None
        assert [index.ids[row] for row in alignment.in_index.tolist()] == list(state.view.ids)
        assert [state.view.ids[row] for row in alignment.in_view.tolist()] == list(index.ids)
        assert index.rows_of(["US0A", PATENTS[3].id]).tolist() == [-1, list(index.ids).index(PATENTS[3].id)]
    assert problems(library) == []


def test_a_state_without_alignments_is_searched_with_the_same_result(library: Library) -> None:
    """As a foreart left it that kept none; the next build keeps them."""
    before, state = listed(library), published_state(library.folder)
    unknown = {name: replace(entry, rows="") for name, entry in state.indexes.items()}
    publish_state(replace(state, indexes=unknown))
    assert listed(library) == before
    library.build()
    made = published_state(library.folder).indexes
    assert {name: entry.rows for name, entry in made.items()} == {
        name: entry.rows for name, entry in state.indexes.items()
    }


def test_a_damaged_alignment_is_seen_and_made_again(library: Library) -> None:
    before = listed(library)
    (file,) = published_state(library.folder).view_folder.glob("rows-*")
    content = file.read_bytes()
    for damaged in (content[:-4] + b"\0\0\0\0", content[:-3], b""):
        file.write_bytes(damaged)
        assert any("not those of the view: run `foreart build`" in sentence for sentence in problems(library))
        library.build()
        assert problems(library) == []
        assert file.read_bytes() == content
        assert listed(library) == before
    file.unlink()
    with pytest.raises(IndexingError, match=r"rows-[0-9a-f]+ is damaged .*: run `foreart build`"):
        listed(library)
    library.build()
    assert listed(library) == before


def test_the_doctor_compares_an_alignment_with_the_rows(library: Library) -> None:
    """A file as it was written, of other rows."""
    state = published_state(library.folder)
    wrong = np.arange(len(state.view))[::-1]
    name = keep_alignment(Alignment(wrong, wrong), state.view_folder)
    publish_state(replace(state, indexes={key: replace(entry, rows=name) for key, entry in state.indexes.items()}))
    assert len(problems(library)) == len(state.indexes)


def test_alignments_that_no_state_names_are_removed(library: Library) -> None:
    folder = published_state(library.folder).view_folder
    (folder / "rows-of-a-killed-build").touch()
    library.build()
    assert len(list(folder.glob("rows-*"))) == 1


def test_rows_of_ids_are_found_by_table_and_one_by_one() -> None:
    numbers = [f"US{number}A" for number in (5, 3, 9, 1)]
    table, other = IdTable.of(numbers), IdTable.of(sorted(numbers))
    assert table.rows(other).tolist() == table.rows(sorted(numbers)).tolist() == [3, 1, 0, 2]
    assert table.rows(["US9A", "US4A"]).tolist() == [2, -1]
    assert table.rows(IdTable.of(["US4A"])).tolist() == [-1]
    assert IdTable.of([]).rows([]).tolist() == []
