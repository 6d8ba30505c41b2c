"""Results by year, class and length of the query."""

from __future__ import annotations

import math

import pytest
from sklearn.metrics import roc_auc_score

from foreart.document.draft import Draft
from foreart.document.patent import Patent, Symbol
from foreart.errors import ForeartError
from foreart.evaluation import GROUPINGS, QueryDocument, by_group, evaluate_run, labelled_pairs, qrels_of, run_of
from foreart.evaluation.breakdown import UNKNOWN, by_length, by_subclass, by_year

QUERIES = (
    QueryDocument("US1A", Patent("US1A", title="a b", published="2004-05-01", cpc=(Symbol("A61B 17/70"),))),
    QueryDocument("US2A", Patent("US2A", title="a " * 10, published="2003", ipc=(Symbol("G06F 17/30"),))),
    QueryDocument(
        "US3A",
        Patent("US3A", published="2004", cpc=(Symbol("H01L 1/00", "later"), Symbol("A61B 8/00", "first"))),
    ),
    QueryDocument("q", Draft(title="a " * 30, filed="2001-02")),
    QueryDocument("r", Draft(title="x")),
)


def test_groups_of_queries() -> None:
    assert by_year(QUERIES).of == {"US1A": "2004", "US2A": "2003", "US3A": "2004", "q": "2001", "r": UNKNOWN}
    assert by_year(QUERIES).names == ("2001", "2003", "2004")
    assert by_subclass(QUERIES).of == {"US1A": "A61B", "US2A": "G06F", "US3A": "A61B", "q": UNKNOWN, "r": UNKNOWN}
    lengths = by_length(QUERIES, edges=(5, 10, 20))
    assert lengths.names == ("under 5 words", "10 to 19 words", "20 words and more")
    assert lengths.of["US2A"] == "10 to 19 words"
    assert by_length(QUERIES).names == ("under 500 words",)
    with pytest.raises(ForeartError, match="ascending"):
        by_length(QUERIES, edges=(5, 5))


def test_every_metric_over_each_group() -> None:
    run = run_of(
        {
            "US1A": {"US11": 2.0, "US12": 1.0},
            "US2A": {"US12": 2.0, "US11": 1.0},
            "US3A": {"US12": 2.0, "US11": 1.0},
            "r": {"US11": 1.0},
        }
    )
    qrels = qrels_of([(query.id, "US11", 1) for query in QUERIES])
    pairs = labelled_pairs([("US1A", [0.9], [0.5]), ("US3A", [0.1], [0.2]), ("US2A", [0.4], [])])
    found = by_group(evaluate_run(run, qrels, ["map", "auc"], pairs=pairs), by_year(QUERIES))
    assert [(group.name, group.queries, group.values["map"]) for group in found] == [
        ("2001", 1, 0.0),
        ("2003", 1, 0.5),
        ("2004", 2, 0.75),
        (UNKNOWN, 1, 1.0),
    ]
    assert found[2].values["auc"] == pytest.approx(roc_auc_score([1, 0, 1, 0], [0.9, 0.5, 0.1, 0.2]))
    assert math.isnan(found[1].values["auc"])


@pytest.mark.parametrize("name", GROUPINGS)
def test_groups_hold_every_query_once(name: str) -> None:
    run = run_of({query.id: {"US11": 1.0} for query in QUERIES})
    evaluation = evaluate_run(run, qrels_of([(query.id, "US11", 1) for query in QUERIES]), ["map"])
    groups = by_group(evaluation, GROUPINGS[name](QUERIES))
    assert sum(group.queries for group in groups) == len(QUERIES)
    assert all(group.values["map"] == 1.0 for group in groups)
    assert sum(group.queries for group in by_group(evaluation, GROUPINGS[name](QUERIES[:1]))) == len(QUERIES)
