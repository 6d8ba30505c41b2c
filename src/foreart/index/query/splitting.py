"""Splits a query into the words of the first stage and the rest, whose contribution is estimated by a prior.

Works on all segments at once, because there may be many with little work in each.
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
from foreart.index.scoring.sums import PriorTerm


class Segments:
    """The data of segments that queries share; BM25 has no priors."""

    def __init__(self, blocks: Sequence[Block], priors: Sequence[Prior] | None) -> None:
        self.blocks = blocks
        self.gridded = np.array([[len(block.grid)] for block in blocks], dtype=np.int64)
        self.common = np.array([[block.common] for block in blocks], dtype=np.int64)
        self.width = int(self.common.max(initial=0))
        self.priors = priors

    def buffer(self) -> np.ndarray:
        """A buffer for the factors of the remaining words, a row per segment."""
        return np.zeros((len(self.blocks), self.width), dtype=np.float32)

    @cached_property
    def means(self) -> np.ndarray:
        """The mean weights of frequent words divided by their squared length, a row per segment."""
        if self.priors is None:
            return np.zeros((len(self.blocks), 0))
        found = np.zeros((len(self.blocks), int(self.gridded.max(initial=0))))
        for row, prior in zip(found, self.priors, strict=True):
            square = float(prior.mean @ prior.mean)
            row[: len(prior.mean)] = prior.mean / square if square > 0 else 0.0
        return found


class Split:
    """One query; `taken` are the words of the first stage, `buffer` is a zeroed `Segments.buffer`.

    Words that are rare in a segment are always in its first stage, so that the rest are among the first terms of rows.
    """

    def __init__(self, segments: Segments, query: Query, taken: np.ndarray, buffer: np.ndarray) -> None:
        own, factors = query.numbers, query.factors.astype(np.float32)
        self._segments = segments
        in_first = (taken | (own >= segments.common)) & (own >= 0)
        self._sort(own, in_first, factors)
        self._in_first, self._own, self._rest = in_first, own, buffer
        self._expected = np.zeros(len(own), dtype=np.float32)
        _fill_rest(own, in_first, factors, query.weights, segments.means, buffer, self._expected)

    def clear(self) -> None:
        """Zeroes the buffer."""
        _clear(self._own, self._in_first, self._rest)

    def _sort(self, own: np.ndarray, in_first: np.ndarray, factors: np.ndarray) -> None:
        """Sorts the first-stage words of each segment by their numbers there, after the words that it lacks."""
        columns = np.flatnonzero(in_first.any(axis=0))
        numbers = np.where(in_first[:, columns], own[:, columns], -1)
        order = np.argsort(numbers, axis=1)
        self._numbers = np.take_along_axis(numbers, order, axis=1)
        self._factors = factors[columns][order]
        self._firsts = np.count_nonzero(self._numbers < 0, axis=1)
        self._gridded = np.count_nonzero(self._numbers < self._segments.gridded, axis=1) - self._firsts

    def terms(self, block: Block) -> Terms:
        """The words of the first stage in a segment."""
        first = self._firsts[block.part]
        return self._numbers[block.part, first:], self._factors[block.part, first:], int(self._gridded[block.part])

    def prior(self, block: Block) -> PriorTerm:
        """The prior of a segment, and its factor for the remaining words."""
        priors = self._segments.priors
        if priors is None:
            return block.scale, 0.0
        return priors[block.part].products, float(self._expected[block.part])

    def gains(self, part: int, documents: np.ndarray) -> np.ndarray:
        """The difference between the scores of some documents and those expected by the prior."""
        block = self._segments.blocks[part]
        return block.gains(self._rest[part], *self.prior(block), documents)


@compiled
def _fill_rest(
    own: np.ndarray, in_first: np.ndarray, factors: np.ndarray, weights: np.ndarray, means: np.ndarray,
    rest: np.ndarray, expected: np.ndarray,
) -> None:  # fmt: skip
    """Writes the factors of the remaining words to `rest`, and the factor of the prior to `expected`."""
    for part in range(own.shape[0]):
        for word in range(own.shape[1]):
            number = own[part, word]
            if number >= 0 and not in_first[part, word]:
                rest[part, number] = factors[word]
                if number < means.shape[1]:
                    expected[part] += weights[word] * means[part, number]


@compiled
def _clear(own: np.ndarray, in_first: np.ndarray, rest: np.ndarray) -> None:
    for part in range(own.shape[0]):
        for word in range(own.shape[1]):
            if own[part, word] >= 0 and not in_first[part, word]:
                rest[part, own[part, word]] = 0.0
