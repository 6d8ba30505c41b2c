"""The cold protocol: as if no document of the corpus shared the citations of a query, as for a draft on a new subject.

The siblings of a query (`search.ranking.near.siblings`) are hidden with their families, as text and as citing
documents, and are no longer relevant. Queries with fewer than `MIN_RELEVANT` relevant documents left drop out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.evaluation.pairs.labelled import joined
from foreart.evaluation.protocol import Collection, Outcome, Progress, Scorer, relevant_rows, run_protocol
from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.queries import QueryDocument
from foreart.evaluation.trec.run import Run
from foreart.search.ranking.near.siblings import MIN_RELEVANT


@dataclass(frozen=True, slots=True, eq=False)
class ColdOutcome:
    """Rankings and pairs without siblings, the judgements that are left, and how many queries have siblings."""

    outcome: Outcome
    qrels: Qrels
    with_siblings: int


def run_cold(
    warm: Outcome,
    queries: Sequence[QueryDocument],
    scorer: Scorer,
    collection: Collection,
    qrels: Qrels,
    *,
    random: Sequence[int] = (),
    depth: int | None = None,
    progress: Progress | None = None,
) -> ColdOutcome | None:
    """Ranks the queries that have siblings again without these; the others keep their `warm` rankings.

    None if the corpus has no citations, or if no query is left.
    """
    hidden: dict[str, np.ndarray] = {}
    left: dict[str, dict[str, int]] = {}
    for query in queries:
        rows = _hidden(query, collection, qrels)
        gone = set(rows.tolist())
        grades = {
            number: grade
            for number, grade in qrels.grades.get(query.id, {}).items()
            if not gone.intersection(collection.rows(number).tolist())
        }
        known = [number for number, grade in grades.items() if grade > 0 and len(collection.rows(number))]
        if len(known) >= MIN_RELEVANT:
            left[query.id] = grades
            if len(rows):
                hidden[query.id] = rows
    if collection.siblings is None or not left:
        return None
    again = [query for query in queries if query.id in hidden]
    cold = run_protocol(
        again,
        scorer,
        replace(collection, hidden=hidden),
        replace(qrels, grades=left),
        random=random,
        depth=depth,
        tag=warm.run.tag,
        progress=progress,
    )
    kept = [query for query in left if query not in hidden]
    rankings = {query: (cold if query in hidden else warm).run.rankings[query] for query in left}
    pairs = joined(warm.pairs.only(kept), cold.pairs)
    return ColdOutcome(Outcome(Run(rankings, warm.run.tag), pairs), replace(qrels, grades=left), len(again))


def _hidden(query: QueryDocument, collection: Collection, qrels: Qrels) -> np.ndarray:
    """The rows of a query's siblings and their families."""
    if collection.siblings is None:
        return np.empty(0, dtype=np.int64)
    scope = collection.scope(query)
    rows = np.concatenate([np.empty(0, np.int64), *relevant_rows(query, qrels, collection)])
    return collection.siblings.of(rows[scope.known[rows]], scope.own.rows)
