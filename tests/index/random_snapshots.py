"""Snapshots of random word counts, with the matrices to compare them with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from foreart.features.counting.count_rows import Counts
from foreart.features.counting.string_arrays import joined
from foreart.index.build.coded_rows import coded
from foreart.index.build.inverting import inverted
from foreart.index.storage.segment import Segment, SegmentArrays
from foreart.index.storage.snapshot import Snapshot


@dataclass(frozen=True)
class RandomSnapshot:
    """A snapshot, the counts of its live documents in row order, and their ids."""

    snapshot: Snapshot
    counts: Counts
    ids: list[str]

    def words(self, row: int) -> dict[str, int]:
        matrix = self.counts.rows
        span = slice(matrix.indptr[row], matrix.indptr[row + 1])
        return {self.counts.terms[c]: int(n) for c, n in zip(matrix.indices[span], matrix.data[span], strict=True)}


def segment_arrays(
    ids: Iterable[str], letters: np.ndarray, ends: np.ndarray, rows: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> SegmentArrays:
    """The arrays of a segment from offsets, terms and counts over terms in any order."""
    return inverted(joined(ids), letters, ends, coded(*rows))


def random_counts(seed: int, documents: int, words: int, mean: float = 30.0) -> tuple[list[str], csr_array]:
    """Words by descending frequency, a few in most documents; overflow counts; an empty document; duplicates."""
    rng = np.random.default_rng(seed)
    probability = np.minimum(0.95, mean / np.arange(1, words + 1) ** 0.9 / np.log(words))
    dense = rng.random((documents, words)) < probability
    counts = np.where(dense, rng.geometric(0.4, size=dense.shape), 0)
    overflow = (rng.random(dense.shape) < 0.01) & dense
    counts[overflow] = rng.integers(200, 900, size=int(overflow.sum()))
    if documents > 8:
        counts[3] = 0
        counts[7] = counts[5]
    terms = [f"w{number:04}" for number in rng.permutation(words)]
    order = np.argsort(terms)
    return [terms[column] for column in order], csr_array(counts[:, order])


def random_snapshot(
    seed: int = 0, *, sizes: tuple[int, ...] = (40, 1, 90, 25), words: int = 300, dead: float = 0.1, mean: float = 30.0
) -> RandomSnapshot:
    """Several segments with their own words, and a share of `dead` (deleted) documents."""
    terms, matrix = random_counts(seed, sum(sizes), words, mean)
    rng = np.random.default_rng(seed + 1)
    ids = [f"US{number}" for number in rng.permutation(10 * sum(sizes))[: sum(sizes)]]
    alive = rng.random(sum(sizes)) >= dead
    alive[7] = alive[5] = True
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    segments, masks = [], []
    for start, end in pairwise(bounds.tolist()):
        letters, ends = joined(terms)
        part = matrix[start:end]
        segments.append(Segment(segment_arrays(ids[start:end], letters, ends, (part.indptr, part.indices, part.data))))
        masks.append(None if alive[start:end].all() else alive[start:end])
    live = matrix[np.flatnonzero(alive)]
    df = {
        term: int(number) for term, number in zip(terms, np.bincount(live.indices, minlength=len(terms)), strict=True)
    }
    frequencies = tuple(np.array([df[term] for term in segment.terms], dtype=np.uint32) for segment in segments)
    snapshot = Snapshot(tuple(segments), tuple(masks), frequencies, int(alive.sum()), int(live.sum()))
    return RandomSnapshot(snapshot, Counts(terms, live), [ids[document] for document in np.flatnonzero(alive)])
