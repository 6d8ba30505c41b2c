"""The postings follow the corpus: what is new is read, what is gone is marked, and now and then segments are merged."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from operator import is_
from pathlib import Path

import numpy as np

from foreart.array_files import Torn, damaged
from foreart.corpus import Corpus
from foreart.errors import IndexingError
from foreart.index.build import corpus_reading, merging
from foreart.index.build.corpus_reading import Places, Progress
from foreart.index.storage import store
from foreart.index.storage.manifest import CUTTINGS, Manifest
from foreart.index.storage.publishing import About, Measure, publish, sweep
from foreart.index.storage.segment import DOCUMENTS
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.store import ARRAYS, CURRENT, SEGMENTS, Stored
from foreart.index.storage.writer_lock import only_writer


@dataclass(frozen=True, slots=True)
class Report:
    """What an update did.

    Of the `documents` there are now, some are new and some replaced; `resumed` of these were not read, because an
    interrupted work had finished their segments. `published` is how often a snapshot was.
    """

    documents: int
    added: int
    replaced: int
    removed: int
    resumed: int
    merged: int
    published: int
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class Wanted:
    """How postings are made. `size` is how many documents a segment has; `threads` is 0 for as many as there are."""

    sections: str = "full"
    cutting: str = "default"
    threads: int = 0
    progress: Progress | None = None
    measure: Measure | None = None
    keys: Collection[str] = ()
    size: int = DOCUMENTS


def update(
    folder: str | Path,
    corpus: Corpus,
    *,
    sections: str = "full",
    cutting: str = "default",
    threads: int = 0,
    progress: Progress | None = None,
    measure: Measure | None = None,
    keys: Collection[str] = (),
    verify: bool = False,
    merge: bool = False,
    size: int = DOCUMENTS,
) -> Report:
    """Brings the postings of a folder to the state of the corpus: only new and changed documents are read.

    Killed at any moment, the old postings hold, and the next update goes on where this one was. After what is new is
    published, small and worn segments are merged (see `merging.chosen`) and published again. `measure` computes what is
    to be kept with a snapshot; if one of `keys` (of lengths or recall) is not there, it is called although nothing is
    new. `verify` checks every byte that stands there first, and makes anew what is damaged.

    With `merge`, all segments get the form in which a rebuild would leave them, byte for byte: all living documents in
    order of arrival, and each segment full but the last.
    """
    wanted = Wanted(sections, cutting, threads, progress, measure, keys, size)
    with only_writer(Path(folder)):
        return _Updating(Path(folder), corpus, wanted, verify=verify).run(_everything if merge else _some)


class _Updating:
    """One update: the segments there are, and where each document of the corpus stands in them."""

    def __init__(self, place: Path, corpus: Corpus, wanted: Wanted, *, verify: bool) -> None:
        if wanted.cutting not in CUTTINGS:
            raise IndexingError(f"words are not cut by {wanted.cutting!r}; there are {', '.join(CUTTINGS)}")
        self.place, self.corpus, self.wanted = place, corpus, wanted
        self.scan = corpus_reading.scan(corpus)
        self.before = _sound(place, wanted, verify=verify)
        self.stored = _standing(place, wanted, verify=verify)
        self.places = self._located()
        if self.before is None:
            self._put_in_order()

    def run(self, plan: Callable[[_Updating], list[Stored | np.ndarray]]) -> Report:
        """Reads and publishes what is new, then merges and publishes that."""
        resumed = self._read_new()
        if self.corpus.fingerprint != self.scan.fingerprint:
            raise corpus_reading.stale(self.corpus)
        added, replaced, removed = self._counted()
        planned = plan(self)
        manifest = self._unchanged()
        published = merged = 0
        as_is = len(planned) == len(self.stored) and all(map(is_, planned, self.stored))
        if manifest is None:
            manifest = self._publish(last=as_is)
            published += 1
        if not as_is:
            merged = sum(len(part) for part in planned if isinstance(part, np.ndarray))
            self.stored = [part if isinstance(part, Stored) else self._merge(part) for part in planned]
            self.places = self._located()
            manifest = self._publish(last=True)
            published += 1
        if not published:
            sweep(self.place, manifest)  # a work that was killed after it published has not
        return Report(len(self.scan.serials), added, replaced, removed, resumed, merged, published, manifest)

    def name(self, positions: np.ndarray) -> str:
        """The name of a segment of documents of the corpus."""
        digests = self.scan.digests[positions]
        return store.segment_name(digests, sections=self.wanted.sections, cutting=self.wanted.cutting)

    def cut(self, positions: np.ndarray) -> list[np.ndarray]:
        """Documents as full segments, and one with the rest; very long documents fill a segment earlier."""
        return corpus_reading.cut(self.scan, positions, self.wanted.size)

    def alive(self) -> list[np.ndarray]:
        """For each segment which of its documents live."""
        return self.places.alive([len(each) for each in self.stored])

    def _located(self) -> Places:
        return corpus_reading.locate(self.scan.digests, [each.digests for each in self.stored])

    def _put_in_order(self) -> None:
        """Segments in order of their first documents, where no snapshot says which."""
        firsts = [self.places.first(part) for part in range(len(self.stored))]
        self.stored = [self.stored[part] for part in np.argsort(firsts, kind="stable").tolist()]
        self.places = self._located()

    def _read_new(self) -> int:
        """Makes segments of the documents that stand in none; how many of these an earlier work had finished."""
        missing = np.flatnonzero(self.places.segment < 0)
        resumed = 0
        done = 0
        for positions in self.cut(missing):
            name = self.name(positions)
            kept = store.kept_segment(self.place, name)
            resumed += len(positions) if kept is not None else 0
            self.stored.append(kept or self._read(name, positions, done, len(missing)))
            done += len(positions)
        if len(missing):
            self.places = self._located()
        return resumed

    def _read(self, name: str, positions: np.ndarray, done: int, total: int) -> Stored:
        told = self.wanted.progress
        digests = self.scan.digests[positions]
        made, facts = corpus_reading.read_segment(
            self.corpus,
            self.scan.serials[positions].tolist(),
            digests,
            sections=self.wanted.sections,
            cutting=self.wanted.cutting,
            threads=self.wanted.threads,
            progress=lambda number: told(done + number, total) if told is not None else None,
        )
        return store.write_segment(self.place, name, made, facts, digests)

    def _merge(self, positions: np.ndarray) -> Stored:
        name = self.name(positions)
        kept = store.kept_segment(self.place, name)
        if kept is not None:
            return kept
        made = merging.merged(self.stored, self.places.segment[positions], self.places.document[positions])
        return store.write_segment(self.place, name, *made)

    def _publish(self, *, last: bool) -> Manifest:
        about = About(self.wanted.sections, self.wanted.cutting, self.scan.fingerprint)
        return publish(self.place, self.stored, self.alive(), about, measure=self.wanted.measure, last=last)

    def _unchanged(self) -> Manifest | None:
        """The manifest that holds, if it need not be replaced."""
        held = self.before.manifest if self.before is not None else None
        if held is None or held.corpus != self.scan.fingerprint:
            return None
        if not held.measured.issuperset(self.wanted.keys):
            return None
        return held if [each.file for each in self.stored] == list(held.segments) else None

    def _counted(self) -> tuple[int, int, int]:
        """How many documents are new, how many are there in another state, and how many are gone."""
        known: dict[str, np.ndarray | None] = {}
        if self.before is not None and self.before.manifest is not None:
            known = {
                file.name: mask for file, mask in zip(self.before.manifest.segments, self.before.alive, strict=True)
            }
        came, gone = [], []
        for each, now in zip(self.stored, self.alive(), strict=True):
            then = np.zeros(len(each), dtype=bool)
            if each.file.name in known:
                mask = known[each.file.name]
                then = np.ones(len(each), dtype=bool) if mask is None else mask
            came.append((each, np.flatnonzero(now & ~then)))
            gone.append((each, np.flatnonzero(then & ~now)))
        new, old = (sum(len(documents) for _, documents in those) for those in (came, gone))
        replaced = len(_ids(came) & _ids(gone)) if new and old else 0
        return new - replaced, replaced, old - replaced


def _ids(those: list[tuple[Stored, np.ndarray]]) -> set[str]:
    return {each.segment.ids[document] for each, documents in those for document in documents.tolist()}


def _some(work: _Updating) -> list[Stored | np.ndarray]:
    """The segments that are left as they are, and the documents of those that are to be merged."""
    living = [int(mask.sum()) for mask in work.alive()]
    taken = merging.chosen(living, [len(each) for each in work.stored], size=work.wanted.size)
    rest = [each for part, each in enumerate(work.stored) if part not in taken]
    known = {each.file.name: each for each in work.stored}
    groups = work.cut(np.flatnonzero(np.isin(work.places.segment, taken)))
    return [*rest, *(known.get(work.name(group), group) for group in groups)]


def _everything(work: _Updating) -> list[Stored | np.ndarray]:
    """All documents in order of arrival; a segment that has them so already is left as it is."""
    known = {each.file.name: each for each in work.stored}
    groups = work.cut(np.arange(len(work.scan.serials)))
    return [known.get(work.name(group), group) for group in groups]


def _sound(place: Path, wanted: Wanted, *, verify: bool) -> Snapshot | None:
    """The snapshot that holds, if it can be used and is made in the same way."""
    try:
        snapshot = store.load(place)
    except IndexingError:
        return None
    about = snapshot.manifest
    same = about is not None and (about.sections, about.cutting) == (wanted.sections, wanted.cutting)
    return snapshot if same and not (verify and store.verify(place)) else None


def _standing(place: Path, wanted: Wanted, *, verify: bool) -> list[Stored]:
    """The segments that can be used: those of the snapshot that holds, or whatever is whole if it cannot be read.

    Those that an interrupted first build has finished are found by name, when their documents are to be read.
    """
    if not (place / CURRENT).exists():
        return []
    try:
        manifest = store.read_manifest(place)
    except (IndexingError, FileNotFoundError):
        found = [store.kept_segment(place, folder.name) for folder in sorted((place / SEGMENTS).glob("*"))]
        return [each for each in found if each is not None and _is_made_so(each, wanted)]
    standing: list[Stored] = []
    for file in manifest.segments:
        try:
            each = store.open_segment(place, file)
        except (OSError, Torn):
            continue
        sound = not verify or not damaged(place / SEGMENTS / file.name / ARRAYS, file.arrays)
        if sound and _is_made_so(each, wanted):
            standing.append(each)
    return standing


def _is_made_so(each: Stored, wanted: Wanted) -> bool:
    """Its name tells, which is that of its documents, their sections and the way their words are cut."""
    return each.file.name == store.segment_name(each.digests, sections=wanted.sections, cutting=wanted.cutting)
