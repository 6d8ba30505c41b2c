"""Cosine and Jaccard of a target with documents, from the rows of an index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import IndexError_, NotInCorpus
from foreart.index import Index, SparseRows


def likeness(index: Index, target: str, documents: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Both measures of a target with each document; 0 where either has no words."""
    # Here, because it brings the compiler with it.
    from foreart.index.measure_scores import pair_scores

    rows = index.rows
    if not isinstance(rows, SparseRows):
        raise IndexError_(f"the index is of {index.description}; cosine and Jaccard need one of words, such as tfidf")
    chosen = _matrix(rows, [_row(rows, number) for number in (target, *documents)])
    others = np.arange(1, len(documents) + 1)
    found = pair_scores(chosen, chosen, (np.zeros_like(others), others), measures=("cosine", "jaccard"))
    return found["cosine"], found["jaccard"]


def _row(rows: SparseRows, number: str) -> int:
    try:
        return rows.row_of(number)
    except KeyError:
        raise NotInCorpus(f"{number} is not in the index: build it of the corpus the pairs were made of") from None


def _matrix(rows: SparseRows, chosen: Sequence[int]) -> csr_array:
    """Some of the rows, and no more of the index read than they."""
    parts = [slice(int(rows.ends[row]), int(rows.ends[row + 1])) for row in chosen]
    data = np.concatenate([rows.data[part] for part in parts]).astype(np.float64)
    columns = np.concatenate([rows.columns[part] for part in parts])
    ends = np.cumsum([0, *(part.stop - part.start for part in parts)])
    return csr_array((data, columns, ends), shape=(len(chosen), rows.width))
