"""Words that a quarter of a segment's documents have: a byte for each document instead of a list.

Three quarters of what a whole application meets in an index are postings of such words. Bytes in a row are added
several at once and need no document numbers, which makes them an order of magnitude faster than lists, and for words
in more than a third of all documents they are smaller too.
"""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.features.counting.string_arrays import frozen
from foreart.index.storage.segment import SegmentArrays
from foreart.index.storage.weighting import Weighting

# One in so many documents has a frequent word.
ONE_IN = 4
GRIDS = ("frequent_codes", "frequent_levels")


def frequent_terms(arrays: SegmentArrays) -> int:
    """How many terms are frequent: they are the first ones."""
    return common_terms(arrays, ONE_IN)


def common_terms(arrays: SegmentArrays, one_in: int) -> int:
    """How many terms more than one in so many documents have: they are the first ones."""
    documents = len(arrays.row_ends) - 1
    # No more terms than that can be common, for each takes its share of all postings.
    most = min(len(arrays.starts) - 1, len(arrays.docs) * one_in // max(documents, 1) + 1)
    df = np.diff(arrays.starts[: most + 1].astype(np.int64))
    return int(np.searchsorted(-df, -documents / one_in, side="left"))


def frequent_grid(arrays: SegmentArrays, weighting: Weighting) -> np.ndarray:
    """The codes of frequent terms, a row for each term and a column for each document; levels of log-tf in their place.

    It hangs on the segment alone and may be kept with it: one of codes, one of levels.
    """
    terms, documents = frequent_terms(arrays), len(arrays.row_ends) - 1
    grid = np.zeros((terms, documents), dtype=np.uint8)
    table = weighting.levels if weighting.levelled else np.arange(256, dtype=np.uint8)
    _fill(frozen(arrays.starts), frozen(arrays.docs), frozen(arrays.codes), frozen(table), grid)
    return grid


def grids(arrays: SegmentArrays) -> dict[str, np.ndarray]:
    """Both grids by name, to be kept with the segment."""
    return {grid_name(weighting): frequent_grid(arrays, weighting) for weighting in (Weighting(), Weighting(tf="log"))}


def grid_name(weighting: Weighting) -> str:
    """Which grid a weighting reads."""
    return GRIDS[weighting.levelled]


@compiled
def _fill(starts: np.ndarray, docs: np.ndarray, codes: np.ndarray, table: np.ndarray, grid: np.ndarray) -> None:
    for term in range(len(grid)):
        row = grid[term]
        for posting in range(starts[term], starts[term + 1]):
            row[docs[posting]] = table[codes[posting]]
