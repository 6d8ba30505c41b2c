"""A query in two: the words that the first stage asks of each segment, and the rest, of which something is expected.

All segments at once, for there may be many of them and little to do in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from foreart.compiling import compiled
from foreart.index.scoring.blocks import Block
from foreart.index.scoring.kernels import Terms
from foreart.index.scoring.prior import Prior
from foreart.index.scoring.query_terms import Query
from foreart.index.scoring.sums import Usual


class Segments:
    """What is known of segments before any query; BM25 has nothing that is usual."""

    def __init__(self, blocks: Sequence[Block], priors: Sequence[Prior] | None) -> None:
        self.blocks = blocks
        self.gridded = np.array([[len(block.grid)] for block in blocks], dtype=np.int64)
        self.common = np.array([[block.common] for block in blocks], dtype=np.int64)
        self.width = int(self.common.max(initial=0))
        self.priors = priors

    def room(self) -> np.ndarray:
        """For the factors of the words that are left out, a row for each segment."""
        return np.zeros((len(self.blocks), self.width), dtype=np.float32)

    @cached_property
    def means(self) -> np.ndarray:
        """The mean weights of frequent words, a row for each segment, over the square of their length."""
        if self.priors is None:
            return np.zeros((len(self.blocks), 0))
        found = np.zeros((len(self.blocks), int(self.gridded.max(initial=0))))
        for row, prior in zip(found, self.priors, strict=True):
            square = float(prior.mean @ prior.mean)
            row[: len(prior.mean)] = prior.mean / square if square > 0 else 0.0
        return found


class Split:
    """One query, `taken` being the words that are asked of all segments; `room` is that of the segments, all 0.

    Words that are rare in a segment are asked there in any case: so the rest are among the first terms of its rows.
    """

    def __init__(self, segments: Segments, query: Query, taken: np.ndarray, room: np.ndarray) -> None:
        own, factors = query.numbers, query.factors.astype(np.float32)
        self._segments = segments
        asked = (taken | (own >= segments.common)) & (own >= 0)
        self._sort(own, asked, factors)
        self._asked, self._own, self._rest = asked, own, room
        self._expected = np.zeros(len(own), dtype=np.float32)
        _leave(own, asked, factors, query.weights, segments.means, room, self._expected)

    def clear(self) -> None:
        """Leaves the room as it was."""
        _clear(self._own, self._asked, self._rest)

    def _sort(self, own: np.ndarray, asked: np.ndarray, factors: np.ndarray) -> None:
        """The words that are asked of each segment in order of their numbers there, behind those that are not."""
        columns = np.flatnonzero(asked.any(axis=0))
        numbers = np.where(asked[:, columns], own[:, columns], -1)
        order = np.argsort(numbers, axis=1)
        self._numbers = np.take_along_axis(numbers, order, axis=1)
        self._factors = factors[columns][order]
        self._firsts = np.count_nonzero(self._numbers < 0, axis=1)
        self._gridded = np.count_nonzero(self._numbers < self._segments.gridded, axis=1) - self._firsts

    def terms(self, block: Block) -> Terms:
        """The words that the first stage asks of a segment."""
        first = self._firsts[block.part]
        return self._numbers[block.part, first:], self._factors[block.part, first:], int(self._gridded[block.part])

    def usual(self, block: Block) -> Usual:
        """What is usual in a segment, and how many times that is expected of the words that are left out."""
        priors = self._segments.priors
        if priors is None:
            return block.scale, 0.0
        return priors[block.part].products, float(self._expected[block.part])

    def gained(self, part: int, documents: np.ndarray) -> np.ndarray:
        """What the scores of some documents have beyond what was expected."""
        block = self._segments.blocks[part]
        return block.gained(self._rest[part], *self.usual(block), documents)


@compiled
def _leave(
    own: np.ndarray, asked: np.ndarray, factors: np.ndarray, weights: np.ndarray, means: np.ndarray, rest: np.ndarray,
    expected: np.ndarray,
) -> None:  # fmt: skip
    """Puts the factors of the words that are not asked into `rest`, and what is expected of them into `expected`."""
    for part in range(own.shape[0]):
        for word in range(own.shape[1]):
            number = own[part, word]
            if number >= 0 and not asked[part, word]:
                rest[part, number] = factors[word]
                if number < means.shape[1]:
                    expected[part] += weights[word] * means[part, number]


@compiled
def _clear(own: np.ndarray, asked: np.ndarray, rest: np.ndarray) -> None:
    for part in range(own.shape[0]):
        for word in range(own.shape[1]):
            if own[part, word] >= 0 and not asked[part, word]:
                rest[part, own[part, word]] = 0.0
