"""The order of hits within an index: by score, ties by id."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def best_first(rows: np.ndarray, scores: np.ndarray, ids: Sequence[str], k: int) -> np.ndarray:
    """The places of the k best rows with a score above 0, best first; only the ids of tied rows are read."""
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > 0]
    if len(order) > k:
        order = order[scores[order] >= scores[order[k - 1]]]
    values = scores[order]
    tied = np.flatnonzero(values[1:] == values[:-1])
    if len(tied):
        touched = np.unique(np.concatenate([tied, tied + 1]))
        names = [ids[int(row)] for row in rows[order[touched]]]
        inner = sorted(range(len(touched)), key=lambda index: (-values[touched[index]], names[index]))
        order[touched] = order[touched[inner]]
    best: np.ndarray = order[:k]
    return best
