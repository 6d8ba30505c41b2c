"""Documents that a filter lets through: where they are few, their rows are read instead of the lists of all."""

from __future__ import annotations

import numpy as np

from foreart.index.query.exact import Blocks, Found
from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.query_terms import Query
from foreart.parallel import side_by_side

# Documents that one thread takes in one go.
_STEP = 256


def scanned(blocks: Blocks, query: Query, allowed: Allowed | None, *, threads: int) -> Found:
    """All rows that are allowed, in order, and their exact scores."""
    tasks = []
    for part, block in enumerate(blocks.blocks):
        documents = block.documents_of(None if allowed is None else allowed.rows)
        tasks += [(part, documents[start : start + _STEP]) for start in range(0, len(documents), _STEP)]
    scores = side_by_side(lambda task: blocks.exact(query, *task), tasks, threads)
    rows = [blocks.blocks[part].rows_of(documents) for part, documents in tasks]
    return np.concatenate([np.empty(0, dtype=np.int64), *rows]), np.concatenate([np.empty(0), *scores])
