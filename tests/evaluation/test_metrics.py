"""The metrics of retrieval: against trec_eval through ir_measures, and by hand."""

from __future__ import annotations

from math import log2
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, P, R, Rprec, Success, nDCG

from foreart.errors import ForeartError
from foreart.evaluation import (
    DEFAULT_METRICS,
    METRICS,
    Qrels,
    Run,
    evaluate_run,
    labelled_pairs,
    parse_metric,
    parse_metrics,
    qrels_of,
    read_run,
    run_of,
)

# Ours beside what trec_eval calls the same. Not `ir_measures.parse_measure`, which fails on Python 3.14.
PARITY = {
    "map": AP,
    "map@10": AP @ 10,
    "mrr": RR,
    "ndcg": nDCG,
    "ndcg@10": nDCG @ 10,
    "ndcg@100": nDCG @ 100,
    "p@5": P @ 5,
    "p@100": P @ 100,
    "recall@10": R @ 10,
    "recall@100": R @ 100,
    "rprec": Rprec,
    "success@3": Success @ 3,
}


def random_data(seed: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Twelve queries over 150 documents; graded, some relevant ones never ranked, some grades negative, no ties."""
    random = np.random.default_rng(seed)
    scores: dict[str, dict[str, float]] = {}
    grades: dict[str, dict[str, int]] = {}
    for query in (f"EP{number}" for number in range(1000001, 1000013)):
        documents = [f"US{number}" for number in random.choice(np.arange(5000000, 5000150), 120, replace=False)]
        ranked = documents[: int(random.integers(1, 110))]
        scores[query] = dict(zip(ranked, random.permutation(len(ranked)) / 7.0, strict=True))
        judged = random.choice(documents, int(random.integers(3, 60)), replace=False)
        grades[query] = {str(number): int(random.integers(-1, 4)) for number in judged} | {documents[0]: 2}
    return scores, grades


@pytest.mark.parametrize("seed", range(4))
def test_every_query_has_the_values_of_trec_eval(seed: int) -> None:
    scores, grades = random_data(seed)
    found = evaluate_run(run_of(scores), Qrels(grades), PARITY)
    expected = {
        (item.measure, item.query_id): item.value for item in ir_measures.iter_calc(PARITY.values(), grades, scores)
    }
    for ours, theirs in PARITY.items():
        values = [expected[theirs, query] for query in found.queries]
        np.testing.assert_allclose(found.per_query[ours], values, rtol=0, atol=1e-9, err_msg=ours)
        assert found[ours] == pytest.approx(float(np.mean(values)), abs=1e-9)
    assert len({round(value, 6) for value in expected.values()}) > 50


def test_means_are_those_of_trec_eval_with_the_option_c() -> None:
    """A query without a ranking counts 0; one that is ranked and not judged does not count."""
    scores, grades = random_data(9)
    lost, *_ = scores
    del scores[lost]
    scores["EP9"] = {"US1": 1.0}
    found = evaluate_run(run_of(scores), Qrels(grades), ["map", "ndcg@10", "recall@100"])
    names = ("map", "ndcg@10", "recall@100")
    expected = ir_measures.calc_aggregate([PARITY[name] for name in names], grades, scores)
    assert [found[name] for name in names] == pytest.approx([expected[PARITY[name]] for name in names], abs=1e-9)
    assert found.unranked == (lost,)
    assert found.per_query["map"][found.queries.index(lost)] == 0.0


def test_by_hand() -> None:
    """Relevant at ranks 1, 3 and 6, a fourth never found; grades 1, 3, 2 and 2."""
    run = run_of({"q": {f"US{rank}": -float(rank) for rank in range(1, 9)}})
    qrels = qrels_of([("q", "US1", 1), ("q", "US3", 3), ("q", "US6", 2), ("q", "US99", 2), ("q", "US2", 0)])
    found = evaluate_run(run, qrels, "map,mrr,ndcg,ndcg@3,p@5,p@20,recall@5,rprec,success@1,pres@5,pres@10,map@3,mrr@1")
    best = 3 + 2 / log2(3) + 2 / log2(4) + 1 / log2(5)
    assert found.values == pytest.approx(
        {
            "map": (1 + 2 / 3 + 3 / 6) / 4,
            "mrr": 1.0,
            "ndcg": (1 + 3 / log2(4) + 2 / log2(7)) / best,
            "ndcg@3": (1 + 3 / log2(4)) / (3 + 2 / log2(3) + 2 / log2(4)),
            "p@5": 2 / 5,
            "p@20": 3 / 20,
            "recall@5": 2 / 4,
            "rprec": 2 / 4,
            "success@1": 1.0,
            # Ranks 1 and 3; the third and the fourth count as ranked 5 + 3 and 5 + 4.
            "pres@5": 1 - ((1 + 3 + 8 + 9) / 4 - 5 / 2) / 5,
            "pres@10": 1 - ((1 + 3 + 6 + 14) / 4 - 5 / 2) / 10,
            "map@3": (1 + 2 / 3) / 4,
            "mrr@1": 1.0,
        }
    )


@given(st.sets(st.integers(1, 60), max_size=30), st.integers(0, 10), st.integers(1, 50))
def test_pres_lies_between_the_bounds_magdy_and_jones_prove(ranks: set[int], lost: int, k: int) -> None:
    """From n·R² / Nmax, all found at the very end, to R, all found at the very beginning."""
    n = len(ranks) + lost
    if not n:
        return
    run = run_of({"q": {f"US{rank}": -float(rank) for rank in range(1, 61)}})
    qrels = qrels_of([("q", f"US{rank}", 1) for rank in [*ranks, *range(100, 100 + lost)]])
    found = evaluate_run(run, qrels, [f"pres@{k}", f"recall@{k}"])
    share = found[f"recall@{k}"]
    assert n * share**2 / k - 1e-9 <= found[f"pres@{k}"] <= share + 1e-9


def test_pres_is_1_and_0_at_its_ends() -> None:
    qrels = qrels_of([("q", f"US{rank}", 1) for rank in (1, 2, 3)])
    best = run_of({"q": {f"US{rank}": -float(rank) for rank in range(1, 9)}})
    none = run_of({"q": {"US9": 1.0}})
    assert evaluate_run(best, qrels, ["pres@5"])["pres@5"] == pytest.approx(1.0)
    assert evaluate_run(none, qrels, ["pres@5"])["pres@5"] == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(4))
def test_ties_are_broken_as_trec_eval_does(seed: int, tmp_path: Path) -> None:
    """Few different scores, some of which differ only beyond single precision; ids of unequal length."""
    scores, grades = random_data(seed)
    random = np.random.default_rng(seed)
    for found in scores.values():
        found.update((number, float(random.integers(3) + random.integers(2) * 1e-9)) for number in found)
        found.update({"US5": 1.0, "US50": 1.0, "doc-é": 1.0, "doc-z": 1.0})
    lines = [f"{query} Q0 {number} 1 {score!r} t" for query, found in scores.items() for number, score in found.items()]
    (tmp_path / "tied.run").write_text("\n".join(lines), "utf-8")
    expected = {
        (item.measure, item.query_id): item.value for item in ir_measures.iter_calc(PARITY.values(), grades, scores)
    }
    for run in (run_of(scores), read_run(tmp_path / "tied.run")):
        found = evaluate_run(run, Qrels(grades), PARITY)
        for ours, theirs in PARITY.items():
            values = [expected[theirs, query] for query in found.queries]
            np.testing.assert_allclose(found.per_query[ours], values, rtol=0, atol=1e-9, err_msg=ours)


def test_ties_are_broken_by_the_id_as_it_was_written() -> None:
    """trec_eval compares US 30 and US-4 as strings, where the blank is less than the hyphen."""
    run = run_of({"q": {"US 30": 1.0, "US-4": 1.0, "US 5": 1.0, "far": -1e39, "farther": float("-inf")}})
    assert run.rankings["q"].ids == ("US4", "US5", "US30", "farther", "far")


def test_numbers_match_without_kind_code_and_count_once() -> None:
    run = run_of({"EP2405819": {"US1A": 5.0, "US4674515": 4.0, "US4674515B2": 3.0, "US7B1": 2.0}})
    qrels = qrels_of([("EP2405819A2", "US4674515A", 1), ("EP2405819A2", "US7A1", 1), ("EP2405819A2", "US7B2", 0)])
    found = evaluate_run(run, qrels, ["map", "recall@10"])
    assert found.values == {"map": pytest.approx((1 / 2 + 2 / 3) / 2), "recall@10": 1.0}
    assert found.queries == ("EP2405819A2",)


def test_two_publications_of_one_number_may_be_two_queries() -> None:
    """Each has its own ranking; a third that is not ranked itself takes the first of its number."""
    run = run_of({"EP1000001A1": {"US1": 2.0, "US2": 1.0}, "EP1000001B1": {"US2": 2.0, "US1": 1.0}})
    qrels = qrels_of([(f"EP1000001{kind}", "US1", 1) for kind in ("B1", "A1", "B2")] + [("EP1000001A1", "US9", 0)])
    pairs = labelled_pairs([("EP1000001A1", [1.0], [0.0]), ("EP1000001B1", [0.0], [1.0])])
    found = evaluate_run(run, qrels, ["mrr", "auc"], pairs=pairs)
    assert found.per_query["mrr"].tolist() == [0.5, 1.0, 1.0]
    assert found.per_query["auc"].tolist()[:2] == [0.0, 1.0]


def test_queries_without_relevant_documents_are_left_out_and_told() -> None:
    run = run_of({"q": {"US1": 1.0}, "r": {"US1": 1.0}})
    found = evaluate_run(run, qrels_of([("q", "US1", 1), ("r", "US1", 0)]), ["map"])
    assert (found["map"], found.queries, found.left_out, found.unranked) == (1.0, ("q",), ("r",), ())
    with pytest.raises(ForeartError, match="no query has a relevant document"):
        evaluate_run(run, qrels_of([("r", "US1", 0)]), ["map"])


def test_nothing_changes_its_arguments() -> None:
    scores, grades = random_data(3)
    run, qrels = run_of(scores), Qrels(grades)
    before = (repr(grades), {query: found.ids for query, found in run.rankings.items()})
    evaluate_run(run, qrels, PARITY)
    assert before == (repr(grades), {query: found.ids for query, found in run.rankings.items()})


def test_an_empty_run_scores_0_everywhere() -> None:
    names = [name for name in DEFAULT_METRICS if name not in ("auc", "ap")]
    found = evaluate_run(Run({}), qrels_of([("q", "US1", 1)]), names)
    assert list(found.values) == names
    assert set(found.values.values()) == {0.0}


@pytest.mark.parametrize(
    ("text", "name", "k"),
    [
        ("recall@100", "recall", 100),
        (" NDCG@10 ", "ndcg", 10),
        ("map", "map", None),
        ("MRR", "mrr", None),
        ("p@5", "p", 5),
        ("P_10", "p", 10),
        ("ndcg_cut_20", "ndcg", 20),
        ("recip_rank", "mrr", None),
        ("R@50", "recall", 50),
        ("pres@100", "pres", 100),
        ("auc", "auc", None),
        ("ap", "ap", None),
    ],
)
def test_metrics_as_people_write_them(text: str, name: str, k: int | None) -> None:
    asked = parse_metric(text)
    assert (asked.text, asked.metric, asked.k) == (text.strip(), METRICS[name], k)


@pytest.mark.parametrize("text", ["recal@100", "", "@10", "map,", "ndcg@ten", "10"])
def test_an_unknown_metric_is_told_with_those_there_are(text: str) -> None:
    with pytest.raises(ForeartError, match=r"there are map\[@K\], mrr\[@K\].*recall@K.*pres@K, auc, ap"):
        parse_metric(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("recall", "write recall@K, as in recall@100"),
        ("auc@10", "write auc"),
        ("p@0", "write p@K"),
        ("rprec@3", "rprec"),
    ],
)
def test_a_cut_that_is_missing_or_too_much(text: str, told: str) -> None:
    with pytest.raises(ForeartError, match=told):
        parse_metric(text)


def test_a_list_of_metrics_keeps_spelling_and_order() -> None:
    assert [asked.text for asked in parse_metrics("ndcg@10, MAP,map ,ndcg@10")] == ["ndcg@10", "MAP", "map"]
    assert [asked.text for asked in parse_metrics(DEFAULT_METRICS)] == list(DEFAULT_METRICS)
    with pytest.raises(ForeartError, match="no metric is named"):
        parse_metrics(" , ")


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.integers(1, 50))
def test_every_metric_lies_between_0_and_1(grades: list[int], k: int) -> None:
    run = run_of({"q": {f"US{rank}": -float(rank) for rank in range(1, 30)}})
    qrels = qrels_of([("q", f"US{place}", grade) for place, grade in enumerate([*grades, 1], start=1)])
    names = [f"{name}@{k}" if metric.cut != "never" else name for name, metric in METRICS.items() if metric.ranked]
    assert all(-1e-12 <= value <= 1 + 1e-12 for value in evaluate_run(run, qrels, names).values.values())
