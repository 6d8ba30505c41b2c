"""All pairs of documents whose cosine is above a threshold: near-duplicates and families.

For unit rows x and y and some words of x, the rest of x having length r, the score of y is below t if its score with
those words alone is below t − r. So each document queries with as few words as necessary, rarest first because their
lists are short, and only documents that pass are scored by all words (after Bayardo, Ma and Srikant 2007, *Scaling up
all pairs similarity search*). Exact: no pair above the threshold is missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from foreart.errors import IndexingError
from foreart.features.counting.string_arrays import frozen
from foreart.index.query.near_kernels import Side, near_some
from foreart.index.scoring.blocks import Block
from foreart.index.scoring.blocks import lengths as lengths_of
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import cores, parallel_map

# Documents per task.
_BATCH = 512


def near_pairs(
    snapshot: Snapshot,
    weighting: Weighting,
    threshold: float,
    *,
    lengths: Sequence[np.ndarray] | None = None,
    threads: int | None = None,
) -> Iterator[tuple[int, int, float]]:
    """Yields two rows and their cosine for each pair with at least `threshold`, in a fixed order.

    The order is segment by segment, the smaller row first.
    """
    if weighting.saturating:
        raise IndexingError("BM25 is not a similarity of two documents: use an index of tfidf")
    if not 0 < threshold <= 1:
        raise IndexingError(f"the threshold is {threshold:g}; it can be above 0, up to 1")
    number = threads or cores()
    known = lengths if lengths is not None else lengths_of(snapshot, weighting, threads=number)
    blocks = [Block(snapshot, part, weighting, length, None) for part, length in enumerate(known)]
    sides = [_side(snapshot, block) for block in blocks]
    for first in range(len(blocks)):
        for second in range(first, len(blocks)):
            numbers = _numbers(snapshot, first, second)
            task = partial(_near, sides[first], sides[second], numbers, first == second, threshold)
            starts = range(0, blocks[first].documents, _BATCH)
            for step in range(0, len(starts), 4 * number):
                for left, right, scores in parallel_map(task, starts[step : step + 4 * number], number):
                    rows, others = blocks[first].rows_of(left), blocks[second].rows_of(right)
                    yield from zip(rows.tolist(), others.tolist(), scores.tolist(), strict=True)


def _side(snapshot: Snapshot, block: Block) -> Side:
    idf = block.weighting.idf_of(snapshot.df[block.part], snapshot.documents)
    alive = np.ones(block.documents, dtype=bool) if block.alive is None else np.asarray(block.alive)
    overflows = np.asarray(block.arrays.great_counts)
    largest = block.weighting.tf_weight(np.array([int(overflows.max())]))[0] if len(overflows) else 0.0
    scale = np.where(alive, 1.0 / block.divisors, 0.0)
    return (*block.lists, *block.rows, *block.overflow_rows, block.table, frozen(idf), frozen(scale), float(largest))


def _numbers(snapshot: Snapshot, first: int, second: int) -> np.ndarray:
    """The number of each term of the first segment in the second, -1 if it is absent."""
    terms = snapshot.segments[first].terms
    if first == second:
        return np.arange(len(terms))
    return snapshot.segments[second].terms.find_letters(terms.letters, terms.ends)


def _near(
    queries: Side, documents: Side, numbers: np.ndarray, same: bool, threshold: float, first: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The near pairs of some documents of a segment with those of another, in order."""
    last = min(first + _BATCH, len(queries[3]) - 1)
    left, right, scores = near_some(queries, documents, numbers, same, threshold, first, last)
    order = np.lexsort((right, left))
    return left[order], right[order], scores[order]
