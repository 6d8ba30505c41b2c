"""What a query costs in each way, in nanoseconds of one core: enough to choose the way, not to promise a time."""

from __future__ import annotations

import numpy as np

from foreart.index.postings.exact import Blocks
from foreart.index.postings.frequent import ONE_IN
from foreart.index.postings.query import Query

# Measured: a byte of a frequent word, a posting of a list, a document whatever is asked, a posting of a row.
_CELL, _POSTING, _DOCUMENT, _ROW_POSTING = 0.08, 0.6, 1.0, 2.5
_SATURATED = 3.0  # divisions make bytes and lists dearer
# A query that takes less is better left to one thread: on a busy machine another may not come in time.
_ONE_THREAD = 3e6


def term_costs(query: Query, documents: int) -> np.ndarray:
    """What each word costs over all documents."""
    frequent = query.df * ONE_IN > documents
    costs: np.ndarray = np.where(frequent, _CELL * documents, _POSTING * query.df)
    return costs


def sums_cost(blocks: Blocks, query: Query) -> float:
    """What the sums of all documents cost."""
    documents = len(blocks.snapshot)
    times = _SATURATED if blocks.weighting.saturating else 1.0
    return times * float(term_costs(query, documents).sum()) + _DOCUMENT * documents


def rows_cost(blocks: Blocks, rows: int) -> float:
    """What the scores of some documents cost, computed from their rows."""
    postings = sum(len(block.arrays.docs) for block in blocks.blocks)
    documents = sum(block.documents for block in blocks.blocks)
    return rows * (_DOCUMENT + _ROW_POSTING * postings / max(documents, 1))


def threads_for(cost: float, threads: int) -> int:
    """How many threads are of use for so much work."""
    return threads if cost > _ONE_THREAD else 1
