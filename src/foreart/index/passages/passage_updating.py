"""The passages follow the corpus: new documents are cut and counted, those gone are marked, small segments merged.

Passages are the documents of postings of their own, which are stored, published and resumed as all postings are (see
`postings.store`). What tells whether a passage is still there is the digest of its document.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from foreart.corpus import Corpus
from foreart.errors import IndexingError
from foreart.index.build import corpus_reading as postings_reading
from foreart.index.build import merging
from foreart.index.build.corpus_reading import Places, Progress
from foreart.index.passages import passage_reading
from foreart.index.passages.kind import Passages
from foreart.index.scoring.blocks import lengths
from foreart.index.storage import store
from foreart.index.storage.manifest import Manifest
from foreart.index.storage.publishing import About, Measured, publish, sweep
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.store import SEGMENTS, Stored
from foreart.index.storage.weighting import Weighting
from foreart.index.storage.writer_lock import only_writer
from foreart.parallel import cores

WEIGHTING = Weighting(tf="log")


def update(
    folder: str | Path,
    corpus: Corpus,
    kind: Passages,
    *,
    sections: str = "full",
    merge: bool = False,
    progress: Progress | None = None,
    most: int = 0,
) -> Manifest:
    """Brings the passages of a folder to the state of the corpus: only new and changed documents are read.

    Killed at any moment, the old passages hold, and the next update goes on where this one was. `merge` leaves all as
    a build from nothing would; `most` is how many passages a segment has at most, if not as many as it can.
    """
    with only_writer(Path(folder)):
        work = _Updating(Path(folder), corpus, kind, sections, most or passage_reading.most_passages(kind))
        return work.run(merge=merge, progress=progress)


class _Updating:
    """One update: the segments there are, and where each document of the corpus stands in them."""

    def __init__(self, place: Path, corpus: Corpus, kind: Passages, sections: str, most: int) -> None:
        self.place, self.corpus, self.kind, self.sections, self.most = place, corpus, kind, sections, most
        self.scan = postings_reading.scan(corpus)
        self.before = _manifest(place)
        self.stored: list[Stored] = []
        self.sizes: list[np.ndarray] = []
        self.places: Places
        self._take(self._standing())

    def run(self, *, merge: bool, progress: Progress | None) -> Manifest:
        """Reads what is new, merges, and publishes once."""
        self._read_new(progress)
        if self.corpus.fingerprint != self.scan.fingerprint:
            raise postings_reading.stale(self.corpus)
        chosen = range(len(self.stored)) if merge else self._chosen()
        self._merge(list(chosen))
        held = self.before
        if held is not None and held.corpus == self.scan.fingerprint and self._is_held(held):
            sweep(self.place, held)
            return held
        about = About(self.sections, self.kind.cutting, self.scan.fingerprint)
        return publish(self.place, self.stored, self._alive(), about, measure=_measured)

    def _take(self, stored: list[Stored]) -> None:
        """These are the segments from now on: where each of their documents begins is told by digests."""
        self.stored = stored
        heads = [_heads(each.digests) for each in stored]
        self.sizes = [np.diff(np.append(head, len(each))) for each, head in zip(stored, heads, strict=True)]
        digests = [each.digests[head] for each, head in zip(stored, heads, strict=True)]
        self.places = postings_reading.locate(self.scan.digests, digests)

    def _standing(self) -> list[Stored]:
        """The segments of the snapshot that holds, and behind them those an interrupted work has finished, in order."""
        known = self.before.segments if self.before is not None else ()
        standing = [store.open_segment(self.place, file) for file in known]
        names = {file.name for file in known}
        others = [
            each
            for folder in sorted((self.place / SEGMENTS).glob("*"))
            if folder.name not in names and (each := store.kept_segment(self.place, folder.name)) is not None
        ]
        self._take([each for each in others if self._is_made_so(each)])
        firsts = [self.places.first(part) for part in range(len(self.stored))]
        ordered = [self.stored[part] for part in np.argsort(firsts, kind="stable").tolist()]
        return [*(each for each in standing if self._is_made_so(each)), *ordered]

    def _read_new(self, progress: Progress | None) -> None:
        missing = np.flatnonzero(self.places.segment < 0)
        if not len(missing):
            return
        serials = self.scan.serials[missing].tolist()
        cut = passage_reading.cut_documents(
            self.corpus, serials, sections=self.sections, kind=self.kind, most=self.most
        )
        made: list[Stored] = []
        first = 0
        tell = (lambda done: progress(done, len(missing))) if progress is not None else (lambda _: None)
        for arrays, numbers in passage_reading.segments(cut, most=self.most, progress=tell):
            last = first + len(numbers)
            digests = self.scan.digests[missing[first:last]]
            if not passage_reading.are_as_scanned(self.corpus, serials[first:last], digests):
                raise postings_reading.stale(self.corpus)
            repeated = np.repeat(digests, numbers, axis=0)
            facts = passage_reading.no_facts(len(repeated))
            made.append(store.write_segment(self.place, self._name(repeated), arrays, facts, repeated))
            first = last
        self._take([*self.stored, *made])

    def _chosen(self) -> list[int]:
        living = [int(mask.sum()) for mask in self._alive()]
        return merging.chosen(living, [len(each) for each in self.stored], size=self.most)

    def _merge(self, chosen: Sequence[int]) -> None:
        """The documents of some segments, in order of arrival, in as few segments as they need."""
        rest = [each for part, each in enumerate(self.stored) if part not in chosen]
        positions = np.flatnonzero(np.isin(self.places.segment, np.array(chosen, dtype=np.int64)))
        made = [self._group(group) for group in self._groups(positions)]
        if made:
            self._take([*rest, *made])

    def _groups(self, positions: np.ndarray) -> list[np.ndarray]:
        """As they would be cut into segments when read."""
        groups: list[np.ndarray] = []
        ends = np.cumsum(self._numbers(positions))
        start = 0
        while start < len(positions):
            room = self.most + (int(ends[start - 1]) if start else 0)
            end = max(start + 1, int(np.searchsorted(ends, room, side="right")))
            groups.append(positions[start:end])
            start = end
        return groups

    def _group(self, positions: np.ndarray) -> Stored:
        """One segment of these documents; one that is there already is taken."""
        numbers = self._numbers(positions)
        name = self._name(np.repeat(self.scan.digests[positions], numbers, axis=0))
        known = {each.file.name: each for each in self.stored}
        kept = known.get(name) or store.kept_segment(self.place, name)
        if kept is not None:
            return kept
        within = np.arange(int(numbers.sum())) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        passages = np.repeat(self._firsts(positions), numbers) + within
        made = merging.merged(self.stored, np.repeat(self.places.segment[positions], numbers), passages)
        return store.write_segment(self.place, name, *made)

    def _numbers(self, positions: np.ndarray) -> np.ndarray:
        """How many passages documents have."""
        return self._of(positions, self.sizes)

    def _firsts(self, positions: np.ndarray) -> np.ndarray:
        """The first passages of documents, each in its segment."""
        return self._of(positions, [np.cumsum(sizes) - sizes for sizes in self.sizes])

    def _of(self, positions: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
        """What of documents is listed by segment."""
        parts, documents = self.places.segment[positions], self.places.document[positions]
        found = np.zeros(len(positions), dtype=np.int64)
        for part, listed in enumerate(values):
            found[parts == part] = listed[documents[parts == part]]
        return found

    def _alive(self) -> list[np.ndarray]:
        """For each segment which of its passages are of documents of the corpus."""
        documents = self.places.alive([len(sizes) for sizes in self.sizes])
        return [np.repeat(mask, sizes) for mask, sizes in zip(documents, self.sizes, strict=True)]

    def _is_held(self, held: Manifest) -> bool:
        living = [each.file for each, mask in zip(self.stored, self._alive(), strict=True) if mask.any()]
        return living == list(held.segments) and WEIGHTING.lengths_key in held.measured

    def _name(self, digests: np.ndarray) -> str:
        return store.segment_name(digests, sections=self.sections, cutting=self.kind.cutting)

    def _is_made_so(self, each: Stored) -> bool:
        return each.file.name == self._name(each.digests)


def _measured(snapshot: Snapshot, last: bool) -> Measured:
    assert WEIGHTING.lengths_key is not None
    return Measured({WEIGHTING.lengths_key: lengths(snapshot, WEIGHTING, threads=cores())})


def _manifest(place: Path) -> Manifest | None:
    """What the snapshot that holds says of itself, if it can be used."""
    try:
        return store.load(place).manifest
    except IndexingError:
        return None


def _heads(digests: np.ndarray) -> np.ndarray:
    """Where the passages of each document begin."""
    new = np.ones(len(digests), dtype=bool)
    new[1:] = (digests[1:] != digests[:-1]).any(axis=1)
    return np.flatnonzero(new)
