"""Candidates: the documents that all channels compare in full, chosen by the best of each channel."""

from __future__ import annotations

import numpy as np

from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.draft_query import DraftQuery, TextSource
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.neighbours import CANDIDATES
from foreart.search.ranking.near.sparse_columns import SparseColumn
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.ranking.text_channels import LEARNED_CHANNELS

# How many documents each text channel gives.
DEPTH = 1000
# In place of a depth: all documents are compared.
EXACT = 0
# How many documents each signal of citations, people and numbers adds.
_JOINED = 500
# Documents outside of what is known, such as later ones, are found by these channels alone, this many by each.
_OUTSIDE, _LATER = ("words", "topics"), 100


def draft_query(
    texts: TextSource, forms: QueryForms, graph: CitationGraph, known: np.ndarray, day: int, *, depth: int = DEPTH
) -> DraftQuery:
    """A draft as a query among known documents, with the nearest of these by each text channel."""
    return DraftQuery(texts, forms, graph, known, day, nearest_known(texts, graph, known, depth))


def nearest_known(texts: TextSource, graph: CitationGraph, known: np.ndarray, depth: int) -> np.ndarray:
    """The nearest known documents by any text channel, with enough of them that cite something."""
    if _are_all(known, depth):
        return np.flatnonzero(known)
    rows = texts.nearest(depth, known)
    if np.count_nonzero(graph.citing[rows]) < CANDIDATES:
        rows = np.union1d(rows, texts.nearest(CANDIDATES, known & graph.citing, _OUTSIDE))
    return rows


def candidate_rows(near: Neighbourhood, allowed: np.ndarray, *, depth: int = DEPTH, k: int = 0) -> np.ndarray:
    """The allowed documents that may be among the k best, ascending: the best of each text channel and of each signal.

    They are all allowed documents if these are few, or with the depth `EXACT`.
    """
    query = near.query
    deepest = depth if depth == EXACT else max(depth, k)
    if _are_all(allowed, deepest):
        return np.flatnonzero(allowed)
    inside, outside = allowed & query.known, allowed & ~query.known
    columns = (*near.signals.values(), query.named, query.shared_numbers)
    parts = [column.best(_JOINED, inside) for column in columns]
    parts += [_of_people(query, column, inside) for column in query.people.values()]
    if inside.any():
        listed = deepest <= near.depth and np.array_equal(inside, query.known)
        parts.append(near.rows if listed else near.nearest(deepest, inside))
    if outside.any():
        parts.append(query.texts.nearest(max(k, _LATER), outside, _OUTSIDE))
    joined: np.ndarray = np.unique(np.concatenate(parts))
    return joined


def _are_all(mask: np.ndarray, depth: int) -> bool:
    """Whether all documents of a mask are compared."""
    return depth == EXACT or int(np.count_nonzero(mask)) <= depth


def _of_people(query: DraftQuery, column: SparseColumn, allowed: np.ndarray) -> np.ndarray:
    """The documents of the same people; if these have many, the most similar by topics."""
    rows = column.only(allowed).rows
    if len(rows) <= _JOINED:
        return rows
    for channel, vector in query.texts.vectors().items():
        if channel in LEARNED_CHANNELS.values():
            products = query.texts.products({channel: vector}, rows)[channel]
            return rows[np.argsort(-products, kind="stable")[:_JOINED]]
    return rows[:0]
