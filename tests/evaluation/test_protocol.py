"""The retrieval and the pair protocol, by hand and against a plain loop over the sample."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.corpus import Corpus
from foreart.corpus.views import read_view
from foreart.document.draft import Draft
from foreart.document.patent import Citation, Patent
from foreart.document.record import to_json
from foreart.errors import ForeartError, StaleIndex
from foreart.evaluation import (
    AllScores,
    Collection,
    EvaluationOptions,
    Qrels,
    QueryDocument,
    Scorer,
    assess_run,
    assess_scorer,
    collection_of,
    corpus_queries,
    evaluate_run,
    file_queries,
    patent_queries,
    protocol,
    qrels_of,
    random_rows,
    ranker_scorer,
    run_protocol,
)
from foreart.identifiers.date_spans import day
from foreart.index import Index
from foreart.index.building import build
from foreart.search import Cutoff, Dated, IndexRanker, Scope, status_of
from foreart.search.law.date_arrays import DateArrays, earlier
from foreart.sources import scan
from foreart.text import section_text
from hand_views import dated_view

SAMPLE = Path(str(resources.files("foreart").joinpath("sample"))) / "patents.jsonl"
PATENTS = (
    Patent("US1A", title="one", published="2000-01-01"),
    Patent("US2A", title="two", filed="2001-05-01", published="2003-01-01"),
    Patent("US3A", title="three", priority="2002", filed="2002-09-01"),
    Patent("US4A", title="four"),
    Patent("US5A", title="five", priority="2002-06"),
    Patent("US6A1", title="six", priority="2002-06-15", family_id="F"),
    Patent("US6B2", title="six", priority="2002-06-15", family_id="F"),
    Patent("US7A", title="seven", priority="2001-01-01", family_id="F"),
    Patent("US8A", title="eight", priority="2010-01-01"),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(PATENTS)
        yield opened


def collection(corpus: Corpus, ids: Sequence[str] = ()) -> Collection:
    """All documents, in order of arrival or of some ids."""
    view = read_view(corpus)
    return Collection(view.aligned(ids) if ids else view, corpus)


def by_index(index: Index, corpus: Corpus) -> tuple[Scorer, Collection]:
    """The scorer of an index alone, and its documents."""
    ranker = IndexRanker(index, read_view(corpus))
    return ranker_scorer(ranker), collection_of(ranker, corpus)


def in_order(query: QueryDocument, scope: Scope) -> AllScores:
    """Scores that fall from the first document to the last."""
    return AllScores(-np.arange(len(PATENTS), dtype=np.float64))


def ranked(corpus: Corpus, query: QueryDocument, **options: object) -> tuple[str, ...]:
    outcome = run_protocol([query], in_order, collection(corpus), Qrels({query.id: {}}), **options)  # type: ignore[arg-type]
    return outcome.run.rankings[query.id].ids


def test_a_query_ranks_what_may_be_earlier_without_itself(corpus: Corpus) -> None:
    """Dates of priority, else filing, else publication; a month or year that may be earlier stays, unknown too."""
    query = QueryDocument("US6B2", corpus["US6B2"])
    assert ranked(corpus, query) == ("US1A", "US2A", "US3A", "US4A", "US5A")
    assert ranked(corpus, query, families=False) == ("US1A", "US2A", "US3A", "US4A", "US5A", "US7A")
    assert ranked(corpus, query, depth=2) == ("US1A", "US2A")


def test_a_query_known_to_the_year_counts_from_its_first_day(corpus: Corpus) -> None:
    assert ranked(corpus, QueryDocument("q", Draft(title="x", priority="2002"))) == ("US1A", "US2A", "US4A", "US7A")
    assert ranked(corpus, QueryDocument("q", Draft(title="x", filed="2001-01-01"))) == ("US1A", "US4A")


def test_a_query_outside_the_corpus_leaves_out_the_relatives_it_names(corpus: Corpus) -> None:
    patent = Patent("EP1000001A1", priority="2005-01-01", family_refs=("US7B1",))
    query = QueryDocument("EP1000001A1", patent)
    assert len(ranked(corpus, query, families=False)) == 8
    assert ranked(corpus, query) == ("US1A", "US2A", "US3A", "US4A", "US5A")


def test_a_query_without_a_date_is_ranked_against_all_and_that_is_told(corpus: Corpus) -> None:
    query = QueryDocument("q", Draft(title="x"))
    outcome = run_protocol([query], in_order, collection(corpus), qrels_of([("q", "US99", 1)]))
    assert len(outcome.run.rankings["q"]) == len(PATENTS)
    assert outcome.notes[0] == "ranked against all documents, because the query has no date: q"
    assert outcome.notes[1].startswith("1 relevant documents are not in the corpus")


DATES = st.sampled_from(["", "2001", "2002", "2002-05", "2002-06", "2002-06-01", "2002-06-15", "2003-01-01"])


@given(DATES, DATES.filter(bool))
def test_dates_are_compared_as_a_search_does(date: str, limit: str) -> None:
    document, cutoff = Dated(date, priority=date), Cutoff(limit, "given")
    (known,) = earlier(DateArrays.of(dated_view([document])), cutoff)
    assert known == (status_of(document, cutoff) != "after the date")


@given(DATES, DATES.filter(bool))
def test_a_date_of_publication_alone_decides_what_is_known(date: str, limit: str) -> None:
    """Whether such a document counts is unknown until its filing date is looked up; it is not known before it is."""
    (known,) = earlier(DateArrays.of(dated_view([Dated(published=date)])), Cutoff(limit, "given"))
    assert known == (day(date) < day(limit))


def test_the_ranker_never_sees_the_citations_of_the_query(corpus: Corpus) -> None:
    seen: list[Patent | Draft] = []

    def spy(query: QueryDocument, scope: Scope) -> AllScores:
        seen.append(query.document)
        return in_order(query, scope)

    patent = Patent("EP1000001A1", title="x", citations=(Citation("US1A"),), priority="2005-01-01")
    run_protocol([QueryDocument(patent.id, patent)], spy, collection(corpus), qrels_of([(patent.id, "US1A", 1)]))
    assert isinstance(seen[0], Patent)
    assert (seen[0].id, seen[0].title, seen[0].citations) == ("EP1000001A1", "x", ())


def test_equal_scores_stand_in_order_of_id(corpus: Corpus) -> None:
    documents = collection(corpus, ["US8A", "US2A", "US1A", "US4A", "US3A", "US5A", "US7A", "US6B2", "US6A1"])
    query = QueryDocument("q", Draft(title="x"))
    found = run_protocol([query], lambda *_: AllScores(np.zeros(9)), documents, Qrels({"q": {}})).run.rankings["q"]
    assert list(found.ids) == sorted(documents.ids)


@pytest.mark.parametrize(
    ("scores", "told"), [(np.zeros((9, 2)), "q: 18 scores for 9 documents"), (np.full(9, np.nan), "q: a score is NaN")]
)
def test_a_scorer_that_does_not_score_every_document_is_refused(corpus: Corpus, scores: np.ndarray, told: str) -> None:
    with pytest.raises(ForeartError, match=told):
        run_protocol(
            [QueryDocument("q", Draft(title="x"))], lambda *_: AllScores(scores), collection(corpus), Qrels({"q": {}})
        )


def test_random_documents_are_those_of_python_over_what_no_query_cites(corpus: Corpus) -> None:
    qrels = qrels_of([("US8B1", "US2B", 1), ("US8B1", "US1A", 0), ("EP1000001A1", "US6B1", 1)])
    documents = tuple(corpus.ids())
    free = [0, 2, 3, 4, 7]
    assert random_rows(documents, qrels, count=3, seed=1) == tuple(random.Random(1).sample(free, 3))
    assert random_rows(documents, qrels, count=3, seed=2) == tuple(random.Random(2).sample(free, 3))
    assert random_rows(documents, qrels, count=99) == tuple(free)


def test_pairs_are_scored_whatever_their_dates(corpus: Corpus) -> None:
    """US8A is later than the query and makes a pair; US6 has two publications, of which the better one counts."""
    query = QueryDocument("EP1000001A1", Patent("EP1000001A1", priority="2002-01-01"))
    qrels = qrels_of([(query.id, "US8A", 1), (query.id, "US6", 1), (query.id, "US99", 1)])
    outcome = run_protocol([query], in_order, collection(corpus), qrels, random=[0, 3])
    assert outcome.pairs.scores.tolist() == [-8.0, -5.0, 0.0, -3.0]
    assert outcome.pairs.labels.tolist() == [1, 1, 0, 0]
    assert "US8A" not in outcome.run.rankings[query.id].ids


def test_progress_is_told(corpus: Corpus) -> None:
    told: list[tuple[int, int]] = []
    queries = [QueryDocument("q", Draft(title="x")), QueryDocument("r", Draft(title="x"))]
    run_protocol(
        queries, in_order, collection(corpus), Qrels({"q": {}, "r": {}}), progress=lambda *step: told.append(step)
    )
    assert told == [(1, 2), (2, 2)]


def test_queries_are_scored_on_all_cores_and_told_in_order(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "cores", lambda: 2)
    qrels = qrels_of([(number, "US1A", 1) for number in ("US8A", "US5A", "US3A")])
    queries = corpus_queries(corpus, qrels).queries
    both = Barrier(2, timeout=10)

    def scorer(query: QueryDocument, scope: Scope) -> AllScores:
        if query.document.title != "three":  # the other two wait for each other
            both.wait()
        return AllScores(np.arange(len(PATENTS), dtype=float))

    outcome = run_protocol(queries, scorer, collection(corpus), qrels)
    assert list(outcome.run.rankings) == [query.id for query in queries]


def test_queries_are_found_in_the_corpus_by_number(corpus: Corpus) -> None:
    found = corpus_queries(corpus, qrels_of([("US1B2", "x", 1), ("US9", "x", 1), ("US6B2", "x", 1)]))
    assert [(query.id, query.document.id) for query in found.queries] == [("US1B2", "US1A"), ("US6B2", "US6B2")]  # type: ignore[union-attr]
    assert found.missing == ("US9",)


def test_queries_are_found_in_a_file_and_bad_records_told(tmp_path: Path) -> None:
    place = tmp_path / "queries.jsonl"
    place.write_text("\n".join([*(to_json(patent) for patent in PATENTS), '{"title": "no id", "abstract": "x"}']))
    found = file_queries(place, qrels_of([("US6A1", "x", 1), ("US7", "x", 1), ("US77", "x", 1)]))
    assert [(query.id, query.document.id) for query in found.queries] == [("US6A1", "US6A1"), ("US7", "US7A")]  # type: ignore[union-attr]
    assert found.missing == ("US77",)
    assert found.notes[0] == "6 documents that are in no judgement are excluded from the queries"
    assert found.notes[1].startswith("1 records of")


def test_of_several_publications_of_a_query_the_latest_is_taken() -> None:
    patents = [Patent("EP1000001B1", published="2005-01-01"), Patent("EP1000001A1", published="2003-01-01")]
    (query,) = patent_queries(patents, qrels_of([("EP1000001", "x", 1)])).queries
    assert query.document == patents[0]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Corpus, Index]]:
    folder = tmp_path_factory.mktemp("sample")
    with Corpus(folder / "corpus.db", create=True) as opened:
        opened.add(scan(SAMPLE))
        yield opened, build(opened, folder / "index")


def cited(corpus: Corpus) -> Qrels:
    """What patents published since 2008 cite."""
    known = set(corpus.ids())
    return qrels_of(
        (patent.id, citation.id, 1)
        for patent in corpus
        for citation in patent.citations
        if citation.id in known and patent.published >= "2008"
    )


def test_the_sample_evaluated_as_by_a_plain_loop(sample: tuple[Corpus, Index]) -> None:
    corpus, index = sample
    qrels = cited(corpus)
    found = corpus_queries(corpus, qrels)
    assert (len(found.queries), found.missing) == (len(qrels), ())
    conditions = EvaluationOptions(metrics=("map", "recall@5", "auc"), random=10)
    assessed = assess_scorer(*by_index(index, corpus), found.queries, qrels, conditions)
    patents = {patent.id: patent for patent in corpus}
    precisions, recalls = [], []
    for query in qrels.queries:
        mine = patents[query]
        scores = dict(zip(index.ids, index.scores(index.encode(section_text(mine))).tolist(), strict=True))
        earlier = [
            number
            for number, other in patents.items()
            if other.effective_date < mine.effective_date and (not mine.family_id or other.family_id != mine.family_id)
        ]
        order = sorted(earlier, key=lambda number: (-scores[number], number))
        places = [place for place, number in enumerate(order, start=1) if number in qrels.grades[query]]
        precisions.append(sum(hit / place for hit, place in enumerate(places, start=1)) / len(qrels.grades[query]))
        recalls.append(sum(place <= 5 for place in places) / len(qrels.grades[query]))
    assert assessed.evaluation["map"] == pytest.approx(float(np.mean(precisions)), abs=1e-12)
    assert assessed.evaluation["recall@5"] == pytest.approx(float(np.mean(recalls)), abs=1e-12)
    assert 0.5 < assessed.evaluation["map"] < 1
    assert assessed.evaluation["auc"] > 0.7
    assert assessed.random == 10


def test_a_run_of_the_protocol_is_judged_alike(sample: tuple[Corpus, Index]) -> None:
    corpus, index = sample
    qrels = cited(corpus)
    queries = corpus_queries(corpus, qrels).queries
    conditions = EvaluationOptions(metrics=("map", "pres@10", "auc"), random=1000)
    made = assess_scorer(*by_index(index, corpus), queries, qrels, conditions)
    again = assess_run(made.run, qrels, conditions, corpus=corpus)
    for metric in ("map", "pres@10"):
        assert again.evaluation[metric] == made.evaluation[metric]
    assert again.notes[0].startswith("the run is missing")
    assert made.notes[-1].startswith(f"only {made.random} documents")
    assert again.random == made.random > 10
    shallow = assess_run(made.run, qrels, EvaluationOptions(metrics=("recall@50",), depth=3))
    deep = evaluate_run(made.run, qrels, ["recall@3"])
    assert shallow.evaluation["recall@50"] == deep["recall@3"]
    some = assess_run(made.run, qrels, EvaluationOptions(metrics=("map",)), queries=qrels.queries[:2])
    assert some.evaluation.queries == qrels.queries[:2]


def test_an_index_of_another_corpus_is_stale(corpus: Corpus, tmp_path: Path) -> None:
    ranker = IndexRanker(build(corpus, tmp_path / "index"), read_view(corpus))
    corpus.add([Patent("US10A", title="ten")])
    with pytest.raises(StaleIndex, match="foreart build"):
        collection_of(ranker, corpus)
