"""All documents against a query: sums in single precision, then exact scores of all that may be among the best.

A sum of n positive numbers in single precision is off by less than (n + 1) · 2⁻²⁴ of itself, and levels of log-tf by
less than their `blur`. So all documents whose sum is within twice that of the k-th greatest are taken, and their scores
are computed anew in double precision: ranking and scores are those of double precision, equal scores in order of id.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.blocks import Block, Span
from foreart.index.scoring.query_terms import Query
from foreart.index.scoring.sums import Sums, spans
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import pooled, side_by_side

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
    _rooms: dict[str, list[Any]] = field(default_factory=dict)
    _others: dict[str, Any] = field(default_factory=dict)

    def prepare(self, threads: int) -> None:
        """Before the first query."""
        side_by_side(Block.prepare, self.blocks, threads)

    @cached_property
    def _terms(self) -> int:
        """The most terms of a segment."""
        return max((len(block.arrays.starts) - 1 for block in self.blocks), default=0)

    def room(self, name: str, make: Callable[[], Any]) -> AbstractContextManager[Any]:
        """Room to work, by name."""
        return pooled(self._rooms.setdefault(name, []), make)

    def places(self) -> AbstractContextManager[np.ndarray]:
        """Room for the place of each term in a query, from 1: all 0, before and after."""
        return self.room("places", lambda: np.zeros(self._terms, dtype=np.uint32))

    @cached_property
    def sums(self) -> Sums:
        """The sums of documents."""
        return Sums(self.blocks)

    @cached_property
    def mean(self) -> float:
        """How many different words a document has."""
        postings = sum(len(block.arrays.docs) for block in self.blocks)
        return postings / max(sum(block.documents for block in self.blocks), 1)

    def kept(self, name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is made
        """What others make once for all queries."""
        if name not in self._others:
            self._others[name] = make()
        return self._others[name]

    def exact(self, query: Query, part: int, documents: np.ndarray) -> np.ndarray:
        """The scores of documents of a segment in double precision."""
        with self.places() as room:
            return self.blocks[part].exact(query, documents, room)


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


def top(blocks: Blocks, query: Query, k: int, *, allowed: Allowed | None = None, threads: int = 1) -> Found:
    """The rows and scores of the k best documents, best first; those that share no word are not among them."""
    share = margin(blocks, query)
    terms = partial(Block.terms, query=query, precise=False)
    places, _ = blocks.sums.nearest(terms, k, share=share, allowed=allowed, threads=threads)
    return rescored(blocks, query, k, places, threads=threads)


def margin(blocks: Blocks, query: Query) -> float:
    """The share of the k-th greatest sum below which no sum can belong to one of the k best documents."""
    off = blocks.weighting.blur + (len(query) + 16) * _SINGLE
    return (1.0 - off) / (1.0 + off)


def rescored(blocks: Blocks, query: Query, k: int, places: np.ndarray, *, threads: int) -> Found:
    """The k best of the documents at some places, which are in order, by their scores in double precision."""
    tasks = [
        (part, documents[start : start + _RESCORED])
        for part, documents in blocks.sums.by_segment(places)
        for start in range(0, len(documents), _RESCORED)
    ]
    # Threads are not worth starting for a few.
    number = threads if len(places) > _RESCORED else 1
    exact = side_by_side(lambda task: blocks.exact(query, *task), tasks, number)
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
