"""The candidates of every target of a simulated review, warm and cold, with scores of what did not learn from it."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from environment import SHARED
from foreart.evaluation import Collection, corpus_queries, ranker_scorer, read_qrels
from foreart.evaluation.protocol import relevant_rows
from foreart.learning.review_cases import ReviewCase
from foreart.library import Library
from foreart.review.feedback import POOL, family_names, first_of_families
from foreart.search.ranker import Ranker
from foreart.search.ranking import MIN_RELEVANT, CitationGraph, Siblings


@dataclass(frozen=True, slots=True, eq=False)
class TargetCase:
    """One target as a review; a cold one without siblings is the warm one."""

    target: str
    cold: bool
    case: ReviewCase


def target_cases(ranker: Ranker, library: Library) -> list[TargetCase]:
    """The candidates of every target, warm and cold, with scores of what did not learn from it."""
    qrels = read_qrels(SHARED / "ultrasound.qrels")
    collection = Collection(ranker.view, library.corpus)
    siblings = Siblings(CitationGraph(ranker.view))
    scorer, found = ranker_scorer(ranker), []
    for query in corpus_queries(library.corpus, qrels).queries:
        scope = collection.scope(query)
        relevant = np.concatenate([np.empty(0, np.int64), *relevant_rows(query, qrels, collection)])
        relevant = relevant[scope.known[relevant]]
        hidden = siblings.of(relevant, scope.own.rows)
        known = scope.known.copy()
        known[hidden] = False
        left = np.setdiff1d(relevant, hidden)
        kinds = [(len(hidden) == 0, scope, relevant)]
        if len(hidden) and len(left) >= MIN_RELEVANT:
            kinds.append((True, replace(scope, known=known), left))
        row = int(collection.rows(query.id)[0])
        for cold, what, wanted in kinds:
            compared = scorer(replace(query, document=query.blind), what)
            rows = compared.candidates(what.known)
            found.append(
                TargetCase(query.id, cold, _case(row, rows, compared.scores_of(rows), wanted, what.known, ranker))
            )
        print(query.id, file=sys.stderr, flush=True)
    return found


def _case(
    row: int, rows: np.ndarray, scores: np.ndarray, relevant: np.ndarray, known: np.ndarray, ranker: Ranker
) -> ReviewCase:
    families = ranker.view.families
    order = np.lexsort((rows, -scores))
    order = order[first_of_families(rows[order], families)][:POOL]
    cited = relevant[first_of_families(relevant, families)]
    mask = np.isin(family_names(rows[order], families), family_names(cited, families))
    outside = len(cited) - int(mask.sum())
    count = int(np.count_nonzero(known))
    return ReviewCase(row, rows[order], scores[order], mask, outside, count, np.packbits(known), warm=False, fold=-1)


def cached(path: Path, make: Callable[[], list[TargetCase]]) -> list[TargetCase]:
    """Cases from the cache folder, made if they are not there."""
    if not path.exists():
        path.write_bytes(pickle.dumps([(item.target, item.cold, item.case) for item in make()]))
    found = [TargetCase(*item) for item in pickle.loads(path.read_bytes())]
    return found


def warm_cases(cases: Sequence[TargetCase], with_siblings: set[str]) -> list[TargetCase]:
    """Every target once, with its siblings if it has any."""
    return [case for case in cases if not case.cold or case.target not in with_siblings]
