"""The sums of all documents for one query, and the greatest of every few of them: most are never looked at again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from foreart.features.counting.string_arrays import ends_of, frozen
from foreart.index.scoring import kernels
from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.blocks import Block, Span
from foreart.index.scoring.kernels import CHUNK, Terms
from foreart.parallel import pooled, side_by_side

# Documents that are worth a thread.
_SPAN = 2048
# Below this share of all documents those that are allowed are few: postings of others are passed over. Where all sums
# stay in the cache that pays later.
_FEW, _FEW_IN_CACHE, _CACHE = 0.15, 0.06, 100_000
_ALL = frozen(np.empty(0, dtype=bool))
# Sums of which only the greatest is looked at first.
_GROUP = 16

_NONE = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))

# Places of documents and their sums.
Found = tuple[np.ndarray, np.ndarray]
# What is usual for each document of a segment, and how many times that sums begin with.
Usual = tuple[np.ndarray, float]
# A segment, the span of it that is asked, and which documents of the segment are allowed; nothing where all are.
Asked = tuple[Block, Span, np.ndarray]


def _nothing(block: Block) -> Usual:
    return block.scale, 0.0


def spans(blocks: Sequence[Block], threads: int) -> list[tuple[Block, Span]]:
    """The work of one query: segments, cut into a few parts where there are less of them than threads can share."""
    return [
        (block, span) for block, span, _ in _cut([(block, (0, block.documents), _ALL) for block in blocks], threads)
    ]


def _cut(asked: Sequence[Asked], threads: int) -> list[Asked]:
    pieces = 1 if threads == 1 or len(asked) >= 4 * threads else -(-2 * threads // max(len(asked), 1))
    found = []
    for block, (first, last), allowed in asked:
        number = max(1, min(pieces, (last - first) // _SPAN))
        # Sums of different threads should not lie in one line of a cache.
        bounds = [first + (last - first) * piece // number // CHUNK * CHUNK for piece in range(number)] + [last]
        found += [(block, span, allowed) for span in pairwise(bounds)]
    return found


class Room:
    """Room for the sums of one query, used again: fresh pages take longer than the work of some queries."""

    def __init__(self, places: int) -> None:
        self.values = np.zeros(places, dtype=np.float32)
        self.maxima = np.zeros(places // CHUNK, dtype=np.float32)


class Small:
    """Room for the sums of one segment; one more, for what is written before it is known whether it counts."""

    def __init__(self, documents: int) -> None:
        self.sums, self.values = np.empty((2, documents + 1), dtype=np.float32)
        self.found = np.empty(documents + 1, dtype=np.int64)


class Sums:
    """The sums of all segments: a document has a place, that of its segment's first document and its number there.

    Segments begin with whole chunks.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.firsts = CHUNK * ends_of(np.array([-(-block.documents // CHUNK) for block in blocks], dtype=np.int64))
        self._rooms: list[Room] = []
        self._small: list[Small] = []

    def nearest(
        self,
        terms: Callable[[Block], Terms],
        k: int,
        *,
        share: float = 1.0,
        allowed: Allowed | None = None,
        threads: int = 1,
        usual: Callable[[Block], Usual] = _nothing,
    ) -> Found:
        """The places of the documents whose sum is at least a share of the k-th greatest, in order, and the sums.

        A sum is what terms are worth, and so many times what is usual, times the scale of the document.
        """
        asked = [_asked(block, None if allowed is None else allowed.rows) for block in self.blocks]
        tasks = _cut([each for each in asked if each is not None], threads)
        if allowed is not None and allowed.share < (_FEW if len(allowed.rows) > _CACHE else _FEW_IN_CACHE):
            found = side_by_side(lambda task: self._few(task, terms, usual), tasks, threads)
            places, values = (np.concatenate(each) for each in zip(_NONE, *found, strict=True))
            return _cut_off(places, values, k, share)
        with pooled(self._rooms, lambda: Room(int(self.firsts[-1]))) as room:
            if any(each is None or each[2] is not _ALL for each in asked):
                room.maxima[:] = 0.0
            side_by_side(lambda task: self._sum(task, terms, usual, room), tasks, threads)
            return _greatest(room, k, share)

    def _sum(self, task: Asked, terms: Callable[[Block], Terms], usual: Callable[[Block], Usual], room: Room) -> None:
        """Sums all documents of a span."""
        block, span, mask = task
        start, (often, times) = int(self.firsts[block.part]), usual(block)
        sums = room.values[start + span[0] : start + span[1]]
        if times == 0.0:
            sums[:] = 0.0
        else:
            np.multiply(often[span[0] : span[1]], np.float32(times), out=sums)
        block.add(terms(block), span, sums)
        maxima = room.maxima[(start + span[0]) // CHUNK : -(-(start + span[1]) // CHUNK)]
        own = mask[span[0] : span[1]] if mask is not _ALL else mask
        kernels.scaled(sums, block.scale[span[0] : span[1]], own, maxima)

    def _few(self, task: Asked, terms: Callable[[Block], Terms], usual: Callable[[Block], Usual]) -> Found:
        """The places and sums of the documents of a span that are allowed, where these are few."""
        block, span, mask = task
        often, times = usual(block)
        few = np.ones(block.documents, dtype=np.uint8) if mask is _ALL else mask.view(np.uint8)
        with pooled(self._small, lambda: Small(max(each.documents for each in self.blocks))) as room:
            sums = room.sums[: span[1] - span[0]]
            sums[:] = 0.0
            block.add(terms(block), span, sums, few)
            wanted, scale, usually = (frozen(each[span[0] : span[1]]) for each in (few, block.scale, often))
            number = kernels.some(sums, wanted, scale, usually, np.float32(times), room.found, room.values)
            return room.found[:number] + (self.firsts[block.part] + span[0]), room.values[:number].copy()

    def by_segment(self, places: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """Places in order, as segments that have some of them, and their documents."""
        cuts = np.searchsorted(places, self.firsts).tolist()
        return [
            (part, places[start:end] - self.firsts[part])
            for part, (start, end) in enumerate(pairwise(cuts))
            if start < end
        ]


def _greatest(room: Room, k: int, share: float) -> Found:
    """The places of the sums that are at least a share of the k-th greatest, and above 0, in order, and the sums."""
    # As many documents as there are chunks reach the greatest sums of chunks.
    least = float(_kth(room.maxima, k)) * share if len(room.maxima) >= k else 0.0
    found = np.empty(CHUNK * int(np.count_nonzero(room.maxima >= np.float32(least))), dtype=np.int64)
    places = found[: kernels.at_least(room.values, room.maxima, least, found)]
    return _cut_off(places, room.values[places], k, share)


def _cut_off(places: np.ndarray, values: np.ndarray, k: int, share: float) -> Found:
    """Those of some sums, and above 0."""
    if len(values) > 2 * _GROUP * k:
        # To part all is dear: as many as there are groups reach the greatest of groups.
        greatest = values[: len(values) // _GROUP * _GROUP].reshape(_GROUP, -1).max(axis=0)
        some = np.flatnonzero(values >= _kth(greatest, k) * np.float32(share))
        places, values = places[some], values[some]
    least = _kth(values, k) * np.float32(share) if len(values) > k else np.float32(0.0)
    kept = np.flatnonzero((values >= least) & (values > 0))
    return places[kept], values[kept]


def _kth(values: np.ndarray, k: int) -> np.float32:
    """The k-th greatest."""
    return np.float32(np.partition(values, len(values) - k)[len(values) - k])


def _asked(block: Block, allowed: np.ndarray | None) -> Asked | None:
    """What of a segment is asked; None where no document of it is allowed. The dead are left out by their scale.

    A mask is looked at no further than to the first that it lets through and the first that it does not, as a rule: to
    ask with one must not take longer than to ask without.
    """
    whole, living = (0, block.documents), block.documents if block.living is None else len(block.living)
    if allowed is None or not living:
        return (block, whole, _ALL) if living else None
    mask = allowed[block.first : block.first + living]
    if not mask[mask.argmax()]:
        return None
    if mask[mask.argmin()]:
        return block, whole, _ALL
    if block.living is not None:
        chosen = block.living[mask]
        mask = np.zeros(block.documents, dtype=bool)
        mask[chosen] = True
    first, last = int(mask.argmax()), block.documents
    if not mask[-CHUNK:].any():
        last = mask.tobytes().rfind(b"\x01") + 1
    # Whole chunks: nothing of the query before is left in any that is looked at.
    return block, (first // CHUNK * CHUNK, min(-(-last // CHUNK) * CHUNK, block.documents)), frozen(mask)
