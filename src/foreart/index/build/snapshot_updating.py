"""Updates postings to the state of the corpus: reads new documents, marks deleted ones, merges small segments.

Every update publishes once. Segments are named by a hash of their documents, so that those of an interrupted update are
found and not built again.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from foreart.corpus import Corpus, scanning
from foreart.corpus.writer import lock
from foreart.errors import IndexingError
from foreart.index.build import merging
from foreart.index.build.corpus_scan import Locations, Progress, Scan, digests_of, locate, scan, stale
from foreart.index.build.row_reader import RowReader
from foreart.index.build.segment_parts import SegmentMaker
from foreart.index.storage import store
from foreart.index.storage.manifest import Manifest
from foreart.index.storage.publishing import Measure, SnapshotSource, publish, sweep
from foreart.index.storage.store import SEGMENTS, StoredSegment
from foreart.part_files import PartFolder


def update(
    folder: str | Path,
    corpus: Corpus,
    reader: RowReader,
    *,
    measure: Measure | None = None,
    keys: Collection[str] = (),
    keep: Collection[str] = (),
    merge: bool = False,
    parts: PartFolder | None = None,
    scanned: Scan | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Updates the postings of a folder to the state of the corpus; reads only new and changed documents.

    If the process is killed, the old postings stay valid, and the next update continues. Small segments and those with
    many deleted documents are merged (see `merging.chosen`); with `merge` all are, and the result is byte for byte that
    of a new build. `measure` computes values to store with the snapshot; it is called again if one of `keys` (of
    lengths or recall) is missing. Snapshots `keep` stay, for readers that open them by name. With `parts`, a pool makes
    the new segments, with the same bytes. `scanned` is a scan of the corpus that other indexes have made.
    """
    with only_writer(Path(folder)):
        work = _Update(Path(folder), corpus, reader, scanned)
        work.read_new(parts, progress)
        work.merge(everything=merge)
        return work.publish(measure, keys, keep)


class _Update:
    """The segments, and the location of each document of the corpus in them."""

    stored: list[StoredSegment]
    sizes: list[np.ndarray]
    locations: Locations

    def __init__(self, folder: Path, corpus: Corpus, reader: RowReader, scanned: Scan | None) -> None:
        self.folder, self.corpus, self.reader = folder, corpus, reader
        known = scanned is not None and scanned.fingerprint == corpus.fingerprint
        self.scan = scanned if scanned is not None and known else scan(corpus)
        self.before = _manifest(folder)
        published = self.before.segments if self.before is not None else ()
        self.published = [store.open_segment(folder, file) for file in published]
        names = {file.name for file in published}
        found = (path.name for path in sorted((folder / SEGMENTS).glob("*")) if path.name not in names)
        finished = [each for name in found if (each := store.kept_segment(folder, name)) is not None]
        self._set_segments(
            [each for each in (*self.published, *finished) if each.file.name == self._name(each.digests)]
        )

    def read_new(self, parts: PartFolder | None, progress: Progress | None) -> None:
        """Builds segments of the documents that are in none."""
        missing = np.flatnonzero(self.locations.segment < 0)
        report = (lambda done: progress(done, len(missing))) if progress is not None else (lambda _: None)
        if parts is not None:
            made = SegmentMaker(parts, self.folder, self.corpus, self.scan, self.reader).made(missing, report)
        else:
            made = self._made_here(missing, report)
        if self.corpus.fingerprint != self.scan.fingerprint:
            raise stale(self.corpus)
        self._set_segments([*self.stored, *made])
        self._sort_segments()

    def _made_here(self, missing: np.ndarray, report: Callable[[int], None]) -> list[StoredSegment]:
        made: list[StoredSegment] = []
        first = 0
        for new in self.reader.read(self.corpus, self.scan, missing, report):
            positions = missing[first : first + len(new.rows)]
            serials, digests = self.scan.serials[positions].tolist(), self.scan.digests[positions]
            if not np.array_equal(digests_of(scanning.contents_of(self.corpus, serials))[1], digests):
                raise stale(self.corpus)
            repeated = np.repeat(digests, new.rows, axis=0)
            made.append(store.write_segment(self.folder, self._name(repeated), new.arrays, repeated))
            first += len(positions)
        return made

    def merge(self, *, everything: bool) -> None:
        """Merges small segments and those with many deleted documents, or all, into as few as possible."""
        live = [int(mask.sum()) for mask in self._alive()]
        chosen = list(range(len(live)))
        if not everything:
            chosen = merging.chosen(live, [len(each) for each in self.stored], size=self.reader.size)
        positions = np.flatnonzero(np.isin(self.locations.segment, np.array(chosen, dtype=np.int64)))
        rest = [each for part, each in enumerate(self.stored) if part not in chosen]
        groups = self.reader.groups(self.scan, positions, self._values_of(positions, self.sizes))
        merged = [self._merged(group) for group in groups]
        if merged:
            self._set_segments([*rest, *merged])

    def publish(self, measure: Measure | None, keys: Collection[str], keep: Collection[str]) -> Manifest:
        """Publishes the segments, unless the current snapshot has the same ones."""
        old = self.before
        same = old is not None and old.corpus == self.scan.fingerprint and old.measured.issuperset(keys)
        if old is not None and same and [each.file for each in self.stored] == list(old.segments):
            sweep(self.folder, old, keep=keep)  # an update killed after publishing did not
            return old
        source = SnapshotSource(self.reader.sections, self.reader.cutting, self.scan.fingerprint)
        return publish(self.folder, self.stored, self._alive(), source, measure=measure, keep=keep)

    def _set_segments(self, stored: Sequence[StoredSegment]) -> None:
        """Sets the segments. The rows of a document are consecutive and share its digest."""
        self.stored = list(stored)
        heads = [_heads(each.digests) for each in stored]
        self.sizes = [np.diff(np.append(head, len(each))) for each, head in zip(stored, heads, strict=True)]
        digests = [each.digests[head] for each, head in zip(stored, heads, strict=True)]
        self.locations = locate(self.scan.digests, digests)

    def _sort_segments(self) -> None:
        """Published segments first, others by their first document; drops those without documents."""
        names = {each.file.name for each in self.published}
        order = []
        for part, each in enumerate(self.stored):
            first = self.locations.first(part)
            if first < len(self.scan.serials):
                order.append((0, part, part) if each.file.name in names else (1, first, part))
        self._set_segments([self.stored[part] for *_, part in sorted(order)])

    def _merged(self, positions: np.ndarray) -> StoredSegment:
        """A merged segment of these documents, or an existing equal one."""
        rows = self._values_of(positions, self.sizes)
        name = self._name(np.repeat(self.scan.digests[positions], rows, axis=0))
        known = {each.file.name: each for each in self.stored}
        kept = known.get(name) or store.kept_segment(self.folder, name)
        if kept is not None:
            return kept
        firsts = self._values_of(positions, [np.cumsum(sizes) - sizes for sizes in self.sizes])
        within = np.arange(int(rows.sum())) - np.repeat(np.cumsum(rows) - rows, rows)
        sources = np.repeat(self.locations.segment[positions], rows)
        made = merging.merged(self.stored, sources, np.repeat(firsts, rows) + within)
        return store.write_segment(self.folder, name, *made)

    def _values_of(self, positions: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
        """The value of each document, from values by segment."""
        parts, documents = self.locations.segment[positions], self.locations.document[positions]
        result = np.zeros(len(positions), dtype=np.int64)
        for part, listed in enumerate(values):
            result[parts == part] = listed[documents[parts == part]]
        return result

    def _alive(self) -> list[np.ndarray]:
        """The mask of live rows of each segment."""
        documents = self.locations.alive([len(sizes) for sizes in self.sizes])
        return [np.repeat(mask, sizes) for mask, sizes in zip(documents, self.sizes, strict=True)]

    def _name(self, digests: np.ndarray) -> str:
        return store.segment_name(digests, sections=self.reader.sections, cutting=self.reader.cutting)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder; translates a full disk into an error that says what to do."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(lock(folder / "writer", folder, IndexingError)):
            yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise IndexingError(
            f"the disk is full: {folder} is unchanged, and finished segments are kept; "
            "free some space and run `foreart build` again to continue"
        ) from error


def _manifest(folder: Path) -> Manifest | None:
    """The manifest of the current snapshot, if it can be opened."""
    try:
        return store.load(folder).manifest
    except IndexingError:
        return None


def _heads(digests: np.ndarray) -> np.ndarray:
    """The first row of each document."""
    new = np.ones(len(digests), dtype=bool)
    new[1:] = (digests[1:] != digests[:-1]).any(axis=1)
    return np.flatnonzero(new)
