"""A set of segments at one moment, with the statistics of all their live documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from foreart.corpus.views.string_tables import IdTable
from foreart.features.counting.string_arrays import joined, taken
from foreart.index.storage.manifest import Manifest
from foreart.index.storage.segment import Segment


@dataclass(frozen=True)
class Snapshot:
    """Immutable: a new state of the corpus gets a new snapshot.

    `alive` has a mask for each segment, None if it has no deleted documents. `df` has for each segment and each of its
    terms the number of live documents of *all* segments that have it: 0 if only deleted ones have it. Rows are live
    documents, in the order of segments. `lengths` has for a weighting and each segment the lengths of its documents,
    deleted ones included, and `grids` the bytes of its frequent words (see `frequent`). `manifest` is set if the
    snapshot was loaded from a folder. Statistics are those of all documents also where `between` left some rows only.
    """

    segments: tuple[Segment, ...]
    alive: tuple[np.ndarray | None, ...]
    df: tuple[np.ndarray, ...]
    documents: int
    words: int
    lengths: Mapping[str, tuple[np.ndarray, ...]] = field(default_factory=dict)
    grids: Mapping[str, tuple[np.ndarray, ...]] = field(default_factory=dict)
    manifest: Manifest | None = None

    def __len__(self) -> int:
        return int(self.firsts[-1])

    def between(self, first: int, last: int) -> Snapshot:
        """The rows from `first` to before `last` alone; `documents`, `words` and `df` stay those of all rows."""
        parts = np.flatnonzero((self.firsts[:-1] < last) & (self.firsts[1:] > first)).tolist()
        return replace(
            self,
            segments=tuple(self.segments[part] for part in parts),
            alive=tuple(self._alive_between(part, first, last) for part in parts),
            df=tuple(self.df[part] for part in parts),
            lengths={name: tuple(arrays[part] for part in parts) for name, arrays in self.lengths.items()},
            grids={name: tuple(arrays[part] for part in parts) for name, arrays in self.grids.items()},
        )

    def _alive_between(self, part: int, first: int, last: int) -> np.ndarray | None:
        """The mask of a segment without the rows before `first` and from `last` on."""
        start, end = int(self.firsts[part]), int(self.firsts[part + 1])
        if first <= start and end <= last:
            return self.alive[part]
        live = self.live[part]
        within = slice(max(first - start, 0), min(last, end) - start)
        mask = np.zeros(len(self.segments[part]), dtype=bool)
        mask[within if live is None else live[within]] = True
        return mask

    @cached_property
    def firsts(self) -> np.ndarray:
        """The row of the first live document of each segment, and the number of all rows."""
        live = [len(segment) if mask is None else int(mask.sum()) for segment, mask in self._pairs()]
        return np.concatenate([[0], np.cumsum(live, dtype=np.int64)])

    @cached_property
    def live(self) -> tuple[np.ndarray | None, ...]:
        """The live documents of each segment in order, None if there are no deleted ones."""
        return tuple(None if mask is None else np.flatnonzero(mask) for mask in self.alive)

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row, read on access."""
        return _Ids(self)

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order; compares bytes without decoding strings."""
        if len(ids) != len(self):
            return False
        letters, ends = (ids.letters, ids.ends) if isinstance(ids, IdTable) else joined(ids)
        for first, segment, live in zip(self.firsts.tolist(), self.segments, self.live, strict=False):
            own_letters, own_ends = segment.ids.letters, segment.ids.ends
            if live is not None:
                own_letters, own_ends = taken(own_letters, own_ends, live)
            bounds = ends[first : first + len(own_ends)]
            if not np.array_equal(bounds - bounds[0], own_ends):
                return False
            if not np.array_equal(letters[bounds[0] : bounds[-1]], own_letters):
                return False
        return True

    def locate(self, row: int) -> tuple[int, int]:
        """The segment of a row, and its document number there."""
        part = int(np.searchsorted(self.firsts, row, side="right")) - 1
        live, within = self.live[part], row - int(self.firsts[part])
        return part, within if live is None else int(live[within])

    def find(self, number: str) -> tuple[int, int] | None:
        """The segment and document number of the id of a live document."""
        for part, (segment, mask) in enumerate(self._pairs()):
            document = int(segment.ids.find([number])[0])
            if document >= 0 and (mask is None or mask[document]):
                return part, document
        return None

    def rows(self, ids: Iterable[str]) -> np.ndarray:
        """The row of each id, -1 if it is absent."""
        wanted = list(ids)
        rows = np.full(len(wanted), -1, dtype=np.int64)
        for part, (segment, live) in enumerate(zip(self.segments, self.live, strict=True)):
            documents = segment.ids.find(wanted)
            found = np.flatnonzero(documents >= 0)
            within = documents[found]
            if live is not None:
                within = np.searchsorted(live, documents[found])
                there = live[np.minimum(within, len(live) - 1)] == documents[found]
                found, within = found[there], within[there]
            rows[found] = self.firsts[part] + within
        return rows

    def _pairs(self) -> list[tuple[Segment, np.ndarray | None]]:
        return list(zip(self.segments, self.alive, strict=True))


class _Ids(Sequence[str]):
    """A sequence of ids that are not held in memory."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def __len__(self) -> int:
        return len(self._snapshot)

    def __getitem__(self, row: int) -> str:  # type: ignore[override] # one at a time: a slice would be a copy
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        part, document = self._snapshot.locate(row % len(self))
        return self._snapshot.segments[part].ids[document]

    def __iter__(self) -> Iterator[str]:
        for segment, live in zip(self._snapshot.segments, self._snapshot.live, strict=True):
            text = segment.ids.letters.tobytes()
            ends = segment.ids.ends.tolist()
            for document in range(len(segment)) if live is None else live.tolist():
                yield text[ends[document] : ends[document + 1]].decode("utf-8")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
