"""Siblings: documents with nearly the same relevant citations, and the cold protocol that hides them."""

from __future__ import annotations

import numpy as np

from foreart.search.ranking import CitationGraph, Siblings
from ranking_world import graph

NONE = np.empty(0, np.int64)


def lists() -> dict[str, tuple[str, ...]]:
    """Old documents 0 to 8; 9 and 10 cite nearly the same, 11 overlaps with 10 only, 12 is alone, 13 cites two."""
    old = {f"O{place}": () for place in range(9)}
    return {
        **old,
        "A": ("O0", "O1", "O2", "O3"),
        "B": ("O0", "O1", "O2", "O4"),
        "C": ("O0", "O2", "O4", "O5"),
        "D": ("O6", "O7", "O8"),
        "E": ("O0", "O1"),
    }


def test_relevant_is_what_was_cited_and_earlier_and_not_of_the_family() -> None:
    known = {"A": (), "B": ("D",), "C": (), "D": ("A", "B", "C", "E", "X"), "E": ("A",)}
    made = graph(known, days=[1, 2, 3, 4, 9], families=[-1, -1, 0, 0, -1])
    assert made.relevant.toarray().nonzero()[0].tolist() == [3, 3, 4]
    assert made.relevant.toarray().nonzero()[1].tolist() == [0, 1, 0]


def test_siblings_of_siblings_are_siblings() -> None:
    """A and C share two of six: below .4, but both are near B."""
    made = Siblings(graph(lists()))
    a, b, c, d = 9, 10, 11, 12
    assert made.of(np.array([0, 1, 2, 3]), np.array([a])).tolist() == [b, c]
    assert made.of(np.array([6, 7, 8]), np.array([d])).tolist() == []
    # A query that is not in the corpus has the siblings of the lists that its own overlaps with.
    assert made.of(np.array([6, 7]), NONE).tolist() == [], "two citations are too few"
    assert made.of(np.array([5, 6, 7, 8]), NONE).tolist() == [d]
    assert made.of(np.array([0, 6, 7, 8]), NONE).tolist() == [d], "three of four with D; A to C share one with it"


def test_documents_left_out_make_no_siblings_of_others_but_may_be_siblings() -> None:
    a, b, c = 9, 10, 11
    query = np.array([0, 1, 2, 3])
    assert Siblings(graph(lists()), without=np.array([b])).of(query, np.array([a])).tolist() == [b]
    assert Siblings(graph(lists()), without=np.array([c])).of(query, np.array([a])).tolist() == [b, c], "by B"
    assert Siblings(graph(lists()), without=np.array([b, c])).of(query, np.array([a])).tolist() == [b]


def test_families_of_siblings_are_hidden_and_never_the_own() -> None:
    families = [-1] * 14
    families[10] = families[5] = 5
    made = Siblings(graph(lists(), families=families))
    assert 5 in made.of(np.array([0, 1, 2, 3]), np.array([9])).tolist()
    assert made.of(np.array([0, 1, 2, 3]), np.array([9, 5])).tolist() == [10, 11]


def test_a_corpus_without_citations_has_none() -> None:
    made = Siblings(CitationGraph(graph({"A": (), "B": ()}).view))
    assert made.of(np.array([0, 1]), NONE).tolist() == []
