"""Makes new segments by a pool: words are counted in parts of some hundred documents, then parts are inverted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.record_files import write_records
from foreart.features.counting.string_arrays import ends_of
from foreart.index.build.corpus_scan import Scan, stale
from foreart.index.build.counted_parts import CountedPart, CountTask
from foreart.index.build.row_reader import RowReader
from foreart.index.build.segment_building import SegmentBuilder
from foreart.index.storage import store
from foreart.index.storage.store import SEGMENTS, StoredSegment
from foreart.part_files import PARTS, PartFolder, PartTask, batches, read_part


@dataclass(frozen=True)
class CountedSlice:
    """The documents from `first` to before `last` of a counted part."""

    path: Path
    first: int
    last: int


@dataclass(frozen=True)
class SegmentTask(PartTask):
    """Inverts counted documents into a segment, in the folder of parts: the asking process moves it to its place."""

    reader: RowReader
    path: Path
    slices: tuple[CountedSlice, ...]
    documents: int

    def is_written(self, root: Path) -> bool:
        """Whether the segment is there."""
        return store.kept_segment(root / self.path.parent.parent, self.path.name) is not None

    def write(self, root: Path) -> None:
        """Inverts and writes; one that another process is writing too has the same bytes."""
        builder = SegmentBuilder(self.reader.tokenizer)
        digests = []
        for each in self.slices:
            part = CountedPart.read(root / each.path).part(each.first, each.last)
            builder.add(part.ids, builder.counter.ids_of_strings(*part.words), part.rows)
            digests.append(np.repeat(part.digests, part.sizes, axis=0))
        folder = root / self.path.parent.parent
        if not folder.is_dir():
            raise FileNotFoundError(folder)  # the build is over
        try:
            store.write_segment(folder, self.path.name, builder.arrays(), np.concatenate(digests))
        except OSError:
            if not self.is_written(root):
                raise


@dataclass(frozen=True)
class SegmentMaker:
    """Makes the segments of some documents of a corpus in a folder of postings."""

    parts: PartFolder
    folder: Path
    corpus: Corpus
    scanned: Scan
    reader: RowReader

    def made(self, positions: np.ndarray, report: Callable[[int], None]) -> list[StoredSegment]:
        """The segments of these documents, in order; `report` is called with the number of documents counted."""
        counted = self._counted(positions, report)
        sizes = np.concatenate(
            [np.zeros(0, np.int64), *(read_part(self.parts.root / task.path)["sizes"] for task in counted)]
        )
        tasks = self._segments(positions, sizes, counted)
        self.parts.make(tasks)
        moved = [store.move_segment(self.parts.root / task.path, self.folder) for task in tasks]
        for segment, group in zip(moved, self._digests(positions, sizes), strict=True):
            if not np.array_equal(segment.digests, group):
                raise stale(self.corpus)
        for task in counted:
            (self.parts.root / task.path).unlink(missing_ok=True)
        return moved

    def _counted(self, positions: np.ndarray, report: Callable[[int], None]) -> list[CountTask]:
        serials = [self.scanned.serials[batch].tolist() for batch in batches(positions)]
        tasks = [CountTask.of(self.parts, self.corpus, self.reader, batch) for batch in serials]
        serials_of = {task.path: batch for task, batch in zip(tasks, serials, strict=True)}
        self.parts.make(
            tasks,
            prepare=lambda task: write_records(self.parts, self.corpus, serials_of[task.path]),
            report=report,
        )
        return tasks

    def _segments(self, positions: np.ndarray, sizes: np.ndarray, counted: Sequence[CountTask]) -> list[SegmentTask]:
        """The task for each group of documents, with slices of the counted parts."""
        ends = ends_of(np.array([len(batch) for batch in batches(positions)], dtype=np.int64))
        groups = self.reader.groups(self.scanned, positions, sizes)
        bounds = ends_of(np.array([len(group) for group in groups], dtype=np.int64)).tolist()
        tasks = []
        for (start, stop), digests in zip(pairwise(bounds), self._digests(positions, sizes), strict=True):
            slices = []
            for part in range(int(np.searchsorted(ends, start, side="right")) - 1, len(counted)):
                first, last = max(start, int(ends[part])), min(stop, int(ends[part + 1]))
                if first >= last:
                    break
                slices.append(CountedSlice(counted[part].path, first - int(ends[part]), last - int(ends[part])))
            name = store.segment_name(digests, sections=self.reader.sections, cutting=self.reader.cutting)
            tasks.append(SegmentTask(self.reader, PARTS / SEGMENTS / name, tuple(slices), stop - start))
        return tasks

    def _digests(self, positions: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
        """The digest of each row of each segment."""
        done = 0
        for group in self.reader.groups(self.scanned, positions, sizes):
            yield np.repeat(self.scanned.digests[group], sizes[done : done + len(group)], axis=0)
            done += len(group)
