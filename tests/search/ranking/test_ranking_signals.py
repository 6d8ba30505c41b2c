"""What each channel says, by hand, on a graph of six documents of which the last is later than the draft."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foreart.identifiers.date_spans import day
from foreart.search import Dated
from foreart.search.ranking import CHANNELS, CitationGraph, DraftQuery, Logistic, Neighbours, QueryForms, Signals
from foreart.search.ranking.near.draft_query import ORDERED, ages
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.neighbours import (
    CANDIDATES,
    COUPLED,
    citing_rows,
    neighbour_example,
    plain_weights,
    values,
)
from foreart.search.ranking.near.sparse_columns import SparseColumn
from foreart.search.ranking.signals import of_citations, signals
from hand_views import hand_view
from ranking_world import forms, graph, hand_query

CITES = {"A": (), "B": (), "C": ("X", "D"), "D": ("A", "B"), "E": ("A",), "F": ("B", "X", "E")}
CLASSES = {"A": ("k",), "B": ("k",), "C": ("l",), "F": ("k", "l")}
NEAR = [0.1, 0.0, 0.2, 0.4, 0.3, 0.9]
KNOWN = [True, True, True, True, True, False]
# As neighbours: the chance that lists meet, and the share of citations in common.
LIKELY = SparseColumn(np.array([3, 4]), np.array([0.8, 0.4]))
SHARE = SparseColumn(np.array([3, 4]), np.array([0.5, 0.25]))
ALL = np.arange(6)
ASKED = forms(named=["B", "X", "nowhere"], applicants=["Firm C"])
L, S = np.log1p, np.sqrt


@pytest.fixture
def links() -> CitationGraph:
    return graph(CITES, named={"E": ("B",)}, classes=CLASSES)


def found(links: CitationGraph, asked: QueryForms = ASKED) -> tuple[DraftQuery, Signals]:
    query = hand_query(links, NEAR, KNOWN, asked)
    return query, signals(Neighbourhood(query, LIKELY, SHARE), ALL)


def walk() -> np.ndarray:
    """Eight steps along C-D, D-A, D-B and E-A, half of which return; less the half that is at the start."""
    moves = np.zeros((6, 6))
    for one, other in ((2, 3), (3, 0), (3, 1), (4, 0)):
        moves[one, other] = moves[other, one] = 1
    moves /= np.maximum(1, moves.sum(axis=0))
    steps = [np.linalg.matrix_power(moves, number) @ TEXTS / 2**number for number in range(9)]
    return sum(steps[1:8], np.zeros(6)) / 2 + steps[8]


# The fourth powers of what is near and known, relative to their sum.
TEXTS = np.array([1, 0, 16, 256, 81, 0]) / 354
CITED_BY_TEXTS = [337 / 354, 256 / 354, 0, 16 / 354, 0, 0]
EXPECTED = {
    "words": NEAR,
    "words, relative": [0.25, 0.0, 0.5, 1.0, 0.75, 2.25],
    "order": [-L(3), -L(4), -L(2), 0.0, -L(1), -L(ORDERED) - 4],
    "age": [L((10_000 - day) / 365.25) for day in range(1, 7)],
    "named in draft": [0, 1, 0, 0, 0, 0],
    "cited by near, share": [1.5 / 2.5, 1 / 2.5, 0, 0, 0, 0],
    "cited by near, share of nearest": [1.25 / 2.25, 1 / 2.25, 0, 0, 0, 0],
    "cited by near, sum": [L(1.25), L(1), 0, 0, 0, 0],
    "cited by near, share of likely": [1.0625 / 2.0625, 1 / 2.0625, 0, 0, 0, 0],
    "cited by near, evidence": [L(100 * (1 - 0.5 * 0.75)), L(100 * 0.5), 0, 0, 0, 0],
    "cited by near, 10 texts": CITED_BY_TEXTS,
    "cited by near, 50 texts": CITED_BY_TEXTS,
    "cited by near, 200 texts": CITED_BY_TEXTS,
    "cited by nearest": [0.8, 0.8, 0, 0, 0, 0],
    "cited by nearest, relative": [1, 1, 0, 0, 0, 0],
    "cites near": [0, 0, L(1), 0, 0, L(0.0625)],
    "cites near, 50 texts": [0, 0, 256 / 354 / S(2), 1 / 354 / S(3), 1 / 354 / S(2), 81 / 354 / S(3)],
    "citation walk": L(1000 * walk()),
    "cited by same people, applicant": [0, 0, 0, L(1), 0, 0],
    "cited by same people, inventor": [0, 0, 0, 0, 0, 0],
    "co-cited": [0, 0, 0, L(1 / S(2)), 0, 0],
    "coupled": [
        0,
        0,
        0,
        L((1.0625 / S(3) + 1 / S(2)) / S(3)),
        L(1.0625 / S(3) / S(2)),
        L(1 / S(2) / S(4)),
    ],
    "often cited": [L(2), L(1), 0, L(1), 0, 0],
    "named by near": [0, L(0.0625), 0, 0, 0, 0],
    "shared numbers": [0, 0, L(1), L(1), L(1), L(2)],
    "applicant": [0, 0, 1, 0, 0, 0],
    "inventor": [0, 0, 0, 0, 0, 0],
    "hub": [0, 0, 0, 0, 0, 0],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_signal_by_hand(links: CitationGraph, name: str) -> None:
    assert found(links)[1].columns[name] == pytest.approx(EXPECTED[name], rel=1e-6, abs=1e-9)


def test_these_are_all_and_each_is_of_a_channel(links: CitationGraph) -> None:
    made = found(links)[1]
    assert set(made.columns) == {*EXPECTED, "classes"} == set(made.channels)
    assert set(made.channels.values()) <= set(CHANNELS)
    citing = {name for name, channel in made.channels.items() if CHANNELS[channel].citations}
    assert citing == {name for name in made.columns if of_citations(name)}
    assert len(citing) == 18


def test_classes_are_those_of_near_documents_that_are_known(links: CitationGraph) -> None:
    """Three of seven have k, two have l. The later document, which has both, is more than the best of the known."""
    k, m = np.log(7 / 4), np.log(7 / 3)
    both = np.array([k, m]) / np.hypot(k, m)
    profile = np.array([0.1, 0.2])
    raw = np.array([0.1, 0.1, 0.2, 0, 0, both @ profile])
    assert found(links)[1].columns["classes"] == pytest.approx(raw / 0.2, rel=1e-6)
    profile = np.array([2 * 0.2, 0.2])
    raw = np.array([0.4, 0.4, 0.2, 0, 0, both @ profile])
    emphasised = found(links, forms(classes=["k"]))[1]
    assert emphasised.columns["classes"] == pytest.approx(raw / 0.4, rel=1e-6)


def test_without_classes_the_channel_says_nothing() -> None:
    assert found(graph(CITES))[1].columns["classes"].tolist() == [0.0] * 6


@pytest.mark.parametrize("known", [[False] * 6, [True] * 6])
def test_drafts_that_nothing_is_like(links: CitationGraph, known: list[bool]) -> None:
    asked = forms()
    query = hand_query(links, [0.0] * 6, known, asked)
    made = signals(Neighbourhood(query, *plain_weights(query.listed, links)), ALL)
    assert all(np.isfinite(column).all() for column in made.columns.values())
    assert made.columns["cited by near, sum"].tolist() == [0.0] * 6


def test_candidates_are_the_nearest_known_that_cite_something(links: CitationGraph) -> None:
    compared = found(links)[0].listed
    assert citing_rows(compared, links).tolist() == [3, 4, 2]
    likely, share = plain_weights(compared, links)
    assert likely.at(ALL) == pytest.approx([0, 0, 0.5**2 * 1.5, 1, 0.75**2, 0])
    assert share is likely


def test_no_more_candidates_than_are_looked_at() -> None:
    many = graph({f"N{place:03}": ("X",) for place in range(CANDIDATES + 20)})
    near = np.linspace(1, 0.5, CANDIDATES + 20).tolist()
    compared = hand_query(many, near, [True] * len(many), forms()).listed
    assert citing_rows(compared, many).tolist() == list(range(CANDIDATES))


def test_what_is_known_of_candidates(links: CitationGraph) -> None:
    compared = found(links)[0].listed
    names, table = values(compared, citing_rows(compared, links), links)
    columns = dict(zip(names, table.T.tolist(), strict=True))
    assert columns["words"] == pytest.approx([0.4, 0.3, 0.2])
    assert columns["words, relative"] == pytest.approx([1, 0.75, 0.5])
    assert columns["order"] == pytest.approx([0, -L(1), -L(2)])
    assert columns["applicant"] == [0, 0, 1]
    assert columns["list length"] == pytest.approx([L(2), L(1), L(2)])
    assert columns["youth"] == pytest.approx([-L((10_000 - day) / 365.25) for day in (4, 5, 3)])
    assert columns["shared numbers"] == pytest.approx([L(1), L(1), L(1)])
    assert columns["named"] == [0, 0, 0]


def test_documents_without_a_date_are_of_a_median_age() -> None:
    dates = [Dated(priority="2001-01-01"), Dated(), Dated(priority="2003-01-01"), Dated(priority="2002-01-01")]
    dated = CitationGraph(hand_view(("A", "B", "C", "D"), dates=dates))
    assert dated.typical_day == day("2002-01-01")
    years = ages(dated.view.days, day("2002-07-01"), undated=dated.typical_day)
    assert years * 365.25 == pytest.approx([365 + 181, 181, 0, 181])
    assert CitationGraph(hand_view(("A", "B"), dates=[Dated(), Dated()])).typical_day == 0


def test_far_behind_the_order_goes_on_by_nearness() -> None:
    """With all documents or with the nearest alone it is the same, and never jumps."""
    many = graph({f"N{place:04}": () for place in range(ORDERED + 100)})
    near = np.concatenate([np.linspace(1, 0.5, ORDERED), np.linspace(0.499, 0.001, 100)])
    query = hand_query(many, near.tolist(), [True] * len(many), forms())
    order = query.listed.order
    assert order[:ORDERED] == pytest.approx(-L(np.arange(ORDERED)))
    behind = -L(ORDERED) + 2 * np.log(np.maximum(near[ORDERED:] / 0.5, np.exp(-2)))
    assert order[ORDERED:] == pytest.approx(behind)
    assert order[-1] == pytest.approx(-L(ORDERED) - 4)
    some = np.arange(ORDERED + 10)
    nearest = replace(query, rows=some)
    assert nearest.features(np.arange(len(many))).order.tolist() == order.tolist()


def test_learned_weights_are_chances_of_candidates_alone(links: CitationGraph) -> None:
    compared = found(links)[0].listed
    model = Logistic(("words", "unknown"), np.array([10.0, 3.0]), -3.0)
    likely, share = Neighbours(model, Logistic((), np.empty(0), 0.0)).weights(compared, links)
    chances = [1 / (1 + np.exp(-(10 * near - 3))) for near in (0.2, 0.4, 0.3)]
    assert likely.at(ALL) == pytest.approx([0, 0, *chances, 0])
    assert share.at(ALL) == pytest.approx([0, 0, 0.5, 0.5, 0.5, 0])


def test_an_example_says_how_much_lists_have_in_common() -> None:
    lists = graph({"A": (), "D": ("A", "X", "Y", "Z"), "E": ("A",), "T": ("A", "X"), "O": ("Q",)})
    query = hand_query(lists, [0.1, 0.5, 0.4, 0.9, 0.2], [True, True, True, False, True], forms())
    made = neighbour_example(query.listed, 3, lists, lists)
    assert made.cosine == pytest.approx([2 / S(8), 1 / S(2), 0])
    assert made.share == pytest.approx([0.5, 1, 0])
    assert made.lengths.tolist() == [4, 1, 1]
    assert 2 / S(8) > COUPLED
