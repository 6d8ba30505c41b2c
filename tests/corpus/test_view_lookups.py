"""The look-ups of a view: as a dictionary over all documents finds them, by work that does not grow with the corpus."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foreart.corpus.views import ALONE, CorpusView, Ragged, hashed, load_view, write_view
from foreart.corpus.views.lookups import BANDS, RowLookup
from foreart.corpus.views.view_columns import inverted_lists
from foreart.identifiers.numbers import number_key
from foreart.identifiers.parties import folded_name
from foreart.search.law.date_arrays import DateArrays
from foreart.search.ranking import CitationGraph
from hand_views import hand_view

SKETCH = 64


def drawn_view(count: int, seed: int = 1) -> CorpusView:
    """Documents with citations inside and outside, mentions, applicants, classes and families of three."""
    rng = random.Random(seed)
    ids = [f"US{7_000_000 + place // 2}{'AB'[place % 2]}1" for place in range(count)]

    def others(limit: int) -> list[str]:
        inside = [rng.choice(ids) for _ in range(rng.randrange(limit))]
        return [*inside, *(f"US{rng.randrange(1000, 1040)}B2" for _ in range(rng.randrange(3)))]

    return hand_view(
        ids,
        days=[720_000 + rng.randrange(900) for _ in ids],
        families=[ALONE if place % 7 > 2 else place - place % 7 for place in range(count)],
        cited={number: others(6) for number in ids},
        named={number: others(3) for number in ids},
        classes={
            number: [f"A61B {rng.randrange(9)}/{rng.randrange(3)}" for _ in range(rng.randrange(4))] for number in ids
        },
        applicants={number: [f"Firm {rng.randrange(60)}" for _ in range(rng.randrange(3))] for number in ids},
    )


@pytest.fixture(scope="module")
def view() -> CorpusView:
    return drawn_view(300)


def test_rows_of_families_numbers_and_ids_are_those_of_a_dictionary(view: CorpusView) -> None:
    ids = list(view.ids)
    for row, number in enumerate(ids):
        assert view.ids.row(number) == row
        family = [other for other in range(len(ids)) if view.families[other] == view.families[row] != ALONE]
        assert view.members([row]).tolist() == (family or [row])
        assert view.rows_of([number_key(number)]).tolist() == [
            other for other, name in enumerate(ids) if number_key(name) == number_key(number)
        ]


@pytest.mark.parametrize("from_texts", [False, True])
def test_links_both_ways_are_those_of_a_dictionary(view: CorpusView, from_texts: bool) -> None:
    graph = CitationGraph(view, from_texts=from_texts)
    lists = [set(graph.cited.row(row).tolist()) for row in range(len(view))]
    own = view.own.tolist()
    cites = [
        {other for other, number in enumerate(own) if number in listed} - {row} for row, listed in enumerate(lists)
    ]
    for row, cited in enumerate(cites):
        assert graph.links.to.row(row).tolist() == sorted(cited)
        assert graph.links.by.row(row).tolist() == [other for other, found in enumerate(cites) if row in found]
    listed_by = graph.listed_by.toarray()
    for number in range(len(view.numbers)):
        assert np.flatnonzero(listed_by[number]).tolist() == [
            row for row, listed in enumerate(lists) if number in listed
        ]
    assert np.array_equal(graph.cites.toarray().T, graph.cited_by.toarray())
    assert np.array_equal(graph.names.toarray().T, graph.named_by.toarray())


def test_people_are_found_by_hash_as_by_name(view: CorpusView) -> None:
    values = [value.decode() for value in view.applicants.values]
    rows = {
        name: np.flatnonzero(view.applicants.mask(code, code + 1, len(view))).tolist()
        for code, name in enumerate(values)
    }
    assert len(rows) > 50
    for name, expected in rows.items():
        assert expected
        assert view.applicants.rows_with(hashed([folded_name(name)])).tolist() == expected
    wanted = hashed(map(folded_name, (values[0], values[9], "nobody")))
    assert view.applicants.rows_with(wanted).tolist() == sorted({*rows[values[0]], *rows[values[9]]})


def test_classes_of_some_documents_are_those_of_the_whole_table(view: CorpusView) -> None:
    graph = CitationGraph(view)
    rows = np.array([5, 3, 290, 7])
    names, table = graph.class_names, graph.classes_of(np.arange(len(view)))
    assert np.array_equal(graph.classes_of(rows).toarray(), table.toarray()[rows])
    assert np.array_equal(view.lookups.groups.counts, (table.toarray() > 0).sum(axis=0))
    assert len(names) == 9


def test_lists_are_taken_and_inverted_as_by_hand() -> None:
    lists = Ragged.of([np.array(each) for each in ([2, 5], [], [5], [0, 2, 4])], np.int32)
    taken = lists.take(np.array([3, 1, 0]))
    assert [taken.row(row).tolist() for row in range(3)] == [[0, 2, 4], [], [2, 5]]
    inverted = inverted_lists(lists, 6)
    assert [inverted.row(value).tolist() for value in range(6)] == [[3], [], [0, 3], [], [3], [0, 2]]
    lookup = RowLookup.of(np.array([7, 3, 7, 1]))
    assert [lookup.rows_with(np.array(each)).tolist() for each in ([7], [2], [1, 7])] == [[0, 2], [], [3, 0, 2]]


def test_sketches_are_found_as_by_comparing_all(view: CorpusView) -> None:
    """Whichever bytes differ: up to 25 of 64 spoil at most 25 of the 26 bands."""
    rng = np.random.default_rng(1)
    wanted = rng.integers(0, 256, SKETCH, dtype=np.uint8)
    sketches = np.tile(wanted, (400, 1))
    for row in range(len(sketches)):
        changed = (
            rng.permutation(SKETCH)[: rng.integers(0, SKETCH)] if row % 4 else np.arange(0, 2 * (row // 8 % 30), 2)
        )
        sketches[row, changed] += rng.integers(1, 255, len(changed), dtype=np.uint8)
    made = drawn_view(400)
    columns = {name: getattr(made, name) for name in made.__dataclass_fields__ if name not in ("lookups", "sketches")}
    found = CorpusView.of(**columns, sketches=sketches).sketched(wanted.tobytes(), 0.6)
    agreeing = (sketches == wanted).sum(axis=1)
    assert found.tolist() == np.flatnonzero(agreeing >= 39).tolist()
    assert (agreeing == 39).any()
    assert (agreeing[::4] == SKETCH - BANDS + 1).any()
    with pytest.raises(ValueError, match="less than 39"):
        view.sketched(wanted.tobytes(), 0.5)


def opened(folder: Path) -> CorpusView:
    """What a search does before it compares texts, for one draft with these numbers and people."""
    view = load_view(folder)
    DateArrays.of(view)
    graph = CitationGraph(view)
    row = view.ids.row("US7000010A1")
    assert row is not None
    assert view.ids[row] == "US7000010A1"
    view.members([row])
    view.rows_of(["US7000010", "US7000020"])
    view.applicants.rows_with(hashed(["firm 7"]))
    view.sketched(bytes(range(SKETCH)), 0.6)
    for links in (graph.cites, graph.cited_by, graph.named_by, graph.lists, graph.listed_by):
        assert links.shape[0] in (len(view), len(view.numbers))
    graph.classes_of(np.array([row]))
    return view


def lines_run(task: Callable[[], Any]) -> int:
    """How many lines of Python a task runs."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        task()
    finally:
        sys.settrace(before)
    return count


def test_opening_and_looking_up_run_no_python_for_each_document(tmp_path: Path) -> None:
    """Sixteen times the documents: only binary searches are a few steps longer."""
    counts = []
    for size in (500, 8000):
        folder = tmp_path / str(size)
        write_view(drawn_view(size), folder)
        opened(folder)
        counts.append(lines_run(lambda folder=folder: opened(folder)))  # type: ignore[misc]
    steps = 4 * (2 * BANDS + 8)
    assert counts[1] - counts[0] < 8 * steps, counts


def test_what_is_mapped_is_not_copied(tmp_path: Path) -> None:
    write_view(drawn_view(500), tmp_path)
    view = opened(tmp_path)
    graph = CitationGraph(view)
    for made, kept in ((graph.cites, graph.links.to), (graph.cited_by, graph.links.by)):
        assert np.shares_memory(made.indices, kept.values)
        assert np.shares_memory(made.indptr, kept.starts)
        assert made.data.strides == (0,)
    dates = DateArrays.of(view)
    assert np.shares_memory(dates.published_first, view.lookups.days.published_first)
    assert not dates.published_first.flags.writeable
