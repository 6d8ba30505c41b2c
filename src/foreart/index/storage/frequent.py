"""Words in more than a quarter of the documents of a segment: a byte per document instead of a posting list.

Three quarters of the postings that a full application matches are of such words. Dense rows of bytes are added with
vector instructions and need no document numbers, which makes them ten times as fast as lists, and for words in more
than a third of all documents they are smaller too.
"""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.features.counting.string_arrays import frozen
from foreart.index.storage.segment import SegmentArrays
from foreart.index.storage.weighting import Weighting

# A word is frequent if more than one in this many documents has it.
ONE_IN = 4
GRIDS = ("frequent_codes", "frequent_levels")


def frequent_terms(arrays: SegmentArrays) -> int:
    """The number of frequent terms, which are the first ones."""
    return common_terms(arrays, ONE_IN)


def common_terms(arrays: SegmentArrays, one_in: int) -> int:
    """The number of terms that more than one in `one_in` documents have; they are the first ones."""
    documents = len(arrays.row_ends) - 1
    # An upper bound: each common term takes its share of all postings.
    limit = min(len(arrays.starts) - 1, len(arrays.docs) * one_in // max(documents, 1) + 1)
    df = np.diff(arrays.starts[: limit + 1].astype(np.int64))
    return int(np.searchsorted(-df, -documents / one_in, side="left"))


def frequent_grid(arrays: SegmentArrays, weighting: Weighting) -> np.ndarray:
    """The codes of frequent terms, a row per term and a column per document; with log-tf, levels instead of codes.

    Depends on the segment only and may be stored with it: one of codes, one of levels.
    """
    terms, documents = frequent_terms(arrays), len(arrays.row_ends) - 1
    grid = np.zeros((terms, documents), dtype=np.uint8)
    table = weighting.levels if weighting.uses_levels else np.arange(256, dtype=np.uint8)
    _fill(frozen(arrays.starts), frozen(arrays.docs), frozen(arrays.codes), frozen(table), grid)
    return grid


def grids(arrays: SegmentArrays) -> dict[str, np.ndarray]:
    """Both grids by name, to be stored with the segment."""
    return {grid_name(weighting): frequent_grid(arrays, weighting) for weighting in (Weighting(), Weighting(tf="log"))}


def grid_name(weighting: Weighting) -> str:
    """The name of the grid that a weighting reads."""
    return GRIDS[weighting.uses_levels]


@compiled
def _fill(starts: np.ndarray, docs: np.ndarray, codes: np.ndarray, table: np.ndarray, grid: np.ndarray) -> None:
    for term in range(len(grid)):
        row = grid[term]
        for posting in range(starts[term], starts[term + 1]):
            row[docs[posting]] = table[codes[posting]]
