"""How much of the exact answer the fast one has, measured on documents of the very index that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np

from foreart.index.postings.engine import Engine
from foreart.index.postings.frequent import grid_name
from foreart.index.postings.snapshot import Snapshot
from foreart.index.postings.weighting import Weighting

QUERIES = 50
_K = 100
_SEED = 1


def measured_recall(
    snapshot: Snapshot,
    weighting: Weighting,
    lengths: Sequence[np.ndarray] | None = None,
    *,
    queries: int = QUERIES,
    k: int = _K,
    seed: int = _SEED,
) -> dict[str, Any]:
    """The mean share of the k best documents that two stages find, over some documents taken as queries."""
    engine = Engine(snapshot, weighting, lengths, grids=snapshot.grids.get(grid_name(weighting)))
    rows = sorted(Random(seed).sample(range(len(snapshot)), min(queries, len(snapshot))))  # noqa: S311 no secret
    shares = [share for row in rows if (share := _share(engine, row, k)) is not None]
    return {
        f"recall@{k}": float(np.mean(shares)) if shares else 1.0,
        "least": float(np.min(shares)) if shares else 1.0,
        "queries": len(shares),
        **(asdict(engine.fast) if engine.fast is not None else {}),
    }


def _share(engine: Engine, row: int, k: int) -> float | None:
    """What the fast way finds for a document; None if the document has nothing in common with any."""
    part, document = engine.snapshot.place(row)
    segment = engine.snapshot.segments[part]
    terms, counts = segment.row(document)
    words = {segment.terms[term]: count for term, count in zip(terms.tolist(), counts.tolist(), strict=True)}
    query = engine.query(words)
    wanted, found = (set(engine.top(query, k, exact=exact)[0].tolist()) for exact in (True, False))
    return len(wanted & found) / len(wanted) if wanted else None
