"""How candidates are related by citations to the documents that were judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from foreart.search.ranking import CitationGraph
from foreart.search.ranking.near.sparse_columns import counted, lengths, linked

# The relations to judged documents: cited together with them, citing the same as they do, citing them or cited by them.
KINDS = ("co-cited", "coupled", "linked")


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """The strengths of all relations among some rows, ascending, kept as factors: nothing is computed for all pairs.

    A document that is known at the date and cites two of the rows adds 1/√(1 + its citations) to their co-citation; a
    number that both cite adds 1/√(1 + known documents citing it) to their coupling. `own` has the relation of each row
    with itself, which never counts.
    """

    rows: np.ndarray
    factors: tuple[csr_array, csr_array]
    links: csr_array
    own: tuple[np.ndarray, np.ndarray]

    def sums(self, weights: np.ndarray) -> tuple[np.ndarray, ...]:
        """For each kind the weighted sum of the relations of every row with the others; one weight for each row."""
        products = (
            factor @ (factor.T @ weights) - own * weights for factor, own in zip(self.factors, self.own, strict=True)
        )
        return (*(np.maximum(product, 0.0) for product in products), self.links @ weights)

    def places(self, rows: np.ndarray) -> np.ndarray:
        """Where some of the rows are."""
        found: np.ndarray = np.searchsorted(self.rows, rows)
        return found


def relations_of(rows: np.ndarray, graph: CitationGraph, known: np.ndarray) -> Relations:
    """The relations among rows, by citations of known documents alone (a mask over all)."""
    together = _together(rows, graph, known)
    coupled = _coupled(rows, graph, known)
    own = tuple(np.asarray(factor.multiply(factor).sum(axis=1)).ravel() for factor in (together, coupled))
    return Relations(rows, (together, coupled), _links(rows, graph, known), (own[0], own[1]))


def _together(rows: np.ndarray, graph: CitationGraph, known: np.ndarray) -> csr_array:
    """Rows by the known documents that cite them."""
    places, citing = linked(graph.cited_by, rows)
    kept = known[citing]
    documents, columns = np.unique(citing[kept], return_inverse=True)
    worth = (1.0 + lengths(graph.lists, documents)) ** -0.25  # twice in a product: the square root
    return csr_array((worth[columns], (places[kept], columns)), shape=(len(rows), max(1, len(documents))))


def _coupled(rows: np.ndarray, graph: CitationGraph, known: np.ndarray) -> csr_array:
    """Rows by the numbers that they cite; what one row alone cites couples nothing."""
    places, cited = linked(graph.lists, rows)
    kept = known[rows[places]]
    numbers, columns, times = np.unique(cited[kept], return_inverse=True, return_counts=True)
    shared = times > 1
    worth = np.zeros(len(numbers))
    worth[shared] = (1.0 + counted(graph.listed_by, numbers[shared], known)) ** -0.25
    kept_places = places[kept]
    used = shared[columns]
    return csr_array(
        (worth[columns[used]], (kept_places[used], columns[used])), shape=(len(rows), max(1, len(numbers)))
    )


def _links(rows: np.ndarray, graph: CitationGraph, known: np.ndarray) -> csr_array:
    """Whether one of two rows cites the other."""
    places, cited = linked(graph.cites, rows)
    ends = np.minimum(np.searchsorted(rows, cited), max(0, len(rows) - 1))
    kept = (rows[ends] == cited) & known[rows[places]] & (ends != places) if len(rows) else np.zeros(0, dtype=bool)
    one = csr_array((np.ones(int(kept.sum())), (places[kept], ends[kept])), shape=(len(rows),) * 2)
    both = (one + one.T).tocsr()
    both.data[:] = 1.0
    return both
