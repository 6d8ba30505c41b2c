"""What the frequent words of a query that were not asked would add to a document, guessed by what is usual.

Frequent words add little each and much together, to some documents more than to others. The part of the query that is
left out is taken as a multiple of the mean of all documents, so that one number of each document, its product with that
mean, tells what to expect of it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from foreart.index.scoring.blocks import Block
from foreart.index.storage.snapshot import Snapshot

# Every so many documents are looked at for the mean.
_EVERY = 16


class Prior:
    """Of one segment; made at the first query that asks for it."""

    def __init__(self, block: Block, snapshot: Snapshot) -> None:
        self._block = block
        self._rarity = block.weighting.rarity(snapshot.df[block.part][: len(block.grid)], snapshot.documents)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean weight of each frequent word in some documents."""
        block = self._block
        taken = np.flatnonzero(block.scale > 0)[::_EVERY]
        codes, table = block.grid[:, taken], block.weighting.table.astype(np.float32)
        if block.weighting.levelled:
            table = (np.arange(256) * block.weighting.step).astype(np.float32)
        found: np.ndarray = self._rarity * (table[codes] @ block.scale[taken]) / max(len(taken), 1)
        return found

    @cached_property
    def products(self) -> np.ndarray:
        """The product of the mean with each document, which is not yet divided by its length."""
        block = self._block
        sums = np.zeros(block.documents, dtype=np.float32)
        factors = (self.mean * self._rarity).astype(np.float32)
        block.add((np.arange(len(factors)), factors, len(factors)), (0, block.documents), sums)
        return sums
