"""What a query costs in each way, in nanoseconds of one core: enough to choose the way, not to promise a time."""

from __future__ import annotations

import numpy as np

from foreart.index.query.exact import Blocks
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import ONE_IN

# Measured: a byte of a frequent word, a posting of a list, a document whatever is asked, a posting of a row.
_CELL, _POSTING, _DOCUMENT, _ROW_POSTING = 0.11, 1.2, 1.0, 2.3
_NEARLY = 0.55  # of that, where the score is computed in single precision
_SATURATED = 3.0  # divisions make bytes and lists dearer
# Rows are read only where that is so much cheaper by these numbers, which are not the same on every machine.
SURELY = 0.75
# A query that takes less is better left to one thread: on a busy machine another may not come in time.
_ONE_THREAD = 3e6


def term_costs(query: Query, documents: int) -> np.ndarray:
    """What each word costs over all documents."""
    frequent = query.df * ONE_IN > documents
    costs: np.ndarray = np.where(frequent, _CELL * documents, _POSTING * query.df)
    return costs


def sums_cost(blocks: Blocks, query: Query, taken: np.ndarray | None = None) -> float:
    """What the sums of all documents cost, over all words or those that are taken."""
    documents = len(blocks.snapshot)
    times = _SATURATED if blocks.weighting.saturating else 1.0
    costs = term_costs(query, documents)
    return times * float(costs.sum() if taken is None else costs[taken].sum()) + _DOCUMENT * documents


def rows_cost(blocks: Blocks, rows: int, *, exact: bool = True) -> float:
    """What the scores of some documents cost, computed from their rows."""
    return rows * (_DOCUMENT + (1.0 if exact else _NEARLY) * _ROW_POSTING * blocks.mean)


def exact_cost(blocks: Blocks, query: Query, k: int) -> float:
    """What the sums of all documents cost, and the exact scores of the best."""
    return sums_cost(blocks, query) + rows_cost(blocks, min(k, len(blocks.snapshot)))


def threads_for(cost: float, threads: int) -> int:
    """How many threads are of use for so much work."""
    return threads if cost > _ONE_THREAD else 1
