"""Evaluates the ranking of one training query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.evaluation import parse_metrics
from foreart.evaluation.formulas import JudgedRanking
from foreart.learning.examples import Example

METRICS = ("map", "ndcg@10", "recall@100", "pres@100")
# Scores down to this rank are kept for calibration.
_CALIBRATION_DEPTH = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Metrics by name, and the best scores with citation labels."""

    metrics: Mapping[str, float]
    scores: np.ndarray
    cited: np.ndarray


def judged(scored: tuple[Example, np.ndarray]) -> Judgement:
    """Evaluates the scores of all documents for an example."""
    example, scores = scored
    rows = np.flatnonzero(example.features.known)
    ranked = rows[np.argsort(-scores[rows], kind="stable")]
    cited = np.isin(ranked, example.relevant)
    ranking = JudgedRanking(cited.astype(np.int64), np.ones(len(example.relevant), dtype=np.int64))
    metrics = {item.text: item.metric.ranked(ranking, item.k) for item in parse_metrics(METRICS) if item.metric.ranked}
    return Judgement(metrics, scores[ranked[:_CALIBRATION_DEPTH]], cited[:_CALIBRATION_DEPTH])
