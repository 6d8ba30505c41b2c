"""How much of the exact answer the fast one has, measured on documents of the very index that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np

from foreart.index.query.batch import many
from foreart.index.query.engine import Engine
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting

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
    wanted, found = (
        [set(best.tolist()) for best, _ in many(engine, (_words(snapshot, row) for row in rows), k, exact=exact)]
        for exact in (True, False)
    )
    # A document that has nothing in common with any has nothing to find.
    shares = [len(here & there) / len(here) for here, there in zip(wanted, found, strict=True) if here]
    return {
        f"recall@{k}": float(np.mean(shares)) if shares else 1.0,
        "least": float(np.min(shares)) if shares else 1.0,
        "queries": len(shares),
        **(asdict(engine.fast) if engine.fast is not None else {}),
    }


def _words(snapshot: Snapshot, row: int) -> dict[str, int]:
    part, document = snapshot.place(row)
    segment = snapshot.segments[part]
    terms, counts = segment.row(document)
    return {segment.terms[term]: count for term, count in zip(terms.tolist(), counts.tolist(), strict=True)}
