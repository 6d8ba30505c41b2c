"""A run scored against qrels: every metric per query and over all queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from foreart.errors import ForeartError
from foreart.evaluation.formulas import JudgedRanking
from foreart.evaluation.metrics import DEFAULT_METRICS, RequestedMetric, parse_metrics
from foreart.evaluation.pairs.labelled import Labelled, by_key, judged_pairs
from foreart.evaluation.pairs.pooled import checked, tied
from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.run import RankedList, Run
from foreart.evaluation.trec.trec_files import Keys, matched


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Metrics of one run. `values` are means over the queries, or pooled over all pairs (auc, ap), by requested metric.

    `per_query` has a value for each of `queries` in order, NaN if a query lacks one of the two kinds of pairs.
    `left_out` are queries without relevant documents; `unranked` those missing from the run, which count 0.
    """

    queries: tuple[str, ...]
    metrics: tuple[RequestedMetric, ...]
    values: Mapping[str, float]
    per_query: Mapping[str, np.ndarray]
    left_out: tuple[str, ...]
    unranked: tuple[str, ...]
    pairs: Labelled | None
    tie_tolerance: float

    def __getitem__(self, metric: str) -> float:
        """The value of a metric, by its requested spelling."""
        return self.values[metric]


def evaluate_run(
    run: Run,
    qrels: Qrels,
    metrics: str | Iterable[str] = DEFAULT_METRICS,
    *,
    pairs: Labelled | None = None,
    tie_tolerance: float = 0.0,
) -> Evaluation:
    """Evaluates a run as trec_eval does with `-c`: every query of the qrels counts, 0 if it is not ranked.

    Numbers match without kind code, and of several publications of one number in a ranking the best counts. Ties
    keep the order of the ranking (see `RankedList`). Pooled metrics compare `pairs`; without them, documents judged
    relevant with documents judged not relevant.
    """
    requested = parse_metrics(metrics)
    keys = Keys()
    names = matched(qrels.queries, run.rankings)
    grades = {query: by_key(judgements, keys) for query, judgements in qrels.grades.items()}
    queries = tuple(query for query, judgements in grades.items() if any(grade > 0 for grade in judgements.values()))
    if not queries:
        raise ForeartError("no query has a relevant document: there is nothing to evaluate")
    judged = [_judged(run.rankings.get(names.get(query, "")), grades[query], keys) for query in queries]
    known = _pairs(requested, run, qrels, pairs, queries)
    per_query = {
        item.text: np.array([item.metric.ranked(ranking, item.k) for ranking in judged])
        if item.metric.ranked
        else pooled_each(item, known, tie_tolerance)
        for item in requested
    }
    return Evaluation(
        queries=queries,
        metrics=requested,
        values={item.text: total(item, per_query[item.text], known, tie_tolerance) for item in requested},
        per_query=per_query,
        left_out=tuple(query for query in qrels.queries if query not in set(queries)),
        unranked=tuple(query for query in queries if query not in names),
        pairs=known,
        tie_tolerance=tie_tolerance,
    )


def total(requested: RequestedMetric, per_query: np.ndarray, pairs: Labelled | None, tie_tolerance: float) -> float:
    """A metric over all queries: the mean, or pooled over all pairs; NaN if it is not defined."""
    if requested.metric.pooled is None:
        return float(per_query.mean()) if len(per_query) else float("nan")
    assert pairs is not None
    return _pooled(requested, pairs.scores, pairs.labels, tie_tolerance)


def pooled_each(requested: RequestedMetric, pairs: Labelled | None, tie_tolerance: float) -> np.ndarray:
    """A pooled metric over the pairs of each query alone."""
    assert pairs is not None
    order = np.argsort(pairs.places, kind="stable")
    ends = np.cumsum(np.bincount(pairs.places, minlength=len(pairs.queries)))
    parts = np.split(order, ends[:-1])
    return np.array([_pooled(requested, pairs.scores[part], pairs.labels[part], tie_tolerance) for part in parts])


def _pooled(requested: RequestedMetric, scores: np.ndarray, labels: np.ndarray, tie_tolerance: float) -> float:
    assert requested.metric.pooled is not None
    if not labels.any() or labels.all():
        return float("nan")
    ties = tied(scores, tie_tolerance)
    return requested.metric.pooled(ties.counts(labels), ties.counts(1.0 - labels))


def _judged(ranked: RankedList | None, grades: Mapping[str, int], keys: Keys) -> JudgedRanking:
    seen: dict[str, int] = {}
    for number in ranked.ids if ranked is not None else ():
        key = keys[number]
        if key not in seen:
            seen[key] = max(0, grades.get(key, 0))
    relevant = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    return JudgedRanking(np.fromiter(seen.values(), np.int64, len(seen)), np.array(relevant))


def _pairs(
    requested: tuple[RequestedMetric, ...], run: Run, qrels: Qrels, pairs: Labelled | None, queries: tuple[str, ...]
) -> Labelled | None:
    """The pairs of the evaluated queries; None if no metric needs them."""
    wanted = [item.text for item in requested if item.metric.pooled]
    if not wanted:
        return None
    known = (judged_pairs(run, qrels) if pairs is None else pairs).only(queries)
    checked(known.scores, known.labels)
    if not known.labels.any() or known.labels.all():
        raise ForeartError(
            f"{' and '.join(wanted)} cannot be computed from {len(known) - known.cited:,} pairs that are not relevant "
            f"and {known.cited:,} that are: give random documents to compare with"
        )
    return known
