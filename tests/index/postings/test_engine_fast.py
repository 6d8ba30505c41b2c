"""Two stages: what they may miss, and what they never change."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.index.query.batch import many
from foreart.index.query.costs import sums_cost
from foreart.index.query.engine import Engine
from foreart.index.query.two_stage import Fast, chosen, fast_cost, fast_of, fast_top
from foreart.index.storage.weighting import Weighting
from index.postings.drawn import Drawn, drawn_snapshot

WEIGHTINGS = [Weighting(tf="log"), Weighting(), Weighting("bm25")]


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return drawn_snapshot(8, sizes=(900, 1, 700), words=2000, mean=60.0)


@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
def test_scores_are_exact_and_what_is_found_is_ranked_so(weighting: Weighting, drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, weighting)
    query = engine.query(drawn.words(40))
    true = dict(zip(*(each.tolist() for each in engine.top(query, len(drawn.ids), exact=True)), strict=True))
    rows, scores = fast_top(engine._ready(1), query, 20, Fast(0.5, 0.0, 60))
    assert len(rows) == 20
    assert all(true[row] == score for row, score in zip(rows.tolist(), scores.tolist(), strict=True))
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)


@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
def test_all_words_miss_nothing(weighting: Weighting, drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, weighting)
    query = engine.query(drawn.words(40))
    rows, scores = engine.top(query, 20, exact=True)
    found, values = fast_top(engine._ready(2), query, 20, Fast(1.0, np.inf, 60), threads=2)
    assert found.tolist() == rows.tolist()
    assert values.tolist() == scores.tolist()


def test_the_words_of_the_first_stage(drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    words = drawn.words(40) | {word: 1 for word in sorted(set(drawn.words(41)) | set(drawn.words(1200)))}
    query, documents = engine.query(words), 100 * int(np.sort(engine.query(words).df)[5])
    taken = chosen(query, Fast(0.6, 0.0, 10), documents)
    rare = query.df * 100 <= documents
    assert 0 < rare.sum() < taken.sum() < len(query)
    assert taken[rare].all()
    energies = np.where(rare, 0.0, query.weights**2)
    assert energies[taken].sum() >= 0.6 * energies.sum()
    least = np.flatnonzero(taken & ~rare)[np.argmin(energies[taken & ~rare] / np.sqrt(query.df[taken & ~rare]))]
    assert energies[taken].sum() - energies[least] < 0.7 * energies.sum()
    assert (chosen(query, Fast(0.6, 3.0, 10), documents) >= taken).all()
    few = query.take(np.flatnonzero(taken))
    assert few.words == tuple(word for word, is_taken in zip(query.words, taken.tolist(), strict=True) if is_taken)


def test_two_stages_are_taken_only_where_they_are_cheaper(drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    blocks, query = engine._ready(1), engine.query(drawn.words(40))
    fast = Fast(0.6, 1.0, len(drawn.ids))
    taken = chosen(query, fast, len(drawn.ids))
    assert fast_cost(blocks, query, 10, fast, taken) > sums_cost(blocks, query) > sums_cost(blocks, query, taken)
    exact = engine.top(query, 10, exact=True)
    assert engine.top(query, 10, exact=False)[0].tolist() == exact[0].tolist()


def test_without_idf_there_is_no_fast_way() -> None:
    assert fast_of(Weighting(tf="log", idf=False)) is None
    assert fast_of(Weighting("bm25")) is not None


def test_many_queries_come_in_order(drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    asked = range(0, 1400, 37)
    rng = np.random.default_rng(0)
    masks = [None if row % 2 else rng.random(len(drawn.ids)) < 0.5 for row in asked]
    found = list(many(engine, (drawn.words(row) for row in asked), 7, allowed=masks, exact=True, threads=3))
    assert len(found) == len(asked)
    for row, mask, (rows, scores) in zip(asked, masks, found, strict=True):
        alone, values = engine.top(engine.query(drawn.words(row)), 7, allowed=mask, exact=True, threads=1)
        assert rows.tolist() == alone.tolist()
        assert scores.tolist() == values.tolist()


def test_many_reads_texts_as_results_are_taken(drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, Weighting())
    read: list[int] = []

    def texts():
        for row in range(1000):
            read.append(row)
            yield drawn.words(row)

    results = many(engine, texts(), 3, threads=2)
    next(results)
    assert len(read) < 20
    results.close()


def test_an_error_of_one_query_is_raised(drawn: Drawn) -> None:
    engine = Engine(drawn.snapshot, Weighting())
    with pytest.raises(TypeError):
        list(many(engine, [drawn.words(0), 5], 3, threads=2))  # type: ignore[list-item]
