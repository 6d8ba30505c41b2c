"""Estimated cost of a query by each method, in nanoseconds of one core; only to choose the method."""

from __future__ import annotations

import numpy as np

from foreart.index.query.exact import Blocks
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import ONE_IN

# Measured: a byte of a frequent word, a posting of a list, a document for any query, a posting of a row.
_CELL, _POSTING, _DOCUMENT, _ROW_POSTING = 0.11, 1.2, 1.0, 2.3
_SINGLE_PRECISION = 0.55  # relative cost of a row posting in single precision
_SATURATED = 3.0  # relative cost of bytes and lists with the divisions of BM25
# Rows are read only if that is this much cheaper by these estimates, which differ between machines.
SAFETY = 0.75
# A cheaper query runs in one thread: on a busy machine another may start too late.
_ONE_THREAD = 3e6


def term_costs(query: Query, documents: int) -> np.ndarray:
    """The cost of each word over all documents."""
    frequent = query.df * ONE_IN > documents
    costs: np.ndarray = np.where(frequent, _CELL * documents, _POSTING * query.df)
    return costs


def sums_cost(blocks: Blocks, query: Query, taken: np.ndarray | None = None) -> float:
    """The cost of the sums of all documents, over all words or a selection."""
    documents = len(blocks.snapshot)
    factor = _SATURATED if blocks.weighting.saturating else 1.0
    costs = term_costs(query, documents)
    return factor * float(costs.sum() if taken is None else costs[taken].sum()) + _DOCUMENT * documents


def rows_cost(blocks: Blocks, rows: int, *, exact: bool = True) -> float:
    """The cost of the scores of some documents, computed from their rows."""
    return rows * (_DOCUMENT + (1.0 if exact else _SINGLE_PRECISION) * _ROW_POSTING * blocks.mean_postings)


def exact_cost(blocks: Blocks, query: Query, k: int) -> float:
    """The cost of the sums of all documents and the exact scores of the best."""
    return sums_cost(blocks, query) + rows_cost(blocks, min(k, len(blocks.snapshot)))


def threads_for(cost: float, threads: int) -> int:
    """The number of threads to use for this cost."""
    return threads if cost > _ONE_THREAD else 1
