"""The recall of two-stage search, measured with documents of the index as queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np

from foreart.index.query.engine import Engine
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import cores, parallel_map

QUERIES = 50
_K = 100
_SEED = 1


def recall_key(weighting: Weighting) -> str:
    """The key of the measured recall of a weighting."""
    return weighting.lengths_key or weighting.kind


def still_holds(measured: int, documents: int) -> bool:
    """Whether a recall measured with so many documents is kept: until their number has changed by a tenth.

    An update then costs what is new, and not searches of the whole corpus.
    """
    return 0.9 * documents <= measured <= documents / 0.9


def measured_recall(
    snapshot: Snapshot,
    weighting: Weighting,
    lengths: Sequence[np.ndarray] | None = None,
    *,
    queries: int = QUERIES,
    k: int = _K,
    seed: int = _SEED,
) -> dict[str, Any]:
    """The mean and minimum recall@k of two-stage search."""
    engine = Engine(snapshot, weighting, lengths, grids=snapshot.grids.get(grid_name(weighting)))
    engine.prepare()
    rows = sorted(Random(seed).sample(range(len(snapshot)), min(queries, len(snapshot))))  # noqa: S311 no secret

    def share(row: int) -> float | None:
        query = engine.query(_words(snapshot, row))
        exact, found = (set(engine.top(query, k, exact=exact, threads=1)[0].tolist()) for exact in (True, False))
        return len(exact & found) / len(exact) if exact else None

    # A document that shares no word with any other is no query.
    shares = [each for each in parallel_map(share, rows, cores()) if each is not None]
    return {
        f"recall@{k}": float(np.mean(shares)) if shares else 1.0,
        "least": float(np.min(shares)) if shares else 1.0,
        "queries": len(shares),
        "documents": len(snapshot),
        **(asdict(engine.stages) if engine.stages is not None else {}),
    }


def _words(snapshot: Snapshot, row: int) -> dict[str, int]:
    part, document = snapshot.locate(row)
    segment = snapshot.segments[part]
    terms, counts = segment.row(document)
    return {segment.terms[term]: count for term, count in zip(terms.tolist(), counts.tolist(), strict=True)}
