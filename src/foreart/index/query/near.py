"""All pairs of documents whose cosine is above a threshold: near-duplicates and families.

For rows x and y of length 1 and some words of x, the rest of x having length r, no y scores t or more whose score with
those words alone is below t − r. So a document asks with as few words as it takes, the rarest first, whose lists are
short, and only who passes is scored by all words (after Bayardo, Ma and Srikant 2007, *Scaling up all pairs similarity
search*). Exact: nobody above the threshold is missed.
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
from foreart.parallel import cores, side_by_side

# Documents whose pairs come at once: enough to be worth the start of a thread.
_AT_ONCE = 512


def near_pairs(
    snapshot: Snapshot,
    weighting: Weighting,
    threshold: float,
    *,
    lengths: Sequence[np.ndarray] | None = None,
    threads: int | None = None,
) -> Iterator[tuple[int, int, float]]:
    """Two rows and their cosine, for each pair with `threshold` or more, as soon as it is found, in a fixed order.

    Segment by segment, the lesser row first.
    """
    if weighting.saturating:
        raise IndexingError("BM25 does not tell how alike two documents are: take an index of tfidf")
    if not 0 < threshold <= 1:
        raise IndexingError(f"a threshold of {threshold:g} tells no pairs apart: take one above 0, up to 1")
    number = threads or cores()
    known = lengths if lengths is not None else lengths_of(snapshot, weighting, threads=number)
    blocks = [Block(snapshot, part, weighting, length, None) for part, length in enumerate(known)]
    sides = [_side(snapshot, block) for block in blocks]
    for one in range(len(blocks)):
        for other in range(one, len(blocks)):
            numbers = _numbers(snapshot, one, other)
            task = partial(_near, sides[one], sides[other], numbers, one == other, threshold)
            starts = range(0, blocks[one].documents, _AT_ONCE)
            for step in range(0, len(starts), 4 * number):
                for left, right, scores in side_by_side(task, starts[step : step + 4 * number], number):
                    rows, others = blocks[one].rows_of(left), blocks[other].rows_of(right)
                    yield from zip(rows.tolist(), others.tolist(), scores.tolist(), strict=True)


def _side(snapshot: Snapshot, block: Block) -> Side:
    rarity = block.weighting.rarity(snapshot.df[block.part], snapshot.documents)
    alive = np.ones(block.documents, dtype=bool) if block.alive is None else np.asarray(block.alive)
    great = np.asarray(block.arrays.great_counts)
    most = block.weighting.worth(np.array([int(great.max())]))[0] if len(great) else 0.0
    scale = np.where(alive, 1.0 / block.divisors, 0.0)
    return (*block.lists, *block.rows, *block.great_rows, block.table, frozen(rarity), frozen(scale), float(most))


def _numbers(snapshot: Snapshot, one: int, other: int) -> np.ndarray:
    """The number that each term of one segment has in another, -1 if it has none."""
    terms = snapshot.segments[one].terms
    if one == other:
        return np.arange(len(terms))
    return snapshot.segments[other].terms.find_letters(terms.letters, terms.ends)


def _near(
    one: Side, other: Side, numbers: np.ndarray, same: bool, threshold: float, first: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs of some documents of a segment with those of another, in order."""
    documents = len(one[3]) - 1
    left, right, scores = near_some(one, other, numbers, same, threshold, first, min(first + _AT_ONCE, documents))
    order = np.lexsort((right, left))
    return left[order], right[order], scores[order]
