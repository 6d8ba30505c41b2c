"""Who teaches, and who stays on which side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.learning import hubs
from foreart.learning.examples import Examples
from foreart.learning.judging import judged
from foreart.learning.trainer import Neighboured
from foreart.learning.training_queries import (
    FOLDS,
    MAX_LISTED,
    MAX_QUERIES,
    MIN_CITATIONS,
    MIN_LISTED,
    folds,
    groups,
    training_queries,
)
from foreart.search.ranking import DEPTH, CitationGraph, Signals, Weighted, signals
from ranking_world import Town, citing, graph


def field(citing_documents: int, length: int, *, outside: int = 0) -> dict[str, tuple[str, ...]]:
    """Old documents, then such that cite so many of them, and so many of nowhere."""
    old = [f"O{place:04}" for place in range(max(12, length))]
    lists = {
        f"T{place:04}": (
            *(old[(place + step) % len(old)] for step in range(length)),
            *(f"X{place}{n}" for n in range(outside)),
        )
        for place in range(citing_documents)
    }
    return {**dict.fromkeys(old, ()), **lists}


def relevant(made: CitationGraph, row: int) -> np.ndarray:
    """The rows of the documents that a document cites, and that are relevant to it."""
    return made.relevant[[row]].nonzero()[1]


def test_relevant_is_what_was_cited_and_earlier_and_not_of_the_family() -> None:
    lists = {"A": (), "B": ("D",), "C": (), "D": ("A", "B", "C", "E", "X"), "E": ("A",)}
    made = graph(lists, days=[1, 2, 3, 4, 9], families=[-1, -1, 0, 0, -1])
    assert relevant(made, 3).tolist() == [0, 1]
    assert relevant(made, 1).tolist() == [], "D is later"
    assert relevant(made, 4).tolist() == [0]
    assert relevant(made, 0).tolist() == []
    same_day = graph(lists, days=[4, 2, 3, 4, 9])
    assert relevant(same_day, 3).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("citing_documents", "length", "least"), [(20, 6, MIN_CITATIONS), (20, 4, 3), (30, 2, 2), (9, 1, 1), (19, 6, 1)]
)
def test_as_many_citations_as_leave_enough_teachers(citing_documents: int, length: int, least: int) -> None:
    found = training_queries(graph(field(citing_documents, length)))
    assert found.min_citations == least
    assert len(found.ranked) == citing_documents
    assert set(found.ranked) <= set(found.listed)


def test_those_with_longer_lists_than_the_corpus_holds_teach_of_neighbours() -> None:
    lists = {**field(25, 6), **{f"U{place:04}": ("O0001", f"Y{place}", f"Z{place}") for place in range(7)}}
    lists |= {f"V{place:04}": ("O0001", f"W{place}") for place in range(7)}
    lists |= {f"N{place:04}": (f"1{place}", f"2{place}", f"3{place}") for place in range(7)}
    made = graph(lists)
    found = training_queries(made)
    assert [made.view.ids[row][0] for row in found.ranked] == ["T"] * 25
    assert sorted({made.view.ids[row][0] for row in found.listed}) == ["T", "U"]
    assert len(found.listed) == 32
    assert MIN_LISTED == 3


def test_no_more_teach_than_are_needed_the_same_for_a_seed() -> None:
    made = graph(field(MAX_QUERIES + 50, 6))
    one, again, other = training_queries(made), training_queries(made), training_queries(made, seed=1)
    assert len(one.ranked) == MAX_QUERIES
    assert len(one.listed) <= MAX_LISTED
    assert one == again != other
    assert list(one.ranked) == sorted(set(one.ranked))


def test_in_great_corpora_fewer_teach_but_never_less_than_a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    made = graph(field(MAX_QUERIES + 88, 6))
    for great, part in ((len(made), 1.0), (len(made) // 2, 0.5), (10, 0.25)):
        monkeypatch.setattr("foreart.learning.training_queries._LARGE", great)
        assert len(training_queries(made).ranked) == MAX_QUERIES * part


def test_those_left_out_do_not_teach_nor_do_their_families() -> None:
    plain = field(30, 6)
    called = {name: f"US{7_000_000 + place}B2" for place, name in enumerate(plain)}
    lists = {called[name]: tuple(called[item] for item in cited) for name, cited in plain.items()}
    families = [-1] * len(lists)
    families[20] = families[30] = 0
    made = graph(lists, families=families)
    everybody = training_queries(made)
    left = training_queries(made, without=["US7000015A1", "US 7,000,020 B1", "US7000099B2", ""])
    assert set(everybody.listed) - set(left.listed) == {15, 20, 30}
    assert set(everybody.ranked) - set(left.ranked) == {15, 20, 30}


def test_lists_that_overlap_stay_together_also_over_a_third() -> None:
    lists = {
        "A": ("1", "2", "3", "4", "5"),
        "B": ("3", "4", "5", "6", "7"),  # three of seven are in A too
        "C": ("5", "6", "7", "8", "9"),  # one of nine is in A too
        "D": ("x", "y"),
        "E": ("a",),
        "F": ("b", *(f"n{place}" for place in range(30))),
        "G": ("b", *(f"m{place}" for place in range(30))),  # too little of F
    }
    made = graph(lists)
    assert sorted(groups(range(7), made)) == [[0, 1, 2], [3], [4], [5], [6]]
    assert sorted(groups(range(7), made, similar=0.5)) == [[place] for place in range(7)]
    assert folds(range(7), made) == ((0, 1, 2), (3, 5), (4, 6))


def test_lists_that_overlap_in_what_the_corpus_has_stay_together() -> None:
    """Most of what A, B and C cite is outside; of what can be found, A and B cite the same."""
    lists: dict[str, tuple[str, ...]] = dict.fromkeys(("O1", "O2", "O3", "O4"), ())
    lists |= {
        name: (*inside, *(f"{name}{place}" for place in range(20)))
        for name, inside in (("A", ("O1", "O2")), ("B", ("O1", "O2")), ("C", ("O2", "O3", "O4")))
    }
    assert sorted(groups((4, 5, 6), graph(lists))) == [[4, 5], [6]]
    later = graph(lists, days=[9, 9, 9, 9, 1, 2, 3])
    assert sorted(groups((4, 5, 6), later)) == [[4], [5], [6]], "what is later is not to be found"


def test_families_stay_together_whatever_they_cite() -> None:
    made = graph({name: (f"{name}1",) for name in "ABCDEF"}, families=[0, -1, 1, 0, -1, 1])
    assert sorted(groups(range(6), made)) == [[0, 3], [1], [2, 5], [4]]


def test_in_a_narrow_field_only_the_likest_lists_stay_together() -> None:
    """Everybody shares something with everybody: with one side of all, nobody could be judged."""
    lists = {f"N{place}": ("c", "d", "e", *(f"{place // 2}{step}" for step in range(2))) for place in range(12)}
    made = graph(lists)
    assert len(groups(range(12), made)) == 1
    found = folds(range(12), made)
    assert len(found) == FOLDS
    assert sorted(row for part in found for row in part) == list(range(12))
    for part in found:
        assert {row // 2 for row in part} & {row // 2 for other in found if other != part for row in other} == set()
    same = graph({f"N{place}": ("c", "d") for place in range(9)}, families=[0, 0, *[-1] * 7])
    assert sorted(map(len, folds(range(9), same))) == [3, 3, 3]
    assert any({0, 1} <= set(part) for part in folds(range(9), same))


def test_one_family_makes_one_fold() -> None:
    assert folds(range(4), graph({name: ("x",) for name in "ABCD"}, families=[0] * 4)) == ((0, 1, 2, 3),)
    assert folds((), graph({"A": ()})) == ()


def test_others_go_with_their_family_else_with_the_likest_list() -> None:
    lists = {"A": ("1", "2"), "B": ("3", "4"), "C": ("5", "6"), "D": ("3", "4"), "E": ("1", "9"), "F": ("z",)}
    made = graph(lists, families=[-1, -1, 7, 7, -1, -1])
    found = folds((0, 1, 2), made, others=(3, 4, 5))
    side = {row: place for place, part in enumerate(found) for row in part}
    assert side[3] == side[2], "of the family of C, though it cites what B cites"
    assert side[4] == side[0]
    assert sorted(side) == list(range(6))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=5, unique=True), min_size=4, max_size=14), st.data())
def test_everybody_is_in_one_fold_and_those_who_overlap_in_the_same(
    lists: list[list[int]], data: st.DataObject
) -> None:
    made = graph({f"N{place}": tuple(map(str, numbers)) for place, numbers in enumerate(lists)})
    rows = data.draw(st.lists(st.sampled_from(range(len(lists))), unique=True, min_size=2))
    others = sorted(set(range(len(lists))) - set(rows))
    found = folds(rows, made, others=others)
    assert sorted(row for part in found for row in part) == list(range(len(lists)))
    side = {row: place for place, part in enumerate(found) for row in part}
    together = groups(rows, made)
    if max(map(len, together)) <= len(rows) / 2:
        for group in together:
            assert len({side[row] for row in group}) == 1
    assert found == folds(rows, made, others=others)


def test_a_lesson_hides_what_came_later_and_the_family(by_lot: Town) -> None:
    examples = Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph)
    example = examples[30]
    assert np.flatnonzero(example.query.known).tolist() == list(range(30))
    assert example.relevant.tolist() == sorted(
        by_lot.ids.index(citation.id) for citation in by_lot.patents[30].citations
    )
    again = examples[30]
    assert again.query.forms.texts == {}, "scores are kept, texts are not"
    assert again.query.texts["words"].text._terms == {}, "nor are tokens"
    for name, values in example.query.listed.texts.items():
        assert again.query.listed.texts[name].tolist() == values.tolist()


def test_lessons_beyond_the_room_in_memory_say_the_same(by_lot: Town) -> None:
    roomy, narrow = (Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph) for _ in range(2))
    narrow._cache_left = 0
    for row in (20, 30, 20):
        one, other = (
            signals(by_lot.inputs.neighbourhood(example.query, depth=DEPTH), np.arange(len(by_lot.ids)))
            for example in (roomy[row], narrow[row])
        )
        assert all(one.columns[name].tobytes() == other.columns[name].tobytes() for name in one.columns)
    assert not narrow._texts


def test_labels_may_be_of_another_state(by_lot: Town) -> None:
    _, labels = by_lot.changed({30: citing(by_lot.patents[30], [2, 7])})
    example = Examples(by_lot.corpus, by_lot.inputs, labels.graph)[30]
    assert example.relevant.tolist() == [2, 7]


def test_hubs_are_near_many_later_drafts(by_lot: Town) -> None:
    """Near is one in ten of the known documents, which are as many as the row says."""
    examples = Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph)
    rows = (20, 30, 40)
    found = hubs.hubs_of(examples, rows)
    words = {row: examples[row].query.listed.texts["words"] for row in rows}
    nearest = {row: np.argsort(-words[row], kind="stable")[: row // 10].tolist() for row in rows}
    shares = [
        np.mean([place in nearest[row] for row in rows if row > place]) if place < 40 else 0.0 for place in range(48)
    ]
    mean = np.mean(shares[:40])
    assert found.mean == pytest.approx(mean)
    assert found.at(np.arange(48)) == pytest.approx([share if share > mean else mean for share in shares])
    told = hubs.hub_values(found, by_lot.ids)
    assert told == {by_lot.ids[place]: pytest.approx(share) for place, share in enumerate(shares) if share > mean}


def test_a_lesson_is_judged_by_hand(by_lot: Town) -> None:
    example = Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph)[30]
    scores = np.zeros(30)
    scores[example.relevant[:2]] = [5.0, 3.0]
    other = next(row for row in range(30) if row not in example.relevant)
    scores[other] = 4.0
    near = by_lot.inputs.neighbourhood(example.query, depth=DEPTH)
    candidates = Signals(np.arange(30), {"made": scores / 2}, {"made": "words"})
    found = judged(Neighboured(example, near), candidates, Weighted({"made": 2.0}))
    rest = [place for place in range(30) if place not in {*example.relevant[:2].tolist(), other}]
    places = [1, 3, *(4 + rest.index(row) for row in example.relevant[2:].tolist())]
    precision = np.mean([hit / place for hit, place in enumerate(sorted(places), start=1)])
    assert found.metrics["map"] == pytest.approx(precision)
    assert found.metrics["recall@100"] == 1.0
    assert found.scores[:4].tolist() == [5.0, 4.0, 3.0, 0.0]
    assert found.cited[:3].tolist() == [True, False, True]
    assert len(found.scores) == 30
    assert (found.relevant, found.siblings) == (len(example.relevant), False)
    assert found.share == near.share.largest > 0
