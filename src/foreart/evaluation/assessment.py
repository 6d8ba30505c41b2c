"""One evaluation from start to end: rank the queries with an index, or take a run file, and compute metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.corpus import Corpus
from foreart.evaluation.cold_protocol import run_cold
from foreart.evaluation.evaluation import Evaluation, evaluate_run
from foreart.evaluation.metrics import DEFAULT_METRICS, parse_metrics
from foreart.evaluation.pairs.labelled import Labelled, run_pairs
from foreart.evaluation.protocol import (
    RANDOM,
    SEED,
    Collection,
    Progress,
    Scorer,
    random_rows,
    run_protocol,
)
from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.queries import QueryDocument
from foreart.evaluation.trec.run import Run, condensed


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """An evaluation, the run it judged, how many random documents its pairs have, and notes for the reader.

    `cold` is the evaluation without siblings, which `with_siblings` of the queries have (see `cold_protocol`).
    """

    evaluation: Evaluation
    run: Run
    random: int = 0
    notes: tuple[str, ...] = ()
    cold: Evaluation | None = None
    with_siblings: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """How to assess. `random` documents are drawn for pooled metrics; `judged` ranks only what people judged.

    `families` leaves a query's own family out of its ranking.
    """

    metrics: tuple[str, ...] = DEFAULT_METRICS
    random: int = RANDOM
    seed: int = SEED
    depth: int | None = None
    families: bool = True
    tie_tolerance: float = 0.0
    judged: bool = False

    @property
    def pooled(self) -> bool:
        """Whether random documents are needed."""
        return not self.judged and any(asked.metric.pooled for asked in parse_metrics(self.metrics))


def assess_scorer(
    scorer: Scorer,
    collection: Collection,
    queries: Sequence[QueryDocument],
    qrels: Qrels,
    conditions: EvaluationOptions,
    *,
    tag: str = "foreart",
    progress: Progress | None = None,
) -> Assessment:
    """Ranks the queries by the protocol and evaluates them; queries of the qrels that are not given do not count."""
    random = (
        random_rows(collection.ids, qrels, count=conditions.random, seed=conditions.seed) if conditions.pooled else ()
    )
    outcome = run_protocol(
        queries,
        scorer,
        collection,
        qrels,
        random=random,
        depth=conditions.depth,
        families=conditions.families,
        tag=tag,
        progress=progress,
    )
    kept = qrels.only(query.id for query in queries)
    found = _assessed(outcome.run, outcome.pairs, kept, conditions, len(random), outcome.notes)
    if conditions.judged or not conditions.families:
        return found
    cold = run_cold(outcome, queries, scorer, collection, kept, random=random, depth=conditions.depth)
    if cold is None:
        return found
    judged = _assessed(cold.outcome.run, cold.outcome.pairs, cold.qrels, conditions, len(random))
    return replace(found, cold=judged.evaluation, with_siblings=cold.with_siblings)


def assess_run(
    run: Run,
    qrels: Qrels,
    conditions: EvaluationOptions,
    *,
    corpus: Corpus | None = None,
    queries: Iterable[str] | None = None,
) -> Assessment:
    """Evaluates a run as it is: every query of the qrels counts, or those named. Pooled metrics need a corpus."""
    pairs: Labelled | None = None
    random: list[str] = []
    notes: tuple[str, ...] = ()
    if conditions.pooled and corpus is not None:
        ids = tuple(corpus.ids())
        random = [ids[row] for row in random_rows(ids, qrels, count=conditions.random, seed=conditions.seed)]
        pairs = run_pairs(run, qrels, random)
        lacking = int(np.isneginf(pairs.scores).sum())
        if lacking:
            notes = (f"the run is missing {lacking:,} of {len(pairs):,} pairs, which rank below all its scores",)
    if conditions.depth is not None:
        run = Run({query: found.first(conditions.depth) for query, found in run.rankings.items()}, run.tag)
    kept = qrels if queries is None else qrels.only(queries)
    return _assessed(run, pairs, kept, conditions, len(random), notes)


def _assessed(
    run: Run,
    pairs: Labelled | None,
    qrels: Qrels,
    conditions: EvaluationOptions,
    random: int,
    notes: tuple[str, ...] = (),
) -> Assessment:
    """Pairs of judged documents are made from the condensed run, others are those that were scored."""
    judged = condensed(run, qrels) if conditions.judged else run
    if pairs is not None and conditions.pooled and random < conditions.random:
        notes += (f"only {random:,} documents are neither a query nor relevant to one: all of them make pairs",)
    known = None if conditions.judged else pairs
    evaluation = evaluate_run(judged, qrels, conditions.metrics, pairs=known, tie_tolerance=conditions.tie_tolerance)
    return Assessment(evaluation, judged, random, notes)
