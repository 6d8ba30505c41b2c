"""A build by parts gives the bytes of a build without: any order, tasks that run twice, interruptions, changes."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from features.examples import EXAMPLES
from foreart import part_files
from foreart.corpus import Corpus
from foreart.corpus.record_files import read_records, write_records
from foreart.document.patent import Patent
from foreart.errors import MissingExtra, StaleIndex
from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.passage_rows import PassageRows
from foreart.index.build.row_reader import RowReader
from foreart.index.build.snapshot_updating import update
from foreart.index.passage_kind import Passages
from foreart.index.storage import store
from foreart.index_store import IndexStore
from foreart.library import Library
from foreart.library_building import BuildOptions
from foreart.part_files import PARTS, PartFolder, TaskPool
from library_files import library_files
from part_pools import Disorderly, Failing
from random_patents import change, fill, made

READERS = {
    "documents": DocumentRows(size=40),
    "as_published": DocumentRows(cutting="as_published", size=64),
    "passages": PassageRows("full", Passages(words=7).cutting, 7, 90),
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 17 documents, which divide neither segments nor corpora."""
    monkeypatch.setattr(part_files, "DOCUMENTS", 17)


def arrays_of(folder: Path) -> list[bytes]:
    manifest = store.load(folder).manifest
    assert manifest is not None
    return [path.read_bytes() for path, _ in store.files(folder, (folder / "current").read_text(), manifest)]


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("seed", range(3))
def test_postings_by_parts_have_the_same_bytes_after_any_changes(tmp_path: Path, kind: str, seed: int) -> None:
    reader: RowReader = READERS[kind]
    with made(tmp_path / "corpus.db", 150, seed) as corpus:
        for step in range(3):
            pool = Disorderly(seed)
            update(tmp_path / "here", corpus, reader)
            update(tmp_path / "parts", corpus, reader, parts=PartFolder.opened(tmp_path, pool))
            assert arrays_of(tmp_path / "parts") == arrays_of(tmp_path / "here")
            assert store.verify(tmp_path / "parts") == []
            assert {type(task).__name__ for task in pool.ran} == {"CountTask", "SegmentTask"}
            counted = sum(task.documents for task in pool.ran if type(task).__name__ == "CountTask")
            assert counted == len(corpus) if not step else counted < len(corpus)
            assert not list((tmp_path / PARTS).glob("*.counts"))
            change(corpus, random.Random(seed + step), 7000 + 100 * step)


@pytest.mark.parametrize("after", [1, 4, 7, 10, 13])
def test_an_interrupted_build_makes_no_part_again(tmp_path: Path, after: int) -> None:
    with made(tmp_path / "corpus.db", 150) as corpus:
        update(tmp_path / "here", corpus, READERS["documents"])
        first, second = Failing(after), Disorderly()
        with pytest.raises(InterruptedError):
            update(tmp_path / "parts", corpus, READERS["documents"], parts=PartFolder.opened(tmp_path, first))
        update(tmp_path / "parts", corpus, READERS["documents"], parts=PartFolder.opened(tmp_path, second))
        assert arrays_of(tmp_path / "parts") == arrays_of(tmp_path / "here")
    again = {task.path for task in first.ran} & {task.path for task in second.ran}
    assert not again
    assert len(first.ran) + len(second.ran) == 13  # nine parts are counted, four segments inverted


def test_a_damaged_part_is_made_again(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 60) as corpus:
        update(tmp_path / "here", corpus, READERS["documents"])
        with pytest.raises(InterruptedError):
            update(tmp_path / "parts", corpus, READERS["documents"], parts=PartFolder.opened(tmp_path, Failing(3)))
        (part, *_) = (tmp_path / PARTS).glob("*.counts")
        data = bytearray(part.read_bytes())
        data[200] ^= 1
        part.write_bytes(bytes(data))
        (tmp_path / PARTS / ".0123456789abcdef.new").write_bytes(b"half")
        pool = Disorderly()
        update(tmp_path / "parts", corpus, READERS["documents"], parts=PartFolder.opened(tmp_path, pool))
        assert part.relative_to(tmp_path) in {task.path for task in pool.ran}
        assert not list((tmp_path / PARTS).glob(".*"))
        assert arrays_of(tmp_path / "parts") == arrays_of(tmp_path / "here")


def test_a_corpus_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    class Changing(Disorderly):
        def completed(self, tasks, root):
            waiting = list(tasks)
            with Corpus(tmp_path / "corpus.db") as other:
                other.add([Patent(id=other.ids()[0], abstract="another text")])
            yield from super().completed(waiting, root)

    with made(tmp_path / "corpus.db", 30) as corpus, pytest.raises(StaleIndex, match="changed while it was indexed"):
        update(tmp_path / "parts", corpus, READERS["documents"], parts=PartFolder.opened(tmp_path, Changing()))
    assert not (tmp_path / "parts" / "current").exists()


def test_records_are_those_of_the_corpus(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 30) as corpus:
        parts = PartFolder.opened(tmp_path, Disorderly())
        serials = [serial for (serial,) in corpus.connection.execute("SELECT serial FROM patent ORDER BY serial")]
        path = write_records(parts, corpus, serials)
        wanted = corpus.connection.execute(
            "SELECT id, content, json, minhash FROM patent JOIN record USING (serial) "
            "LEFT JOIN signature USING (serial) ORDER BY serial"
        ).fetchall()
        found = read_records(tmp_path / path)
        assert [(each.id, each.content, each.json, each.signature) for each in found] == wanted
        assert write_records(parts, corpus, serials) == path


def build(
    folder: Path,
    pool: TaskPool | None,
    kinds: tuple[str, ...],
    parameters: Mapping[str, object] | None = None,
    **options: bool,
) -> None:
    how = BuildOptions(pool=pool, **options)
    with Library(folder) as library:
        IndexStore(folder).build(library.corpus, kinds, parameters=parameters, how=how)


def test_a_whole_library_by_parts(tmp_path: Path) -> None:
    """Words, topics, word vectors, passages and the view; then changes, learning again, merging."""
    kinds = ("log-tfidf", "topics", "lsa", "ppmi", "passages")
    folders = tmp_path / "here", tmp_path / "parts"
    for folder in folders:
        with Library(folder) as library:
            fill(library.corpus, range(140), 5)
    for options in ({}, {}, {"refresh": True}, {"merge": True}):
        for folder in folders:
            pool = Disorderly() if folder.name == "parts" else None
            build(folder, pool, kinds, **options)
            assert not (folder / PARTS).exists()
        assert library_files(folders[1]) == library_files(folders[0])
        for folder in folders:
            with Library(folder) as library:
                change(library.corpus, random.Random(len(options)), 9000 + 50 * len(options))


@pytest.mark.parametrize("name", ["embedding", "embedding max", "doc2vec", "lsa as published"])
def test_features_of_texts_by_parts(tmp_path: Path, name: str) -> None:
    """A sentence encoder learns nothing and is spread at once; the others learn here, and new documents are spread."""
    kind = name.partition(" ")[0]
    try:
        parameters = EXAMPLES[name.removesuffix(" max")].make().parameters
    except MissingExtra as missing:
        pytest.skip(str(missing))
    if name == "embedding max":
        parameters = {**parameters, "aggregate": "max", "passage_words": 20}
    folders = tmp_path / "here", tmp_path / "parts"
    for folder in folders:
        with Library(folder) as library:
            fill(library.corpus, range(60), 5)
    for step in range(2):
        pool = Disorderly()
        build(folders[0], None, (kind,), parameters)
        build(folders[1], pool, (kind,), parameters)
        assert library_files(folders[1]) == library_files(folders[0])
        encoded = sum(task.documents for task in pool.ran if type(task).__name__ == "EncodeTextsTask")
        assert encoded == (9 if step else 60 if kind == "embedding" else 0)
        for folder in folders:
            with Library(folder) as library:
                fill(library.corpus, range(300, 309), 6)


def test_learned_features_are_kept_when_a_build_is_interrupted(tmp_path: Path) -> None:
    folders = [tmp_path / "here", tmp_path / "parts"]
    for folder in folders:
        with Library(folder) as library:
            fill(library.corpus, range(60), 5)
    build(folders[0], None, ("topics",))
    with pytest.raises(InterruptedError):  # after four counted parts, one segment and one batch of rows
        build(folders[1], Failing(4 + 1 + 1), ("topics",))
    (model,) = (folders[1] / PARTS).glob("*.model")
    written = {path: path.stat().st_mtime_ns for path in model.rglob("*")}
    seen: list[bool] = []

    class Watching(Disorderly):
        def completed(self, tasks, root):
            for task in super().completed(tasks, root):
                seen.append({path: path.stat().st_mtime_ns for path in model.rglob("*")} == written)
                yield task

    build(folders[1], Watching(), ("topics",))
    assert seen
    assert all(seen)
    assert library_files(folders[1]) == library_files(folders[0])
    assert not (folders[1] / PARTS).exists()


def test_a_killed_build_by_parts_leaves_nothing_after_a_build_without(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        fill(library.corpus, range(60), 5)
    with pytest.raises(InterruptedError):
        build(tmp_path / "library", Failing(2), ("log-tfidf",))
    assert (tmp_path / "library" / PARTS).exists()
    shutil.copytree(tmp_path / "library", tmp_path / "moved")  # the parts have no path of the library in them
    build(tmp_path / "library", None, ("log-tfidf",))
    assert not (tmp_path / "library" / PARTS).exists()
    pool = Disorderly()
    build(tmp_path / "moved", pool, ("log-tfidf",))
    assert len(pool.ran) == 4 - 2 + 1 + 4  # the other counted parts, the segment, the facts
    assert library_files(tmp_path / "moved") == library_files(tmp_path / "library")
