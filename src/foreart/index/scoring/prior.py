"""Estimates what frequent words of a query that the first stage leaves out add to a document.

Frequent words add little each and much together, to some documents more than to others. The remaining part of the query
is approximated by a multiple of the mean document, so that one value per document, its product with that mean, gives
the estimate.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from foreart.index.scoring.blocks import Block
from foreart.index.storage.snapshot import Snapshot

# Every n-th document is used for the mean.
_EVERY = 16


class Prior:
    """The prior of one segment, computed on first use."""

    def __init__(self, block: Block, snapshot: Snapshot) -> None:
        self._block = block
        self._idf = block.weighting.idf_of(snapshot.df[block.part][: len(block.grid)], snapshot.documents)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean weight of each frequent word in a sample of documents."""
        block = self._block
        sample = np.flatnonzero(block.scale > 0)[::_EVERY]
        codes, table = block.grid[:, sample], block.weighting.table.astype(np.float32)
        if block.weighting.uses_levels:
            table = (np.arange(256) * block.weighting.step).astype(np.float32)
        mean: np.ndarray = self._idf * (table[codes] @ block.scale[sample]) / max(len(sample), 1)
        return mean

    @cached_property
    def products(self) -> np.ndarray:
        """The product of the mean with each document, not divided by its length."""
        block = self._block
        sums = np.zeros(block.documents, dtype=np.float32)
        factors = (self.mean * self._idf).astype(np.float32)
        block.add((np.arange(len(factors)), factors, len(factors)), (0, block.documents), sums)
        return sums
