"""The sums of all documents for one query, with maxima of chunks, so that most sums are read only once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from foreart.features.counting.string_arrays import ends_of, frozen
from foreart.index.scoring import kernels
from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.blocks import Block, Span
from foreart.index.scoring.kernels import CHUNK, Terms
from foreart.parallel import parallel_map, pooled

# The smallest number of documents per task.
_SPAN = 2048
# Below this share of allowed documents, postings of others are skipped; in small snapshots, whose sums stay in the
# cache, that is useful only for smaller shares.
_FEW, _FEW_IN_CACHE, _CACHE = 0.15, 0.06, 100_000
_ALL = frozen(np.empty(0, dtype=bool))
# Sums per group, of which only the maximum is compared first.
_GROUP = 16

_NONE = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))

# Positions of documents and their sums.
Summed = tuple[np.ndarray, np.ndarray]
# The prior of each document of a segment, and its factor.
PriorTerm = tuple[np.ndarray, float]
# A segment, its span to sum, and the mask of allowed documents of the segment (empty: all).
SpanTask = tuple[Block, Span, np.ndarray]


def _no_prior(block: Block) -> PriorTerm:
    return block.scale, 0.0


def spans(blocks: Sequence[Block], threads: int) -> list[tuple[Block, Span]]:
    """The tasks of one query: segments, divided if there are too few of them for the threads."""
    return [(block, span) for block, span, _ in _divided([(block, block.span, _ALL) for block in blocks], threads)]


def _divided(tasks: Sequence[SpanTask], threads: int) -> list[SpanTask]:
    parts = 1 if threads == 1 or len(tasks) >= 4 * threads else -(-2 * threads // max(len(tasks), 1))
    found = []
    for block, (first, last), allowed in tasks:
        number = max(1, min(parts, (last - first) // _SPAN))
        # Sums of different threads should not share a cache line.
        bounds = [first + (last - first) * part // number // CHUNK * CHUNK for part in range(number)] + [last]
        found += [(block, span, allowed) for span in pairwise(bounds)]
    return found


class SumBuffer:
    """A reusable buffer for the sums of one query: allocating pages takes longer than some queries."""

    def __init__(self, size: int) -> None:
        self.values = np.zeros(size, dtype=np.float32)
        self.maxima = np.zeros(size // CHUNK, dtype=np.float32)


class SegmentBuffer:
    """A buffer for the sums of one segment, with one extra entry for branch-free writes."""

    def __init__(self, documents: int) -> None:
        self.sums, self.values = np.empty((2, documents + 1), dtype=np.float32)
        self.found = np.empty(documents + 1, dtype=np.int64)


class Sums:
    """Sums over all segments. The position of a document is the start of its segment plus its number there.

    Segments start at chunk boundaries.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.firsts = CHUNK * ends_of(np.array([-(-block.documents // CHUNK) for block in blocks], dtype=np.int64))
        self._buffers: list[SumBuffer] = []
        self._segment_buffers: list[SegmentBuffer] = []

    def nearest(
        self,
        terms: Callable[[Block], Terms],
        k: int,
        *,
        share: float = 1.0,
        allowed: Allowed | None = None,
        threads: int = 1,
        prior: Callable[[Block], PriorTerm] = _no_prior,
    ) -> Summed:
        """The documents whose sum is at least a share of the k-th largest: positions in order, and sums.

        A sum is the weight of the terms plus the prior times its factor, times the scale of the document.
        """
        segments = [_task(block, None if allowed is None else allowed.rows) for block in self.blocks]
        tasks = _divided([each for each in segments if each is not None], threads)
        if allowed is not None and allowed.share < (_FEW if len(allowed.rows) > _CACHE else _FEW_IN_CACHE):
            found = parallel_map(lambda task: self._few(task, terms, prior), tasks, threads)
            positions, values = (np.concatenate(each) for each in zip(_NONE, *found, strict=True))
            return _cut_off(positions, values, k, share)
        with pooled(self._buffers, lambda: SumBuffer(int(self.firsts[-1]))) as buffer:
            if any(each is None or each[2] is not _ALL for each in segments):
                buffer.maxima[:] = 0.0
            parallel_map(lambda task: self._sum(task, terms, prior, buffer), tasks, threads)
            return _largest(buffer, k, share)

    def _sum(
        self, task: SpanTask, terms: Callable[[Block], Terms], prior: Callable[[Block], PriorTerm], buffer: SumBuffer
    ) -> None:
        """Computes the sums of all documents of a span."""
        block, span, mask = task
        start, (values, times) = int(self.firsts[block.part]), prior(block)
        sums = buffer.values[start + span[0] : start + span[1]]
        if times == 0.0:
            sums[:] = 0.0
        else:
            np.multiply(values[span[0] : span[1]], np.float32(times), out=sums)
        block.add(terms(block), span, sums)
        maxima = buffer.maxima[(start + span[0]) // CHUNK : -(-(start + span[1]) // CHUNK)]
        own = mask[span[0] : span[1]] if mask is not _ALL else mask
        kernels.scaled(sums, block.scale[span[0] : span[1]], own, maxima)

    def _few(self, task: SpanTask, terms: Callable[[Block], Terms], prior: Callable[[Block], PriorTerm]) -> Summed:
        """The positions and sums of the allowed documents of a span, if they are few."""
        block, span, mask = task
        values, times = prior(block)
        wanted = np.ones(block.documents, dtype=np.uint8) if mask is _ALL else mask.view(np.uint8)
        with pooled(
            self._segment_buffers, lambda: SegmentBuffer(max(each.documents for each in self.blocks))
        ) as buffer:
            sums = buffer.sums[: span[1] - span[0]]
            sums[:] = 0.0
            block.add(terms(block), span, sums, wanted)
            own, scale, own_prior = (frozen(each[span[0] : span[1]]) for each in (wanted, block.scale, values))
            number = kernels.allowed_sums(sums, own, scale, own_prior, np.float32(times), buffer.found, buffer.values)
            return buffer.found[:number] + (self.firsts[block.part] + span[0]), buffer.values[:number].copy()

    def by_segment(self, positions: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """Groups ascending positions by segment, as document numbers."""
        bounds = np.searchsorted(positions, self.firsts).tolist()
        return [
            (part, positions[start:end] - self.firsts[part])
            for part, (start, end) in enumerate(pairwise(bounds))
            if start < end
        ]


def _largest(buffer: SumBuffer, k: int, share: float) -> Summed:
    """The sums above 0 that are at least a share of the k-th largest: positions in order, and sums."""
    # The k-th largest of the chunk maxima is a lower bound of the k-th largest sum.
    threshold = float(_kth(buffer.maxima, k)) * share if len(buffer.maxima) >= k else 0.0
    found = np.empty(CHUNK * int(np.count_nonzero(buffer.maxima >= np.float32(threshold))), dtype=np.int64)
    positions = found[: kernels.at_least(buffer.values, buffer.maxima, threshold, found)]
    return _cut_off(positions, buffer.values[positions], k, share)


def _cut_off(positions: np.ndarray, values: np.ndarray, k: int, share: float) -> Summed:
    """The same among some sums."""
    if len(values) > 2 * _GROUP * k:
        # Partitioning everything is expensive: the k-th largest group maximum is a lower bound.
        maxima = values[: len(values) // _GROUP * _GROUP].reshape(_GROUP, -1).max(axis=0)
        candidates = np.flatnonzero(values >= _kth(maxima, k) * np.float32(share))
        positions, values = positions[candidates], values[candidates]
    threshold = _kth(values, k) * np.float32(share) if len(values) > k else np.float32(0.0)
    kept = np.flatnonzero((values >= threshold) & (values > 0))
    return positions[kept], values[kept]


def _kth(values: np.ndarray, k: int) -> np.float32:
    """The k-th largest value."""
    return np.float32(np.partition(values, len(values) - k)[len(values) - k])


def _task(block: Block, allowed: np.ndarray | None) -> SpanTask | None:
    """The task of a segment; None if none of its documents is allowed. Deleted documents have the scale 0.

    Usually reads the mask only up to its first allowed and first forbidden row: a search with a filter must not take
    longer than one without.
    """
    full, live = block.span, block.documents if block.live is None else len(block.live)
    if allowed is None or not live:
        return (block, full, _ALL) if live else None
    mask = allowed[block.first : block.first + live]
    if not mask[mask.argmax()]:
        return None
    if mask[mask.argmin()]:
        return block, full, _ALL
    if block.live is not None:
        chosen = block.live[mask]
        mask = np.zeros(block.documents, dtype=bool)
        mask[chosen] = True
    first, last = int(mask.argmax()), block.documents
    if not mask[-CHUNK:].any():
        last = mask.tobytes().rfind(b"\x01") + 1
    # Complete chunks, so that no sums of an earlier query are read.
    return block, (first // CHUNK * CHUNK, min(-(-last // CHUNK) * CHUNK, block.documents)), frozen(mask)
