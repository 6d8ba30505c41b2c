"""Siblings: documents with nearly the same citations, usually of the same people. A draft on a new subject has none."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from foreart.search.ranking.near.citation_graph import CitationGraph

# A list of fewer relevant documents overlaps with others by chance.
MIN_RELEVANT = 3
# Lists with at least this Jaccard similarity are of siblings.
SIMILAR = 0.4


class Siblings:
    """The documents of a corpus, grouped by similar lists of relevant citations: siblings of siblings are siblings.

    Rows of `without` can be siblings, but make no siblings of two others.
    """

    def __init__(self, graph: CitationGraph, *, without: np.ndarray | None = None) -> None:
        self._view, self._lists = graph.view, graph.relevant
        self._lengths = np.diff(self._lists.indptr)
        self._without = np.zeros(len(self._lengths), dtype=bool)
        if without is not None:
            self._without[without] = True

    @cached_property
    def _similar(self) -> csr_array:
        """Which documents have similar lists that are not too short."""
        long = np.flatnonzero(self._lengths >= MIN_RELEVANT)
        lists = self._lists[long]
        common = (lists @ lists.T).tocoo()
        lengths = self._lengths[long]
        near = common.data >= SIMILAR * (lengths[common.row] + lengths[common.col] - common.data)
        edges = long[common.row[near]], long[common.col[near]]
        return csr_array((np.ones(len(edges[0]), np.float32), edges), shape=(len(self._lengths),) * 2)

    @cached_property
    def _groups(self) -> np.ndarray:
        """The group of each document; documents whose list is too short are alone, as are those of `without`."""
        similar = self._similar.tocoo()
        linking = ~(self._without[similar.row] | self._without[similar.col])
        edges = similar.data[linking], (similar.row[linking], similar.col[linking])
        _, groups = connected_components(coo_array(edges, shape=similar.shape))
        found: np.ndarray = groups
        return found

    def of(self, relevant: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The siblings of a query with these relevant documents, and their families; never rows of its `own` family."""
        if len(relevant) < MIN_RELEVANT:
            return np.empty(0, dtype=np.int64)
        wanted = np.zeros(len(self._lengths), dtype=np.float32)
        wanted[relevant] = 1.0
        common = self._lists @ wanted
        near = (common > 0) & (common >= SIMILAR * (self._lengths + len(relevant) - common))
        near &= self._lengths >= MIN_RELEVANT
        grouped = np.isin(self._groups, np.unique(self._groups[near]))
        if self._without.any():
            grouped |= self._without & (self._similar @ (grouped & ~self._without).astype(np.float32) > 0)
        return np.setdiff1d(self._view.members(np.setdiff1d(np.flatnonzero(grouped), own)), own)
