"""Search with a selective filter: reads the rows of the allowed documents instead of posting lists."""

from __future__ import annotations

import numpy as np

from foreart.index.query.exact import Blocks, Ranked
from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.query_terms import Query
from foreart.parallel import parallel_map

# Documents per task.
_STEP = 256


def scanned(blocks: Blocks, query: Query, allowed: Allowed | None, *, threads: int) -> Ranked:
    """All allowed rows, in order, and their exact scores."""
    tasks = []
    for part, block in enumerate(blocks.blocks):
        documents = block.documents_of(None if allowed is None else allowed.rows)
        tasks += [(part, documents[start : start + _STEP]) for start in range(0, len(documents), _STEP)]
    scores = parallel_map(lambda task: blocks.exact(query, *task), tasks, threads)
    rows = [blocks.blocks[part].rows_of(documents) for part, documents in tasks]
    return np.concatenate([np.empty(0, dtype=np.int64), *rows]), np.concatenate([np.empty(0), *scores])
