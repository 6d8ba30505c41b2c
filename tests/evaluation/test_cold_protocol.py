"""The cold protocol by hand: siblings are hidden, no longer relevant, and what they cite does not count for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from foreart.corpus import Corpus
from foreart.corpus.views import read_view
from foreart.document.patent import Citation, Patent
from foreart.evaluation import (
    AllScores,
    Assessment,
    Collection,
    EvaluationOptions,
    Qrels,
    QueryDocument,
    assess_scorer,
    corpus_queries,
)
from foreart.search import Scope

OLD = tuple(f"US{1000 + place}A" for place in range(8))


def patent(number: str, date: str, *cited: str, family: str = "") -> Patent:
    return Patent(
        number, title=number, priority=date, family_id=family, citations=tuple(Citation(item) for item in cited)
    )


PATENTS = (
    *(patent(number, "1990-01-01") for number in OLD),
    patent("US2001B2", "2000-01-01", *OLD[:4]),  # the sibling, with a relative
    patent("US2002A1", "2000-02-01", family="F"),
    patent("US2003B2", "2000-03-01", *OLD[:5], family="F"),
    patent("US3001B2", "2010-01-01", *OLD[:4], "US2001B2"),  # the query with siblings
    patent("US3002B2", "2010-01-01", *OLD[5:]),  # a query without
    patent("US3003B2", "2010-01-01", OLD[0], OLD[6], "US2001B2", "US2003B2"),  # its list is of its own
)
QRELS = Qrels({item.id: {cited.id: 1 for cited in item.citations} for item in PATENTS[-3:]})


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(PATENTS)
        yield opened


def assessed(corpus: Corpus, seen: dict[str, list[np.ndarray]], **options: object) -> Assessment:
    """The assessment of a scorer that knows nothing; `seen` gets the masks of known documents by query."""
    ids = [item.id for item in PATENTS]

    def scorer(query: QueryDocument, scope: Scope) -> AllScores:
        seen.setdefault(query.id, []).append(scope.known.copy())
        return AllScores(np.arange(len(ids), dtype=float))

    collection = Collection(read_view(corpus), corpus)
    queries = corpus_queries(corpus, QRELS).queries
    metrics = ("map",) if options.get("judged") else ("map", "recall@100", "auc")
    conditions = EvaluationOptions(metrics=metrics, random=2, **options)  # type: ignore[arg-type]
    return assess_scorer(scorer, collection, queries, QRELS, conditions)


def test_siblings_and_their_families_are_hidden_from_the_second_ranking(corpus: Corpus) -> None:
    seen: dict[str, list[np.ndarray]] = {}
    found = assessed(corpus, seen)
    ids = [item.id for item in PATENTS]
    warm, cold = seen["US3001B2"]
    assert [ids[row] for row in np.flatnonzero(warm & ~cold)] == ["US2001B2", "US2002A1", "US2003B2"]
    assert len(seen["US3002B2"]) == len(seen["US3003B2"]) == 1, "without siblings the first ranking stays"
    assert found.with_siblings == 1
    assert found.cold is not None
    assert set(found.cold.queries) == {"US3001B2", "US3002B2", "US3003B2"}


def test_siblings_are_not_relevant_any_more(corpus: Corpus) -> None:
    found = assessed(corpus, {})
    assert found.cold is not None
    place = found.evaluation.queries.index("US3001B2")
    # Warm: the last known rows are 10, 9, 8 (the cited sibling), 7 ... 0; relevant are 8 and 3 to 0.
    warm = np.mean([1 / 3, 2 / 8, 3 / 9, 4 / 10, 5 / 11])
    assert found.evaluation.per_query["map"][place] == pytest.approx(warm)
    # Cold: 7 ... 0 are ranked, and four documents relevant.
    cold = np.mean([1 / 5, 2 / 6, 3 / 7, 4 / 8])
    assert found.cold.per_query["map"][found.cold.queries.index("US3001B2")] == pytest.approx(cold)
    other = found.evaluation.queries.index("US3002B2")
    assert found.cold.per_query["map"][found.cold.queries.index("US3002B2")] == found.evaluation.per_query["map"][other]
    assert found.cold.pairs is not None
    assert found.evaluation.pairs is not None
    assert found.evaluation.pairs.cited - found.cold.pairs.cited == 1


def test_a_query_with_too_few_relevant_documents_left_drops_out(corpus: Corpus) -> None:
    corpus.add([patent("US3004B2", "2010-01-01", *OLD[:3], "US2001B2", "US2003B2")])
    few = Qrels(
        {"US3004B2": {"US2001B2": 1, "US2003B2": 1, OLD[0]: 1, OLD[1]: 1}, "US3002B2": dict.fromkeys(OLD[5:], 1)}
    )
    collection = Collection(read_view(corpus), corpus)
    found = assess_scorer(
        lambda query, scope: AllScores(np.zeros(len(PATENTS) + 1)),
        collection,
        corpus_queries(corpus, few).queries,
        few,
        EvaluationOptions(metrics=("map",)),
    )
    assert len(found.evaluation.queries) == 2
    assert found.cold is not None
    assert found.cold.queries == ("US3002B2",)


def test_it_is_left_out_where_it_means_nothing(corpus: Corpus) -> None:
    assert assessed(corpus, {}, families=False).cold is None
    assert assessed(corpus, {}, judged=True).cold is None
