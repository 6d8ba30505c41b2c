"""The frontier of a crawl: order, states and depths of numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.corpus import Corpus
from foreart.corpus.frontier import Frontier, crawl_entries, crawls


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        yield opened


def begun(corpus: Corpus, *seeds: str, identity: str = "{}") -> Frontier:
    frontier = Frontier(corpus.connection, identity)
    frontier.begin(seeds)
    return frontier


def turns(frontier: Frontier, depth: int | None = None) -> list[tuple[str, int]]:
    found = []
    while waiting := frontier.take(depth):
        found.append((waiting.number, waiting.depth))
    return found


def keep(frontier: Frontier, number: str, *targets: str) -> None:
    frontier.decide(number, "kept")
    frontier.follow(number, targets)


def test_numbers_are_taken_breadth_first_in_order_of_discovery(corpus: Corpus) -> None:
    frontier = begun(corpus, "S2", "S1")
    keep(frontier, "S2", "Z", "A")
    keep(frontier, "S1", "A", "S2", "B")
    assert turns(frontier) == [("Z", 1), ("A", 1), ("B", 1)]
    assert frontier.take() is None
    assert frontier.waiting() == 3


def test_a_number_is_taken_once_and_not_beyond_the_depth(corpus: Corpus) -> None:
    frontier = begun(corpus, "S")
    first = frontier.take()
    assert first is not None
    assert frontier.take() is None
    keep(frontier, "S", "A")
    frontier.release("S")
    assert turns(frontier, 0) == []
    assert turns(frontier, 1) == [("A", 1)]
    assert (frontier.waiting(0), frontier.waiting(1)) == (0, 1)


def test_counts_agree_with_the_table(corpus: Corpus) -> None:
    frontier = begun(corpus, "S", "T", "U", "V")
    keep(frontier, "S", "A", "B", "A")
    frontier.decide("T", "rejected", "other class")
    frontier.decide("U", "failed", "no answer", "half a \ud83d pair")
    frontier.decide("V", "missing")
    frontier.refuse("S", ["not a number", "A"], "no publication number")
    assert crawls(corpus.connection)["{}"] == +frontier.counts
    assert sum(frontier.counts.values()) == 7
    assert frontier.counts["waiting", ""] == 2
    (failed,) = crawl_entries(corpus.connection, "{}", states=("failed",))
    assert (failed.number, failed.reason, failed.detail) == ("U", "no answer", "half a ? pair")
    assert [entry.number for entry in crawl_entries(corpus.connection, "{}")] == [
        "S",
        "T",
        "U",
        "V",
        "A",
        "B",
        "not a number",
    ]


def test_a_new_run_retries_failures_and_the_given_reasons(corpus: Corpus) -> None:
    frontier = begun(corpus, "S", "T", "U")
    frontier.decide("S", "failed", "no answer")
    frontier.decide("T", "rejected", "cannot be read")
    frontier.decide("U", "rejected", "other class")
    again = begun(corpus, "S")
    assert turns(again) == [("S", 0)]
    third = Frontier(corpus.connection, "{}")
    third.begin(["S", "New"], again=("cannot be read",))
    assert turns(third) == [("S", 0), ("T", 0), ("New", 0)]


def test_crawls_with_different_specifications_are_independent(corpus: Corpus) -> None:
    keep(begun(corpus, "S", identity="one"), "S", "A")
    other = begun(corpus, "S", identity="two")
    assert turns(other) == [("S", 0)]
    assert list(crawls(corpus.connection)) == ["one", "two"]


def test_another_spelling_leads_to_its_id_at_the_same_depth(corpus: Corpus) -> None:
    frontier = begun(corpus, "US1")
    frontier.alias("US1", ["US1A"])
    assert (frontier.state("US1"), frontier.state("US1A"), frontier.depth("US1A")) == ("alias", "waiting", 0)
    keep(frontier, "US1A", "US2A")
    assert turns(frontier) == [("US2A", 1)]
    nearer = begun(corpus, "S", identity="x")
    keep(nearer, "S", "A")
    keep(nearer, "A", "B", "US1")
    nearer.alias("US1", ["US1A"])
    keep(nearer, "US1A", "US2A")
    assert nearer.depth("US2A") == 3
    keep(nearer, "S", "US1")
    assert [nearer.depth(number) for number in ("US1", "US1A", "US2A")] == [1, 1, 2]


GRAPHS = st.dictionaries(
    st.sampled_from("ABCDEFG"), st.lists(st.sampled_from("ABCDEFG"), max_size=4), min_size=1, max_size=7
)


@settings(max_examples=60, deadline=None)
@given(graph=GRAPHS, order=st.permutations("ABCDEFG"))
def test_depths_are_shortest_paths_whatever_the_order_of_documents(
    graph: dict[str, list[str]], order: list[str]
) -> None:
    with Corpus(":memory:", create=True) as corpus:
        frontier = begun(corpus, "A")
        for _ in range(7):
            for number in order:
                if frontier.state(number) == "waiting":
                    keep(frontier, number, *(target for target in graph.get(number, []) if target != number))
        expected = {"A": 0}
        queue = ["A"]
        for number in queue:
            for target in graph.get(number, []):
                if target not in expected:
                    expected[target] = expected[number] + 1
                    queue.append(target)
        assert {entry.number: entry.depth for entry in crawl_entries(corpus.connection, "{}")} == expected
