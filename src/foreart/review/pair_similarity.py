"""Cosine and Jaccard similarity of a target with documents, from a word index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foreart.index import Index


def pair_similarity(index: Index, target: str, documents: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Both measures of a target with each document; 0 where either has no words."""
    # Imported late: it loads the compiler.
    from foreart.index.measures.measure_scores import pair_scores

    chosen = index.weighted((target, *documents))
    others = np.arange(1, len(documents) + 1)
    found = pair_scores(chosen, chosen, (np.zeros_like(others), others), measures=("cosine", "jaccard"))
    return found["cosine"], found["jaccard"]
