"""After any changes the postings equal those of a rebuild; after merging, byte for byte."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from foreart import durable
from foreart.corpus import Corpus, scanning
from foreart.document.patent import Patent
from foreart.errors import IndexingError, StaleIndex
from foreart.index.build import document_rows, merging
from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.snapshot_updating import update
from foreart.index.storage import store
from foreart.index.storage.current_name import current_name
from foreart.index.storage.manifest import Manifest
from foreart.text import tokens
from random_patents import change, check, fill, made

SIZE = 16
ROWS = DocumentRows(size=SIZE)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    with made(tmp_path / "corpus.db", 54) as opened:
        yield opened


def arrays_of(folder: Path) -> list[bytes]:
    """Every byte of all segments in order, and of the snapshot."""
    manifest = store.load(folder).manifest
    return [path.read_bytes() for path, _ in store.files(folder, (folder / "current").read_text(), manifest)]


@pytest.mark.parametrize("seed", range(6))
def test_every_update_equals_a_rebuild_and_merging_all_gives_its_bytes(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    with made(tmp_path / "corpus.db", rng.randrange(1, 70), seed) as corpus:
        for step in range(6):
            update(tmp_path / "updated", corpus, ROWS)
            snapshot = store.load(tmp_path / "updated")
            check(snapshot, corpus)
            assert store.verify(tmp_path / "updated") == []
            shutil.rmtree(tmp_path / "rebuilt", ignore_errors=True)
            rebuilt = update(tmp_path / "rebuilt", corpus, ROWS)
            mine = snapshot.manifest.statistics
            assert (mine.documents, mine.words, mine.terms) == (
                rebuilt.statistics.documents,
                rebuilt.statistics.words,
                rebuilt.statistics.terms,
            )
            assert mine.fingerprint == rebuilt.statistics.fingerprint
            if step % 2:
                merged = update(tmp_path / "updated", corpus, ROWS, merge=True)
                assert merged.fingerprint == rebuilt.fingerprint
                assert [file.name for file in merged.segments] == [file.name for file in rebuilt.segments]
                assert arrays_of(tmp_path / "updated") == arrays_of(tmp_path / "rebuilt")
                current = current_name(tmp_path / "updated")
                update(tmp_path / "updated", corpus, ROWS, merge=True)
                assert current_name(tmp_path / "updated") == current
            change(corpus, rng, 1000 * (step + 1))


def test_only_new_documents_are_read(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = scanning.stored

    def stored(corpus: Corpus, serials: list[int]) -> object:
        for number, record in real(corpus, serials):
            read.append(number)
            yield number, record

    monkeypatch.setattr(scanning, "stored", stored)
    assert update(tmp_path / "full", corpus, ROWS).documents == 54
    assert read == corpus.ids()

    read.clear()
    current = current_name(tmp_path / "full")
    update(tmp_path / "full", corpus, ROWS)
    assert (read, current_name(tmp_path / "full")) == ([], current)

    ids = corpus.ids()
    corpus.remove(ids[:3])
    corpus.add([Patent(id=ids[10], abstract="something else"), Patent(id="US99B1", abstract="a new thing")])
    reported: list[tuple[int, int]] = []
    assert update(tmp_path / "full", corpus, ROWS, progress=lambda *how: reported.append(how)).documents == 52
    assert read == [ids[10], "US99B1"]
    assert reported == [(1, 2), (2, 2)]
    check(store.load(tmp_path / "full"), corpus)


def test_document_that_is_restored_is_not_read_again(tmp_path: Path, corpus: Corpus) -> None:
    first = update(tmp_path / "full", corpus, ROWS)
    (old,) = [patent for patent in corpus if patent.id == corpus.ids()[20]]
    corpus.remove([old.id])
    assert update(tmp_path / "full", corpus, ROWS).documents == 53
    corpus.add([old])
    reported: list[int] = []
    again = update(tmp_path / "full", corpus, ROWS, progress=lambda done, total: reported.append(done))
    assert (again.documents, reported) == (54, [])
    assert again.fingerprint == first.fingerprint
    check(store.load(tmp_path / "full"), corpus)
    # It was added last this time, so that a rebuild has it last.
    assert update(tmp_path / "full", corpus, ROWS, merge=True).fingerprint != first.fingerprint
    assert store.load(tmp_path / "full").ids[-1] == old.id


def test_drift_is_the_mean_change_of_idf_over_postings(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([Patent(id="US1A1", abstract="a b"), Patent(id="US2A1", abstract="a c")])
        assert update(tmp_path / "full", corpus, DocumentRows(size=2)).statistics.drift == 0
        corpus.add([Patent(id="US3A1", abstract="a c"), Patent(id="US4A1", abstract="d c")])
        drift = update(tmp_path / "full", corpus, DocumentRows(size=2)).statistics.drift
    # a: ln 2/2 to ln 4/3, twice; b: ln 2/1 to ln 4/1; c: ln 2/1 to ln 4/3.
    changes = [np.log(4 / 3)] * 2 + [np.log(2)] + [np.log(2) - np.log(4 / 3)]
    assert drift == pytest.approx(np.mean(changes))


def interrupted(after: int) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        if done > after:
            raise KeyboardInterrupt

    return progress


def test_interrupted_build_continues(tmp_path: Path, corpus: Corpus) -> None:
    data = update(tmp_path / "data", corpus, ROWS)
    with pytest.raises(KeyboardInterrupt):
        update(tmp_path / "full", corpus, ROWS, progress=interrupted(40))
    with pytest.raises(IndexingError, match="there is no index"):
        store.load(tmp_path / "full")
    assert len(list((tmp_path / "full" / "segments").iterdir())) == 2
    reported: list[tuple[int, int]] = []
    resumed = update(tmp_path / "full", corpus, ROWS, progress=lambda *pair: reported.append(pair))
    assert reported == [(done, 22) for done in range(1, 23)]
    assert resumed.fingerprint == data.fingerprint


def test_damaged_segment_of_an_interrupted_build_is_rebuilt(tmp_path: Path, corpus: Corpus) -> None:
    data = update(tmp_path / "data", corpus, ROWS)
    with pytest.raises(KeyboardInterrupt):
        update(tmp_path / "full", corpus, ROWS, progress=interrupted(40))
    one, _ = sorted((tmp_path / "full" / "segments").glob("*/arrays"))
    flip(one, 700)
    reported: list[int] = []
    resumed = update(tmp_path / "full", corpus, ROWS, progress=lambda done, total: reported.append(total))
    assert set(reported) == {38}
    assert resumed.fingerprint == data.fingerprint
    assert store.verify(tmp_path / "full") == []


def test_unused_segments_are_removed(tmp_path: Path, corpus: Corpus) -> None:
    with pytest.raises(KeyboardInterrupt):
        update(tmp_path / "full", corpus, ROWS, progress=interrupted(40))
    (tmp_path / "full" / "segments" / ("0a" * 16 + ".part")).mkdir()
    corpus.remove(corpus.ids()[:1])
    manifest = update(tmp_path / "full", corpus, ROWS)
    names = {path.name for path in (tmp_path / "full" / "segments").iterdir()}
    assert names == {file.name for file in manifest.segments}


@pytest.mark.parametrize("what", ["added", "replaced", "removed"])
def test_corpus_that_changes_during_the_build_is_refused(tmp_path: Path, corpus: Corpus, what: str) -> None:
    update(tmp_path / "full", corpus, ROWS)
    held = store.load(tmp_path / "full").manifest
    fill(corpus, range(100, 140), seed=4)
    ids = corpus.ids()

    def progress(done: int, total: int) -> None:
        if done != 20:
            return
        with Corpus(corpus.path) as other:
            if what == "added":
                other.add([Patent(id="US5B1", abstract="more")])
            elif what == "replaced":
                other.add([Patent(id=ids[-30], abstract="other")])
            else:
                other.remove(ids[-3:])

    with pytest.raises(StaleIndex, match="changed while it was indexed"):
        update(tmp_path / "full", corpus, ROWS, progress=progress)
    assert store.load(tmp_path / "full").manifest == held
    update(tmp_path / "full", corpus, ROWS)
    check(store.load(tmp_path / "full"), corpus)


def test_empty_corpus_is_refused(tmp_path: Path) -> None:
    with (
        Corpus(tmp_path / "corpus.db", create=True) as corpus,
        pytest.raises(IndexingError, match=r"is empty: load files with `foreart add"),
    ):
        update(tmp_path / "full", corpus, DocumentRows())


def test_documents_without_words_have_rows(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([Patent(id=f"US{number}B1") for number in range(1, 6)])
        update(tmp_path / "full", corpus, DocumentRows(size=2))
        check(store.load(tmp_path / "full"), corpus)
        update(tmp_path / "full", corpus, DocumentRows(size=3), merge=True)
        check(store.load(tmp_path / "full"), corpus)


def test_sections_and_tokenizers_have_their_own_segments(tmp_path: Path, corpus: Corpus) -> None:
    update(tmp_path / "full", corpus, ROWS)
    update(tmp_path / "full", corpus, DocumentRows("claims", size=SIZE))
    check(store.load(tmp_path / "full"), corpus, "claims")
    reported: list[int] = []
    published = DocumentRows(cutting="as_published", size=SIZE)
    update(tmp_path / "full", corpus, published, progress=lambda done, total: reported.append(total))
    assert set(reported) == {54}
    snapshot = store.load(tmp_path / "full")
    assert snapshot.manifest.cutting == "as_published"
    assert {term for segment in snapshot.segments for term in segment.terms} == {
        word for patent in corpus for word in tokens(patent.title + "\n" + patent.abstract, as_published=True)
    } | {word for patent in corpus for claim in patent.claims for word in tokens(claim.text, as_published=True)}


def flip(path: Path, offset: int) -> None:
    data = bytearray(path.read_bytes())
    data[offset] ^= 4
    path.write_bytes(bytes(data))


def manifest_of(folder: Path) -> Manifest:
    manifest = store.load(folder).manifest
    assert manifest is not None
    return manifest


def test_only_damaged_segments_are_rebuilt(tmp_path: Path, corpus: Corpus) -> None:
    folder = tmp_path / "full"
    first = update(folder, corpus, ROWS)
    reported: list[int] = []

    def build() -> int:
        reported.clear()
        update(folder, corpus, ROWS, progress=lambda done, total: reported.append(total))
        assert store.verify(folder) == []
        check(store.load(folder), corpus)
        assert {file.name for file in manifest_of(folder).segments} == {file.name for file in first.segments}
        return len(reported)

    sizes = {folder / "segments" / file.name: file.documents for file in first.segments}
    one, other, *_ = sizes
    shutil.rmtree(one)
    assert build() == sizes[one]
    (other / "arrays").write_bytes(b"short")
    assert build() == sizes[other]
    next(folder.glob("snapshots/*/manifest.json")).write_text("{}")
    assert build() == 0
    (folder / "current").write_text("nowhere")
    assert build() == 0
    path = next(folder.glob("snapshots/*/manifest.json"))
    record = durable.read_checked(path)
    path.unlink()
    durable.write_checked(path, {**record, "form": 0})
    assert build() == 0
    assert update(folder, corpus, ROWS, merge=True).fingerprint == first.fingerprint


@pytest.mark.parametrize(
    ("live", "documents", "taken"),
    [
        ([16, 16], [16, 16], []),
        ([16, 3], [16, 3], []),  # a single small segment stays
        ([16, 3, 2], [16, 3, 2], [1, 2]),
        ([7, 16, 7], [7, 16, 7], [0, 2]),
        ([13, 16], [16, 16], []),  # less than a fifth is deleted
        ([12, 16], [16, 16], [0]),
        ([12, 3], [16, 3], [0, 1]),
        ([3, 16], [12, 16], [0]),
        ([12] * 5 + [10], [16] * 6, [0, 1, 2, 3, 5]),  # no more than four full ones are made at once, most worn first
        ([12] * 8 + [2, 2], [16] * 8 + [2, 2], [0, 1, 2, 3, 4, 8, 9]),
    ],
)
def test_which_segments_are_merged(live: list[int], documents: list[int], taken: list[int]) -> None:
    assert merging.chosen(live, documents, size=16) == taken


def test_small_and_worn_segments_are_merged(tmp_path: Path, corpus: Corpus) -> None:
    folder = tmp_path / "full"
    update(folder, corpus, ROWS)
    fill(corpus, range(100, 105), seed=3)
    update(folder, corpus, ROWS)
    assert [len(segment) for segment in store.load(folder).segments] == [16, 16, 16, 11]
    corpus.remove(corpus.ids()[16:20])
    update(folder, corpus, ROWS)
    assert [len(segment) for segment in store.load(folder).segments] == [16, 16, 11, 12]
    check(store.load(folder), corpus)
    corpus.remove(corpus.ids()[:16])
    update(folder, corpus, ROWS)
    assert [len(segment) for segment in store.load(folder).segments] == [16, 11, 12]


def test_very_long_documents_fill_a_segment_earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_rows, "POSTINGS", 40.0)
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(Patent(id=f"XX{number}A", abstract="word " * 20) for number in range(1, 7))
        made = update(tmp_path / "postings", corpus, DocumentRows())
        assert [segment.documents for segment in made.segments] == [1, 1, 1, 1, 1, 1]
        assert update(tmp_path / "postings", corpus, DocumentRows()) == made
        monkeypatch.setattr(document_rows, "POSTINGS", 80.0)
        again = update(tmp_path / "postings", corpus, DocumentRows(), merge=True)
        assert [segment.documents for segment in again.segments] == [3, 3]
