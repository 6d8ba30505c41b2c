"""Exact search: sums of all documents in single precision, then exact scores of all that may be among the best.

The relative error of a sum of n positive numbers in single precision is below (n + 1) · 2⁻²⁴, and that of levels of
log-tf below their `level_error`. All documents whose sum is within twice that of the k-th largest are rescored in
double precision: ranking and scores are those of double precision, ties in order of id.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.best_first import best_first
from foreart.index.scoring.blocks import Block, Span
from foreart.index.scoring.query_terms import Query
from foreart.index.scoring.sums import Sums, spans
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import parallel_map, pooled

# Candidates of a segment per task.
_RESCORED = 256
_SINGLE = 2.0**-24

# Rows and scores.
Ranked = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Blocks:
    """All segments of a snapshot, prepared for one weighting."""

    snapshot: Snapshot
    weighting: Weighting
    blocks: tuple[Block, ...]
    _buffers: dict[str, list[Any]] = field(default_factory=dict)
    _cache: dict[str, Any] = field(default_factory=dict)

    def prepare(self, threads: int) -> None:
        """Computes what all queries need, before the first one."""
        parallel_map(Block.prepare, self.blocks, threads)

    @cached_property
    def _terms(self) -> int:
        """The largest number of terms of a segment."""
        return max((len(block.arrays.starts) - 1 for block in self.blocks), default=0)

    def buffer(self, name: str, make: Callable[[], Any]) -> AbstractContextManager[Any]:
        """A reusable work buffer, by name."""
        return pooled(self._buffers.setdefault(name, []), make)

    def term_buffer(self) -> AbstractContextManager[np.ndarray]:
        """A buffer for the position of each term in a query, from 1; all 0 before and after use."""
        return self.buffer("terms", lambda: np.zeros(self._terms, dtype=np.uint32))

    @cached_property
    def sums(self) -> Sums:
        """Computes the sums of documents."""
        return Sums(self.blocks)

    @cached_property
    def mean_postings(self) -> float:
        """The mean number of distinct words of a document."""
        postings = sum(len(block.arrays.docs) for block in self.blocks)
        return postings / max(sum(block.documents for block in self.blocks), 1)

    def cached(self, name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - any value
        """A value computed once for all queries, by name."""
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def exact(self, query: Query, part: int, documents: np.ndarray) -> np.ndarray:
        """The scores of documents of a segment in double precision."""
        with self.term_buffer() as buffer:
            return self.blocks[part].exact(query, documents, buffer)


def scores(blocks: Blocks, query: Query, *, threads: int) -> np.ndarray:
    """The score of every row, to about six digits; 0 if no word is shared."""
    found = np.zeros(len(blocks.snapshot))

    def take(task: tuple[Block, Span]) -> None:
        block, span = task
        sums = np.zeros(span[1] - span[0], dtype=np.float32)
        block.add(block.terms(query, precise=True), span, sums)
        sums *= block.scale[span[0] : span[1]]
        documents = np.arange(*span) if block.alive is None else span[0] + np.flatnonzero(block.alive[slice(*span)])
        found[block.rows_of(documents)] = sums[documents - span[0]]

    parallel_map(take, spans(blocks.blocks, threads), threads)
    return found


def top(blocks: Blocks, query: Query, k: int, *, allowed: Allowed | None = None, threads: int = 1) -> Ranked:
    """The rows and scores of the k best documents that share a word, best first."""
    share = margin(blocks, query)
    terms = partial(Block.terms, query=query, precise=False)
    positions, _ = blocks.sums.nearest(terms, k, share=share, allowed=allowed, threads=threads)
    return rescored(blocks, query, k, positions, threads=threads)


def margin(blocks: Blocks, query: Query) -> float:
    """A sum below this share of the k-th largest cannot belong to one of the k best documents."""
    error = blocks.weighting.level_error + (len(query) + 16) * _SINGLE
    return (1.0 - error) / (1.0 + error)


def rescored(blocks: Blocks, query: Query, k: int, positions: np.ndarray, *, threads: int) -> Ranked:
    """The k best of the documents at ascending positions, by their scores in double precision."""
    tasks = [
        (part, documents[start : start + _RESCORED])
        for part, documents in blocks.sums.by_segment(positions)
        for start in range(0, len(documents), _RESCORED)
    ]
    # A few candidates are rescored without threads.
    number = threads if len(positions) > _RESCORED else 1
    exact = parallel_map(lambda task: blocks.exact(query, *task), tasks, number)
    rows = [blocks.blocks[part].rows_of(documents) for part, documents in tasks]
    if not tasks:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return ordered(blocks.snapshot, np.concatenate(rows), np.concatenate(exact), k)


def ordered(snapshot: Snapshot, rows: np.ndarray, scores: np.ndarray, k: int) -> Ranked:
    """The k best rows with a score above 0, best first, ties in order of id."""
    order = best_first(rows, scores, snapshot.ids, k)
    return rows[order], scores[order]
