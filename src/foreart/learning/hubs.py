"""Hubs: documents that are near many drafts, whatever their subject (Radovanović, Nanopoulos and Ivanović 2010)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foreart.learning.examples import Examples
from foreart.search.ranking import HUB_PLACES, Hubs, SparseColumn

# Documents that keep their own value; the others get the mean.
_KEPT = 2000
# In a small corpus one in this many documents counts as near.
_SHARE = 10


def hubs_of(examples: Examples, rows: Sequence[int]) -> Hubs:
    """The share of the training queries that may know a document of which it is among the nearest by words."""
    nearest = np.zeros(len(examples.inputs.view))
    queries = np.zeros_like(nearest)
    for row in rows:
        query = examples[row].query
        words = query.listed.texts["words"]
        places = min(HUB_PLACES, max(1, len(words) // _SHARE))
        nearest[query.rows[np.argsort(-words, kind="stable")[:places]]] += 1
        queries += query.known
    shares = np.where(queries > 0, nearest / np.maximum(queries, 1), 0.0)
    mean = float(shares[queries > 0].mean()) if (queries > 0).any() else 0.0
    kept = np.sort(np.argsort(-shares, kind="stable")[:_KEPT])
    kept = kept[shares[kept] > mean]
    return Hubs(SparseColumn(kept, shares[kept]), mean)


def hub_values(hubs: Hubs, ids: Sequence[str]) -> dict[str, float]:
    """The strongest hubs, by id, strongest first."""
    rows, values = hubs.strongest.rows, hubs.strongest.values
    return {ids[int(rows[place])]: float(values[place]) for place in np.argsort(-values, kind="stable").tolist()}
