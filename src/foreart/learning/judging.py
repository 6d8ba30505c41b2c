"""Evaluates the rankings of training queries, warm and cold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.evaluation import parse_metrics
from foreart.evaluation.formulas import JudgedRanking
from foreart.learning.trainer import Neighboured
from foreart.search.ranking import MIN_RELEVANT, Calibration, HeldOut, Signals, Weighted, calibrate, kind_rule

METRICS = ("map", "ndcg@10", "recall@100", "pres@100")
# Scores down to this rank are kept for calibration.
_CALIBRATION_DEPTH = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Metrics by name, and the best scores with citation labels.

    `siblings` says whether siblings of the query were known, `relevant` how many documents were relevant, `share` is
    the largest share of citations that a neighbour was estimated to have in common.
    """

    metrics: Mapping[str, float]
    scores: np.ndarray
    cited: np.ndarray
    siblings: bool
    relevant: int
    share: float


def judged(item: Neighboured, candidates: Signals, weights: Weighted) -> Judgement:
    """Evaluates the ranking of the candidates of an example."""
    example = item.example
    scores = weights.scores(candidates, candidates)
    order = np.argsort(-scores, kind="stable")
    cited = np.isin(candidates.rows[order], example.relevant)
    ranking = JudgedRanking(cited.astype(np.int64), np.ones(len(example.relevant), dtype=np.int64))
    metrics = {
        asked.text: asked.metric.ranked(ranking, asked.k) for asked in parse_metrics(METRICS) if asked.metric.ranked
    }
    return Judgement(
        metrics,
        scores[order[:_CALIBRATION_DEPTH]],
        cited[:_CALIBRATION_DEPTH],
        example.siblings,
        len(example.relevant),
        item.near.share.largest,
    )


def held_out(judgements: Sequence[Sequence[Judgement]], folds: int) -> HeldOut:
    """The figures of all queries; each has a warm judgement, and a cold one if it has siblings."""
    how = f"{folds} folds, each held out in turn"
    warm = [items[0] for items in judgements]
    cold = [items[-1] for items in judgements if not items[-1].siblings and items[-1].relevant >= MIN_RELEVANT]
    with_siblings = [item for item in warm if item.siblings]
    kinds = kind_rule(*(np.array([item.share for item in items]) for items in (with_siblings, cold)))
    calibrated = with_siblings if kinds is not None else warm
    return HeldOut(
        {"judged": len(warm), "calibrated": len(calibrated), "how": how, **_means(warm)},
        {"judged": len(cold), "calibrated": len(cold), "how": f"{how}, siblings hidden", **_means(cold)},
        _calibration(calibrated),
        _calibration(cold),
        kinds,
    )


def _means(judgements: Sequence[Judgement]) -> dict[str, Any]:
    return {name: float(np.mean([item.metrics[name] for item in judgements])) for name in METRICS if judgements}


def _calibration(judgements: Sequence[Judgement]) -> Calibration:
    if not judgements:
        return Calibration()
    scores, cited = (np.concatenate([getattr(item, name) for item in judgements]) for name in ("scores", "cited"))
    return calibrate(scores, cited)
