"""All documents against a query: sums in single precision, then exact scores of all that may be among the best.

A sum of n positive numbers in single precision is off by less than (n + 1) · 2⁻²⁴ of itself, and levels of log-tf by
less than their `blur`. So all documents whose sum is within twice that of the k-th greatest are taken, and their scores
are computed anew in double precision: ranking and scores are those of double precision, equal scores in order of id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np

from foreart.features.letters import frozen
from foreart.index.postings.blocks import Block, Scratch, Span
from foreart.index.postings.query import Query
from foreart.index.postings.side_by_side import side_by_side
from foreart.index.postings.snapshot import Snapshot
from foreart.index.postings.weighting import Weighting

# Documents that are worth a thread.
_SPAN = 2048
# Candidates of a segment that are worth a thread.
_RESCORED = 256
_SINGLE = 2.0**-24

Found = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Blocks:
    """All segments of a snapshot, ready for one weighting."""

    snapshot: Snapshot
    weighting: Weighting
    blocks: tuple[Block, ...]
    _scratch: list[Scratch] = field(default_factory=list)
    _others: dict[str, Any] = field(default_factory=dict)

    def prepare(self, threads: int) -> None:
        """Before the first query."""
        side_by_side(Block.prepare, self.blocks, threads)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """The most documents and the most terms of a segment."""
        documents = max((block.documents for block in self.blocks), default=0)
        return documents, max((len(block.arrays.starts) - 1 for block in self.blocks), default=0)

    @contextmanager
    def scratch(self) -> Iterator[Scratch]:
        """Room to work, as others left it."""
        try:
            room = self._scratch.pop()
        except IndexError:
            room = Scratch(*self._sizes)
        yield room
        # Not given back after an error: what it left behind is not known.
        self._scratch.append(room)

    def kept(self, name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is made
        """What others make once for all queries."""
        if name not in self._others:
            self._others[name] = make()
        return self._others[name]

    def exact(self, query: Query, part: int, documents: np.ndarray) -> np.ndarray:
        """The scores of documents of a segment in double precision."""
        with self.scratch() as room:
            return self.blocks[part].exact(query, documents, room.places)


def spans(blocks: Sequence[Block], threads: int) -> list[tuple[Block, Span]]:
    """The work of one query: segments, cut into a few parts where there are less of them than threads can share."""
    pieces = 1 if threads == 1 or len(blocks) >= 4 * threads else -(-2 * threads // max(len(blocks), 1))
    found = []
    for block in blocks:
        number = max(1, min(pieces, block.documents // _SPAN))
        # Sums of different threads should not lie in one line of a cache.
        bounds = [block.documents * piece // number // 64 * 64 for piece in range(number)] + [block.documents]
        found += [(block, span) for span in pairwise(bounds)]
    return found


def scores(blocks: Blocks, query: Query, *, threads: int) -> np.ndarray:
    """The score of every row, to about six digits; 0 where no word is shared."""
    found = np.zeros(len(blocks.snapshot))

    def take(task: tuple[Block, Span]) -> None:
        block, span = task
        sums = np.zeros(span[1] - span[0], dtype=np.float32)
        block.add(block.terms(query, precise=True), span, sums)
        sums *= block.scale[span[0] : span[1]]
        documents = np.arange(*span) if block.alive is None else span[0] + np.flatnonzero(block.alive[slice(*span)])
        found[block.rows_of(documents)] = sums[documents - span[0]]

    side_by_side(take, spans(blocks.blocks, threads), threads)
    return found


def top(blocks: Blocks, query: Query, k: int, *, allowed: np.ndarray | None = None, threads: int = 1) -> Found:
    """The rows and scores of the k best documents, best first; those that share no word are not among them."""
    off = blocks.weighting.blur + (len(query) + 16) * _SINGLE
    near = nearest(blocks, query, k, share=(1.0 - off) / (1.0 + off), allowed=allowed, threads=threads)
    return rescored(blocks, query, k, near, threads=threads)


def nearest(
    blocks: Blocks,
    query: Query,
    k: int,
    *,
    share: float,
    allowed: np.ndarray | None,
    threads: int,
    begin: Callable[[Block, Span, np.ndarray], None] | None = None,
) -> list[Found]:
    """For each segment the documents whose sum in single precision is at least a share of the k-th greatest.

    `begin` puts in what sums begin with, if that is not 0.
    """
    greatest = Greatest(k)

    def take(task: tuple[Block, Span]) -> tuple[int, np.ndarray, np.ndarray]:
        block, span = task
        with blocks.scratch() as room:
            scale = _masked(block, span, allowed, room)
            sums = room.sums[: span[1] - span[0]]
            sums[:] = 0.0
            if begin is not None:
                begin(block, span, sums)
            block.add(block.terms(query, precise=False), span, sums)
            found, values = block.best(room, span, scale, k, share, greatest.least)
        greatest.add(values)
        return block.part, found, values

    tasks = spans([block for block in blocks.blocks if _any(block, allowed)], threads)
    found = side_by_side(take, tasks, threads)
    return _cut(found, len(blocks.blocks), greatest.least * share)


class Greatest:
    """The k greatest values so far, of all threads: what is below the least of them need not be looked at."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.least = 0.0
        self._values = np.empty(0, dtype=np.float32)
        self._lock = Lock()

    def add(self, values: np.ndarray) -> None:
        """More values."""
        with self._lock:
            held = np.concatenate([self._values, values])
            if len(held) >= self.k:
                held = np.partition(held, len(held) - self.k)[len(held) - self.k :]
                self.least = float(held[0])
            self._values = held


def rescored(blocks: Blocks, query: Query, k: int, near: list[Found], *, threads: int) -> Found:
    """The k best of some documents of each segment, by their scores in double precision."""
    tasks = [
        (part, documents[start : start + _RESCORED])
        for part, (documents, _) in enumerate(near)
        for start in range(0, len(documents), _RESCORED)
    ]
    # Threads are not worth starting for a few.
    exact = side_by_side(
        lambda task: blocks.exact(query, *task),
        tasks,
        threads if sum(len(each) for _, each in tasks) > _RESCORED else 1,
    )
    rows = [blocks.blocks[part].rows_of(documents) for part, documents in tasks]
    if not tasks:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return ordered(blocks.snapshot, np.concatenate(rows), np.concatenate(exact), k)


def ordered(snapshot: Snapshot, rows: np.ndarray, scores: np.ndarray, k: int) -> Found:
    """The k best rows with a score above 0, best first, equal ones in order of id."""
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > 0]
    if len(order) > k:
        order = order[scores[order] >= scores[order[k - 1]]]
    values = scores[order]
    tied = np.flatnonzero(values[1:] == values[:-1])
    if len(tied):
        touched = np.unique(np.concatenate([tied, tied + 1]))
        ids = [snapshot.ids[int(row)] for row in rows[order[touched]]]
        inner = sorted(range(len(touched)), key=lambda place: (-values[touched[place]], ids[place]))
        order[touched] = order[touched[inner]]
    return rows[order[:k]], scores[order[:k]]


def _cut(found: list[tuple[int, np.ndarray, np.ndarray]], parts: int, least: float) -> list[Found]:
    """What is left of candidates when the k-th greatest of all is known."""
    near: list[Found] = [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))] * parts
    for part, documents, own in found:
        kept = own >= np.float32(least)
        near[part] = (
            np.concatenate([near[part][0], documents[kept]]),
            np.concatenate([near[part][1], own[kept]]),
        )
    return near


def _masked(block: Block, span: Span, allowed: np.ndarray | None, room: Scratch) -> np.ndarray:
    """What sums are multiplied by: 0 where a document is not wanted."""
    scale = block.scale[span[0] : span[1]]
    if allowed is None:
        return scale
    wanted = allowed[block.first + span[0] : block.first + span[1]]
    if block.living is not None:
        wanted = np.zeros(block.documents, dtype=bool)
        wanted[block.documents_of(allowed)] = True
        wanted = wanted[span[0] : span[1]]
    return frozen(np.multiply(scale, wanted, out=room.scale[: len(scale)]))


def _any(block: Block, allowed: np.ndarray | None) -> bool:
    living = block.documents if block.living is None else len(block.living)
    return bool(living and (allowed is None or allowed[block.first : block.first + living].any()))
