"""From a corpus to indexes: words are counted once, however many indexes are made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import numpy as np

from foreart import index
from foreart.corpus import Corpus
from foreart.errors import IndexingError, StaleIndex
from foreart.features import Bm25, CountedFeatures, Features, RowArray, TapedFeatures, Tfidf
from foreart.index import Index
from foreart.index.index_kinds import Kind
from foreart.index.passages import Passages
from foreart.text import section_text

if TYPE_CHECKING:
    from foreart.index.storage.snapshot import Snapshot

# Documents that are encoded at a time, and the numbers of rows that are held in memory at most (256 MB).
_AT_ONCE = 2048
_IN_MEMORY = 1 << 26
# Told after each document that is read: how many of how many. What features do with the texts comes after that.
Progress = Callable[[int, int], None]


def build(
    corpus: Corpus,
    folder: str | Path,
    *,
    sections: str = "full",
    features: Kind | None = None,
    progress: Progress | None = None,
) -> Index:
    """Builds the index of a corpus in a folder, of tf-idf weights if no features are given; postings lie beside it."""
    wanted: dict[Path, Kind] = {Path(folder): features if features is not None else Tfidf()}
    return build_all(corpus, wanted, sections=sections, progress=progress)[Path(folder)]


def build_all(
    corpus: Corpus,
    features: Mapping[Path, Kind],
    *,
    sections: str = "full",
    postings: Path | None = None,
    merge: bool = False,
    progress: Progress | None = None,
) -> dict[Path, Index]:
    """Builds an index of the corpus in each folder, of the features or passages named with it.

    Only what is new in the corpus is read, where counts of words are enough. `merge` brings postings to the form in
    which a build from nothing would leave them.
    """
    from foreart.index.passages.passage_building import build_passages
    from foreart.index.word_building import build_words

    if not len(corpus):
        raise IndexingError(f"the corpus {corpus.path} is empty: load files with `foreart add FILE...`")
    shared = postings or next(iter(features)).parent / "postings"
    words = {folder: kind for folder, kind in features.items() if isinstance(kind, Tfidf | Bm25)}
    passages = {folder: kind for folder, kind in features.items() if isinstance(kind, Passages)}
    for checked in (*words.values(), *passages.values()):
        checked.check()
    built: dict[Path, Index] = {
        **build_words(corpus, words, postings=shared, sections=sections, merge=merge, progress=progress),
        **build_passages(corpus, passages, postings=shared, sections=sections, merge=merge, progress=progress),
    }
    for folder, kind in features.items():
        if isinstance(kind, Features) and folder not in words:
            built[folder] = _build_rows(corpus, folder, kind, sections, shared, progress)
    return built


def _build_rows(
    corpus: Corpus, folder: Path, kind: Features, sections: str, postings: Path, progress: Progress | None
) -> Index:
    before = corpus.fingerprint
    # Pairs of words are counted in no postings, and `as_published` may stand for them.
    joined = any(kind.parameters.get(name) for name in ("bigrams", "as_published"))
    if isinstance(kind, CountedFeatures) and not isinstance(kind, TapedFeatures) and not joined:
        ids, rows, groups = _of_counts(corpus, folder, kind, sections, postings, progress)
    else:
        ids, rows, groups = _of_texts(corpus, kind, sections, progress)
    if corpus.fingerprint != before:
        raise StaleIndex(f"the corpus {corpus.path} changed while it was indexed: build again when it has come to rest")
    return index.write(folder, rows, ids, kind, sections=sections, corpus=before, groups=groups)


def _of_counts(
    corpus: Corpus, folder: Path, kind: CountedFeatures, sections: str, postings: Path, progress: Progress | None
) -> tuple[list[str], RowArray, None]:
    """Rows of features that need to know only how often words stand in texts: the postings know."""
    from foreart.index.query.snapshot_counts import counts_of
    from foreart.index.storage import store
    from foreart.index.word_building import bring_up, cutting_of, postings_path

    cutting = cutting_of(kind)
    place = postings_path(postings, sections, cutting)
    bring_up(corpus, place, {folder: kind}, sections=sections, cutting=cutting, progress=progress)
    snapshot = store.load(place)
    kind.fit_counts(counts_of(snapshot, kind.learns_from(len(snapshot))))
    return list(snapshot.ids), _encoded(kind, snapshot, folder, progress), None


def _encoded(kind: CountedFeatures, snapshot: Snapshot, folder: Path, progress: Progress | None) -> np.ndarray:
    """The rows of all documents, some at a time; where they are many, in a file that goes when they do."""
    from foreart.index.query.snapshot_counts import known_counts

    rows, done = np.empty((0, 0), dtype=np.float32), 0
    for counts in known_counts(snapshot, kind.vocabulary, at_once=_AT_ONCE):
        found = kind.encode_counts(counts)
        if not done:
            rows = _room(len(snapshot), found.shape[1], folder.parent)
        rows[done : done + len(counts)] = found
        done += len(counts)
        if progress is not None:
            progress(done, len(snapshot))
    return rows


def _room(documents: int, width: int, folder: Path) -> np.ndarray:
    if documents * width <= _IN_MEMORY:
        return np.empty((documents, width), dtype=np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:  # the mapping keeps it
        return np.memmap(file, dtype=np.float32, mode="w+", shape=(documents, width))


def _of_texts(
    corpus: Corpus, kind: Features, sections: str, progress: Progress | None
) -> tuple[list[str], RowArray, np.ndarray | None]:
    """Rows of features that need the texts themselves."""
    ids: list[str] = []
    texts = _texts(corpus, sections, ids, progress)
    if kind.grouped:
        rows, groups = kind.fit_encode_groups(texts)
        return ids, rows, groups
    return ids, kind.fit_encode(texts), None


def _texts(corpus: Corpus, sections: str, ids: list[str], progress: Progress | None) -> Iterator[str]:
    total = len(corpus)
    for patent in corpus:
        ids.append(patent.id)
        yield section_text(patent, sections)
        if progress is not None:
            progress(len(ids), total)
