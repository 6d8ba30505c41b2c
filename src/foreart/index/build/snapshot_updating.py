"""Brings postings to the state of the corpus: reads new documents, marks removed ones, merges small segments.

Every update publishes once. Segments are named after their documents, so what an interrupted update finished is found
again and not read twice.
"""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foreart.corpus import Corpus, scanning
from foreart.corpus.locking import lock
from foreart.errors import IndexingError
from foreart.index.build import merging
from foreart.index.build.corpus_scan import Places, Progress, Scan, digests_of, locate, scan, stale
from foreart.index.storage import store
from foreart.index.storage.manifest import Manifest
from foreart.index.storage.publishing import About, Measure, publish, sweep
from foreart.index.storage.segment import SegmentArrays
from foreart.index.storage.store import SEGMENTS, Stored


@dataclass(frozen=True)
class NewSegment:
    """A segment that was read: its arrays, and how many rows each of its documents has."""

    arrays: SegmentArrays
    rows: np.ndarray


class RowReader(ABC):
    """How documents become rows of postings: one each, or one for each passage.

    `size` is the most rows of a segment. With `two_stage`, queries may be answered in two stages, whose recall is
    measured.
    """

    sections: str
    cutting: str
    size: int
    two_stage: bool

    @property
    @abstractmethod
    def folder_name(self) -> str:
        """The name of the folder of the postings."""

    @abstractmethod
    def groups(self, scanned: Scan, positions: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
        """Documents divided into segments: all full but the last. `rows` is how many rows each document has."""

    @abstractmethod
    def read(
        self, corpus: Corpus, scanned: Scan, positions: np.ndarray, progress: Callable[[int], None]
    ) -> Iterator[NewSegment]:
        """Segments of these documents in order, divided as `groups` does."""


def update(
    folder: str | Path,
    corpus: Corpus,
    reader: RowReader,
    *,
    measure: Measure | None = None,
    keys: Collection[str] = (),
    merge: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Brings the postings of a folder to the state of the corpus: only new and changed documents are read.

    If the process is killed, the old postings stay valid, and the next update continues. Small segments and those with
    many removed documents are merged (see `merging.chosen`); with `merge` all are, and the result is byte for byte that
    of a new build. `measure` computes what is stored with the snapshot; it is called again if one of `keys` (of lengths
    or recall) is missing.
    """
    with only_writer(Path(folder)):
        work = _Update(Path(folder), corpus, reader)
        work.read_new(progress)
        work.merge(everything=merge)
        return work.publish(measure, keys)


class _Update:
    """The segments there are, and where each document of the corpus is in them."""

    stored: list[Stored]
    sizes: list[np.ndarray]
    places: Places

    def __init__(self, folder: Path, corpus: Corpus, reader: RowReader) -> None:
        self.folder, self.corpus, self.reader = folder, corpus, reader
        self.scan = scan(corpus)
        self.before = _manifest(folder)
        published = self.before.segments if self.before is not None else ()
        self.published = [store.open_segment(folder, file) for file in published]
        names = {file.name for file in published}
        found = (path.name for path in sorted((folder / SEGMENTS).glob("*")) if path.name not in names)
        finished = [each for name in found if (each := store.kept_segment(folder, name)) is not None]
        self._take([each for each in (*self.published, *finished) if each.file.name == self._name(each.digests)])

    def read_new(self, progress: Progress | None) -> None:
        """Makes segments of the documents that are in none."""
        missing = np.flatnonzero(self.places.segment < 0)
        tell = (lambda done: progress(done, len(missing))) if progress is not None else (lambda _: None)
        made: list[Stored] = []
        first = 0
        for new in self.reader.read(self.corpus, self.scan, missing, tell):
            positions = missing[first : first + len(new.rows)]
            serials, digests = self.scan.serials[positions].tolist(), self.scan.digests[positions]
            if not np.array_equal(digests_of(scanning.contents_of(self.corpus, serials))[1], digests):
                raise stale(self.corpus)
            repeated = np.repeat(digests, new.rows, axis=0)
            made.append(store.write_segment(self.folder, self._name(repeated), new.arrays, repeated))
            first += len(positions)
        if self.corpus.fingerprint != self.scan.fingerprint:
            raise stale(self.corpus)
        self._take([*self.stored, *made])
        self._put_in_order()

    def merge(self, *, everything: bool) -> None:
        """Puts the documents of small and worn segments, or of all, into as few segments as they need."""
        living = [int(mask.sum()) for mask in self._alive()]
        chosen = list(range(len(living)))
        if not everything:
            chosen = merging.chosen(living, [len(each) for each in self.stored], size=self.reader.size)
        positions = np.flatnonzero(np.isin(self.places.segment, np.array(chosen, dtype=np.int64)))
        rest = [each for part, each in enumerate(self.stored) if part not in chosen]
        groups = self.reader.groups(self.scan, positions, self._of(positions, self.sizes))
        merged = [self._merged(group) for group in groups]
        if merged:
            self._take([*rest, *merged])

    def publish(self, measure: Measure | None, keys: Collection[str]) -> Manifest:
        """Publishes the segments, unless the snapshot that holds is of the same."""
        held = self.before
        same = held is not None and held.corpus == self.scan.fingerprint and held.measured.issuperset(keys)
        if held is not None and same and [each.file for each in self.stored] == list(held.segments):
            sweep(self.folder, held)  # an update that was killed after it had published did not
            return held
        about = About(self.reader.sections, self.reader.cutting, self.scan.fingerprint)
        return publish(self.folder, self.stored, self._alive(), about, measure=measure)

    def _take(self, stored: Sequence[Stored]) -> None:
        """These are the segments now. The rows of a document are recognised by its digest, which they share."""
        self.stored = list(stored)
        heads = [_heads(each.digests) for each in stored]
        self.sizes = [np.diff(np.append(head, len(each))) for each, head in zip(stored, heads, strict=True)]
        digests = [each.digests[head] for each, head in zip(stored, heads, strict=True)]
        self.places = locate(self.scan.digests, digests)

    def _put_in_order(self) -> None:
        """Published segments first, the others by their first documents; those without a document are dropped."""
        names = {each.file.name for each in self.published}
        order = []
        for part, each in enumerate(self.stored):
            first = self.places.first(part)
            if first < len(self.scan.serials):
                order.append((0, part, part) if each.file.name in names else (1, first, part))
        self._take([self.stored[part] for *_, part in sorted(order)])

    def _merged(self, positions: np.ndarray) -> Stored:
        """One segment of these documents; one that exists is taken."""
        rows = self._of(positions, self.sizes)
        name = self._name(np.repeat(self.scan.digests[positions], rows, axis=0))
        known = {each.file.name: each for each in self.stored}
        kept = known.get(name) or store.kept_segment(self.folder, name)
        if kept is not None:
            return kept
        firsts = self._of(positions, [np.cumsum(sizes) - sizes for sizes in self.sizes])
        within = np.arange(int(rows.sum())) - np.repeat(np.cumsum(rows) - rows, rows)
        sources = np.repeat(self.places.segment[positions], rows)
        made = merging.merged(self.stored, sources, np.repeat(firsts, rows) + within)
        return store.write_segment(self.folder, name, *made)

    def _of(self, positions: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
        """What is listed of each document by segment."""
        parts, documents = self.places.segment[positions], self.places.document[positions]
        found = np.zeros(len(positions), dtype=np.int64)
        for part, listed in enumerate(values):
            found[parts == part] = listed[documents[parts == part]]
        return found

    def _alive(self) -> list[np.ndarray]:
        """For each segment which of its rows are of documents of the corpus."""
        documents = self.places.alive([len(sizes) for sizes in self.sizes])
        return [np.repeat(mask, sizes) for mask, sizes in zip(documents, self.sizes, strict=True)]

    def _name(self, digests: np.ndarray) -> str:
        return store.segment_name(digests, sections=self.reader.sections, cutting=self.reader.cutting)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder; a full disk is an error that says what to do."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(lock(folder / "writer", folder, IndexingError)):
            yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise IndexingError(
            f"the disk is full: {folder} stays as it was, and what was finished is kept; "
            "make room and run `foreart build` again, which continues there"
        ) from error


def _manifest(folder: Path) -> Manifest | None:
    """What the snapshot that holds says of itself, if it can be opened."""
    try:
        return store.load(folder).manifest
    except IndexingError:
        return None


def _heads(digests: np.ndarray) -> np.ndarray:
    """The first row of each document."""
    new = np.ones(len(digests), dtype=bool)
    new[1:] = (digests[1:] != digests[:-1]).any(axis=1)
    return np.flatnonzero(new)
