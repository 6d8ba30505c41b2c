"""Candidates: what they leave out, and that their scores are those of an exact search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foreart.document.draft import draft_of_patent
from foreart.library import Library
from foreart.search.ranking import (
    EXACT,
    CitationGraph,
    FusedComparison,
    FusedRanker,
    Neighbourhood,
    candidate_choice,
    candidate_rows,
    default_weights,
    draft_query,
)
from foreart.search.ranking.candidate_recall import FILE, load_candidates, measured_candidates, write_candidates
from foreart.search.ranking.near.neighbours import plain_weights
from ranking_world import HandTexts, Town, all_rows, forms, graph, library_of, town

PLACE = 110


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    made = Town(tmp_path_factory.mktemp("many"), town("words", documents=120))
    yield made
    made.close()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other signals than texts add few candidates, as they would in a large corpus."""
    monkeypatch.setattr(candidate_choice, "_JOINED", 4)
    monkeypatch.setattr(candidate_choice, "CANDIDATES", 10)


def compared(many: Town, depth: int, place: int = PLACE) -> FusedComparison:
    ranker = FusedRanker(many.inputs, default_weights(many.inputs.graph), depth=depth)
    return ranker.compare(draft_of_patent(many.patents[place]), many.scope(place))


def test_candidates_are_some_and_hold_the_best(many: Town, few: None) -> None:
    held, known = [], 0
    for place in range(60, 119, 6):
        scope = many.scope(place)
        exact, found = (compared(many, depth, place) for depth in (EXACT, 8))
        rows = found.candidates(scope.known, 5)
        assert len(rows) < scope.known.sum()
        assert scope.known[rows].all()
        assert rows.tolist() == sorted(set(rows.tolist()))
        best = [row for row, _ in exact.top(5, scope.known)]
        held.append(len(set(best) & {row for row, _ in found.top(5, scope.known)}) / 5)
        known += 1
    assert known == len(held)
    assert np.mean(held) > 0.8


def test_with_enough_candidates_scores_are_the_exact_ones_bit_for_bit(many: Town) -> None:
    scope = many.scope(PLACE)
    exact, found = (compared(many, depth) for depth in (EXACT, 100))
    ranked = found.top(20, scope.known)
    assert ranked == exact.top(20, scope.known)
    for row, score in ranked:
        assert sum(part.contribution for part in found.parts(row)) == pytest.approx(score, abs=1e-9)
        assert found.parts(row) == exact.parts(row)


def test_any_document_has_a_score_candidate_or_not(many: Town, few: None) -> None:
    found = compared(many, 8)
    everything = found.scores_of(all_rows(found.ranker))
    assert np.isfinite(everything).all()
    rows = np.array([77, 3, 3, 50])
    assert found.scores_of(rows).tolist() == everything[rows].tolist()


def test_a_filter_is_known_before_candidates_are_chosen(many: Town, few: None) -> None:
    """The best of a rare kind are found though none of them is among the nearest."""
    scope, found = many.scope(PLACE), compared(many, 8)
    nearest = set(found.candidates(scope.known, 5).tolist())
    allowed = scope.known.copy()
    allowed[list(nearest)] = False
    assert allowed.sum() > 30
    rows = found.candidates(allowed, 5)
    assert len(rows) > 5
    assert not nearest & set(rows.tolist())
    exact = [row for row, _ in compared(many, EXACT).top(3, allowed)]
    assert len(set(exact) & set(rows.tolist())) >= 2


def test_later_documents_are_found_too(many: Town, few: None) -> None:
    scope = many.scope(PLACE - 40)
    late = np.zeros_like(scope.known)
    late[PLACE - 39 :] = True
    found = compared(many, 8, PLACE - 40)
    ranked = found.top(3, late)
    assert len(ranked) == 3
    assert all(row > PLACE - 40 for row, _ in ranked)


def star(documents: int) -> CitationGraph:
    """One near document cites another that no text finds; a third shares its citation with it."""
    ids = [f"N{place:03}" for place in range(documents)]
    lists: dict[str, tuple[str, ...]] = {number: () for number in ids}
    lists[ids[0]] = (ids[documents - 1],)
    lists[ids[documents - 2]] = (ids[0],)
    return graph(lists)


def test_what_near_documents_cite_joins_and_what_cites_them(monkeypatch: pytest.MonkeyPatch) -> None:
    links = star(60)
    known = np.ones(60, dtype=bool)
    texts = HandTexts(words=np.linspace(1, 0.1, 60).tolist())
    query = draft_query(texts, forms(), links, known, 10_000, depth=5)
    assert query.rows.tolist()[:5] == [0, 1, 2, 3, 4]
    near = Neighbourhood(query, *plain_weights(query.listed, links), depth=5)
    assert {58, 59} <= set(candidate_rows(near, known, depth=5).tolist())
    assert not {20, 30, 40} & set(candidate_rows(near, known, depth=5).tolist())
    assert candidate_rows(near, known, depth=EXACT).tolist() == list(range(60))


def test_documents_that_cite_are_looked_for_where_the_nearest_do_not() -> None:
    links = star(60)
    texts = HandTexts(words=np.linspace(0.1, 1, 60).tolist())
    query = draft_query(texts, forms(), links, np.ones(60, dtype=bool), 10_000, depth=5)
    assert query.rows.tolist() == [0, 55, 56, 57, 58, 59], "0 cites, and 58"


def test_the_recall_is_measured_and_kept(many: Town, few: None, tmp_path: Path) -> None:
    ranker = FusedRanker(many.inputs, default_weights(many.inputs.graph), depth=8)
    found = measured_candidates(ranker, many.corpus, queries=4)
    assert found.queries == 4
    assert 0.2 < found.best_100 < 1.0, "a hundred of 120 are not among the candidates"
    assert found.best_20 >= found.best_100
    assert found.candidates < 100
    assert load_candidates(tmp_path, ranker) is None
    write_candidates(found, tmp_path)
    assert load_candidates(tmp_path, ranker) == found
    assert load_candidates(tmp_path, ranker.with_depth(9)) is None
    assert load_candidates(tmp_path, FusedRanker(many.inputs, None, depth=8)) is None, "of other weights"
    for documents, kept in ((found.documents, True), (int(found.documents / 1.2), False), (2 * found.documents, False)):
        write_candidates(replace(found, documents=documents, corpus="an earlier state"), tmp_path)
        assert (load_candidates(tmp_path, ranker) is not None) == kept
    (tmp_path / FILE).write_text("{")
    assert load_candidates(tmp_path, ranker) is None
    everything = measured_candidates(ranker.with_depth(200), many.corpus, queries=3)
    assert (everything.best_20, everything.best_100) == (1.0, 1.0)


def test_build_and_learn_measure_it_and_searches_say_it(tmp_path: Path) -> None:
    with library_of(tmp_path / "library", town("words", documents=40)) as library:
        draft = draft_of_patent(town("words", documents=40)[30])
        result = library.search(draft, k=3)
        assert result.candidate_recall is not None
        assert result.candidate_recall.best_100 == 1.0
        before = (tmp_path / "library" / "ranking" / FILE).read_bytes()
        library.build()
        assert (tmp_path / "library" / "ranking" / FILE).read_bytes() == before, "measured once"
        library.learn()
        learned = library.search(draft, k=3)
        assert learned.candidate_recall is not None
        assert learned.candidate_recall.ranking != result.candidate_recall.ranking
        exact = library.search(draft, k=3, exact=True)
        assert exact.candidate_recall is None
        assert [(hit.id, hit.score) for hit in exact] == [(hit.id, hit.score) for hit in learned]
        assert exact.request.exact
        assert isinstance(library, Library)
