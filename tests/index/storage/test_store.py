"""Postings on disk: round trip, damage reports, and old postings kept until new ones are published."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from foreart import array_files, durable
from foreart.corpus import Corpus
from foreart.errors import IndexingError
from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.snapshot_updating import only_writer, update
from foreart.index.storage import store
from foreart.index.storage.current_name import current_name
from foreart.index.storage.manifest import FORM
from foreart.index.storage.publishing import Measured
from foreart.index.storage.snapshot import Snapshot
from random_patents import check, expected_rows, fill, held_rows, made

SIZE = 16
ROWS = DocumentRows(size=SIZE)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    with made(tmp_path / "corpus.db", 54) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path, corpus: Corpus) -> Path:
    update(tmp_path / "full", corpus, ROWS)
    return tmp_path / "full"


def test_loaded_postings_equal_the_texts(folder: Path, corpus: Corpus) -> None:
    snapshot = store.load(folder)
    check(snapshot, corpus)
    assert [len(segment) for segment in snapshot.segments] == [16, 16, 16, 6]
    assert list(snapshot.ids) == corpus.ids()
    assert snapshot.ids[-1] == corpus.ids()[-1]
    assert snapshot.rows([*corpus.ids()[::-1], "US1A"]).tolist() == [*range(53, -1, -1), -1]
    manifest = snapshot.manifest
    assert manifest is not None
    assert manifest.corpus == corpus.fingerprint
    assert (manifest.sections, manifest.cutting, manifest.documents, manifest.form) == ("full", "default", 54, FORM)
    assert manifest.statistics.documents == 54
    assert manifest.statistics.terms == len({word for row in expected_rows(corpus).values() for word in row})
    assert manifest.postings == sum(len(row) for row in expected_rows(corpus).values())
    assert store.verify(folder) == []


def test_arrays_can_be_read_with_numpy_alone(folder: Path) -> None:
    snapshot = store.load(folder)
    file = snapshot.manifest.segments[1]
    with (folder / "segments" / file.name / "arrays").open("rb") as opened:
        for piece in file.arrays.pieces:
            opened.seek(piece.start)
            array = np.load(opened)
            if piece.name in snapshot.segments[1].arrays.named():
                assert np.array_equal(array, getattr(snapshot.segments[1].arrays, piece.name))
            assert piece.offset % 64 == 0


def test_arrays_are_read_only(folder: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        store.load(folder).segments[0].arrays.docs[0] = 1


def test_loading_opens_one_file_per_segment_and_snapshot(folder: Path) -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc here")
    before = opened()
    snapshot = store.load(folder)
    assert opened() - before == len(snapshot.segments) + 1


def test_truncated_file_is_reported_on_load(folder: Path) -> None:
    for path in sorted(folder.rglob("arrays")):
        data = path.read_bytes()
        path.write_bytes(data[:-1])
        with pytest.raises(IndexingError, match=rf"{path} has .* bytes instead of .*foreart build"):
            store.load(folder)
        assert str(path) in store.verify(folder)[0]
        path.write_bytes(data)
    store.load(folder)


def test_missing_file_is_reported(folder: Path) -> None:
    for path in sorted(
        path for path in folder.rglob("*") if path.is_file() and path.name not in ("segment.json", "writer")
    ):
        data = path.read_bytes()
        path.unlink()
        with pytest.raises(
            IndexingError, match="there is no index" if path.name == "current" else f"there is no {path}"
        ):
            store.load(folder)
        assert store.verify(folder)
        path.write_bytes(data)
    store.load(folder)


def test_flipped_bit_is_reported(folder: Path) -> None:
    rng = random.Random(3)
    snapshot = store.load(folder)
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in ("segment.json", "writer")]
    known = dict(store.files(folder, (folder / "current").read_text(), snapshot.manifest))
    for _ in range(300):
        path = rng.choice(paths)
        data = path.read_bytes()
        offset = rng.randrange(len(data))
        path.write_bytes(data[:offset] + bytes([data[offset] ^ (1 << rng.randrange(8))]) + data[offset + 1 :])
        messages = store.verify(folder)
        path.write_bytes(data)
        assert len(messages) == 1
        if path in known:
            (piece,) = [piece for piece in known[path].pieces if piece.start <= offset < piece.end]
            assert messages[0].startswith(f"{path}: the array {piece.name!r} does not match its checksum")
        else:
            assert "foreart build" in messages[0]
    assert store.verify(folder) == []


def test_other_formats_are_refused_with_the_command_to_rebuild(folder: Path) -> None:
    path = next(folder.glob("snapshots/*/manifest.json"))
    record = durable.read_checked(path)
    path.unlink()
    durable.write_checked(path, {**record, "form": 0, "foreart": "0.0.7"})
    with pytest.raises(IndexingError, match=r"written by foreart 0\.0\.7 in a format .* `foreart build`"):
        store.load(folder)
    path.unlink()
    durable.write_checked(path, {**record, "colour": "red"})
    with pytest.raises(IndexingError, match="damaged"):
        store.load(folder)


def test_missing_index_is_reported(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match=r"there is no index at .*`foreart build`"):
        store.load(tmp_path / "none")


def test_reader_keeps_its_snapshot_while_another_is_published(folder: Path, corpus: Corpus) -> None:
    old, rows = store.load(folder), expected_rows(corpus)
    corpus.remove(corpus.ids()[:45])
    fill(corpus, range(500, 530), seed=5)
    update(folder, corpus, ROWS)
    assert held_rows(old) == rows
    check(store.load(folder), corpus)
    assert len(list((folder / "snapshots").iterdir())) == 1
    assert len(list((folder / "segments").iterdir())) == len(store.load(folder).segments)


def test_reader_retries_if_its_snapshot_is_removed_while_opening(
    folder: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another snapshot is published after the name, or the manifest, was read."""
    real, calls = store.open_segment, []

    def open_segment(folder_: Path, file: store.SegmentFile) -> store.StoredSegment:
        if not calls:
            calls.append(file)
            monkeypatch.setattr(store, "open_segment", real)
            corpus.remove(corpus.ids()[::2])
            update(folder, corpus, ROWS)
        return real(folder_, file)

    monkeypatch.setattr(store, "open_segment", open_segment)
    check(store.load(folder), corpus)
    assert calls

    name = (folder / "current").read_text()
    fill(corpus, range(900, 940), seed=9)
    update(folder, corpus, ROWS)
    names = iter([name])
    monkeypatch.setattr(store, "current_name", lambda folder_: next(names, None) or current_name(folder_))
    check(store.load(folder), corpus)


def test_second_writer_is_refused(folder: Path, corpus: Corpus) -> None:
    with (
        only_writer(folder),
        pytest.raises(IndexingError, match=r"is being written by another foreart process: wait"),
    ):
        update(folder, corpus, ROWS)
    update(folder, corpus, ROWS)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_full_disk_keeps_the_old_postings_and_no_partial_ones(
    folder: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """The disk is full at the first write, at the second, … until the update succeeds."""
    old = store.load(folder).manifest.fingerprint
    corpus.remove(corpus.ids()[5:40])
    fill(corpus, range(100, 140), seed=2)
    real = os.fsync
    left = [0]

    def fsync(handle: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(code, os.strerror(code))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    for tries in range(200):
        left[0] = tries
        try:
            update(folder, corpus, ROWS)
        except IndexingError as error:
            assert "the disk is full" in str(error)
            assert "foreart build" in str(error)
        else:
            break
        assert not list(folder.rglob("*.part"))
        assert store.verify(folder) == []
        if tries < 3:
            assert store.load(folder).manifest.fingerprint == old
    assert 5 < tries < 199
    check(store.load(folder), corpus)


def test_other_errors_are_not_called_a_full_disk(folder: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, pieces: object) -> None:
        raise PermissionError(errno.EACCES, "no")

    fill(corpus, range(100, 110), seed=2)
    monkeypatch.setattr(array_files, "write", fail)
    with pytest.raises(PermissionError):
        update(folder, corpus, ROWS)


def test_lengths_and_recall_are_stored_with_the_snapshot(tmp_path: Path, corpus: Corpus) -> None:
    measured_sizes: list[int] = []

    def measure(snapshot: Snapshot) -> Measured:
        measured_sizes.append(len(snapshot))
        lengths = [np.sqrt(segment.arrays.words.astype(np.float64)) for segment in snapshot.segments]
        return Measured({"log-tfidf": lengths, "a-b": [each * 2 for each in lengths]}, {"log-tfidf": 0.9991})

    folder = tmp_path / "full"
    update(folder, corpus, ROWS)
    update(folder, corpus, ROWS, measure=measure)
    assert measured_sizes == []  # no key is missing
    update(folder, corpus, ROWS, measure=measure, keys={"log-tfidf"})
    update(folder, corpus, ROWS, measure=measure, keys={"log-tfidf", "a-b"})
    assert measured_sizes == [len(corpus)]
    snapshot = store.load(folder)
    assert snapshot.manifest.recall == {"log-tfidf": 0.9991}
    assert sorted(snapshot.lengths) == ["a-b", "log-tfidf"]
    for segment, one, two in zip(
        snapshot.segments, snapshot.lengths["log-tfidf"], snapshot.lengths["a-b"], strict=True
    ):
        assert np.array_equal(one, np.sqrt(segment.arrays.words.astype(np.float64)))
        assert np.array_equal(two, 2 * one)
    assert store.verify(folder) == []
    fill(corpus, range(70, 75), seed=1)
    update(folder, corpus, ROWS, measure=measure)
    update(folder, corpus, ROWS, measure=measure)
    assert measured_sizes == [len(corpus) - 5, len(corpus)]


def test_record_has_a_checksum(tmp_path: Path) -> None:
    durable.write_checked(tmp_path / "a.json", {"n": 1, "names": ("a", "b"), "f": 0.1})
    assert durable.read_checked(tmp_path / "a.json") == {"n": 1, "names": ["a", "b"], "f": 0.1}
    said = json.loads((tmp_path / "a.json").read_text())
    (tmp_path / "a.json").write_text(json.dumps({**said, "n": 2}))
    with pytest.raises(durable.ChecksumError, match="does not match its checksum"):
        durable.read_checked(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(durable.ChecksumError, match="cannot be read"):
        durable.read_checked(tmp_path / "a.json")


def test_copied_folder_is_equal(folder: Path, corpus: Corpus, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    check(store.load(tmp_path / "copy"), corpus)
