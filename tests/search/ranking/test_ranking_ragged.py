"""Lists of different lengths against lists of Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foreart.search.ranking import Ragged
from foreart.search.ranking.ragged import hashed, numbered, overlap

ROWS = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=5).map(sorted), max_size=6)


def ragged(rows: list[list[int]]) -> Ragged:
    return Ragged.of(np.array(row, dtype=np.uint64) for row in rows)


@given(ROWS, st.lists(st.integers(0, 9), unique=True))
def test_as_lists_of_python(rows: list[list[int]], wanted: list[int]) -> None:
    made = ragged(rows)
    assert [made.row(place).tolist() for place in range(len(rows))] == rows
    table = made.incidence(10).toarray() if rows else np.zeros((0, 10))
    assert [np.flatnonzero(line).tolist() for line in table] == rows
    counts = overlap(made, np.array(wanted, dtype=np.uint64)).tolist()
    assert counts == [len(set(row) & set(wanted)) for row in rows]


@given(ROWS, ROWS)
def test_numbering_keeps_what_stands_where(first: list[list[int]], second: list[list[int]]) -> None:
    known, (one, other) = numbered([ragged(first), ragged(second)])
    assert known.tolist() == sorted({value for row in (*first, *second) for value in row})
    assert [known[one.row(place)].tolist() for place in range(len(first))] == first
    assert [known[other.row(place)].tolist() for place in range(len(second))] == second


def test_names_are_hashed_alike_everywhere() -> None:
    assert hashed(["US7585299"]).tolist() == [6794273677025462385]
    assert hashed(["b", "a", "b"]).tolist() == sorted({*hashed(["a"]).tolist(), *hashed(["b"]).tolist()})
    assert len(hashed(["\ud800", "é", ""])) == 3
    assert hashed([]).dtype == np.uint64
