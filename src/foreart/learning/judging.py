"""Evaluates the rankings of training queries, warm and cold, as they were and as they would be today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.evaluation import parse_metrics
from foreart.evaluation.formulas import JudgedRanking
from foreart.learning.crowding import crowded
from foreart.learning.trainer import Neighboured
from foreart.search.ranking import MIN_RELEVANT, Calibration, HeldOut, Signals, Weighted, calibrate, kind_rule

METRICS = ("map", "ndcg@10", "recall@100", "pres@100")
# Scores down to this rank are kept for calibration.
_CALIBRATION_DEPTH = 1000
# Bootstrap samples of an interval, its level, and the seed.
_SAMPLES, _LEVEL, _SEED = 1000, 0.95, 1


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Metrics by name, and the best scores with citation labels.

    `metrics` are those of the ranking among the documents that the query knew, `today` those it would have among the
    documents of today. `siblings` says whether siblings of the query were known, `relevant` how many documents were
    relevant, `share` is the largest share of citations that a neighbour was estimated to have in common.
    """

    metrics: Mapping[str, float]
    today: Mapping[str, float]
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
    return Judgement(
        _metrics(cited, len(example.relevant)),
        _metrics(*crowded(cited, len(example.relevant), example.crowding)),
        scores[order[:_CALIBRATION_DEPTH]],
        cited[:_CALIBRATION_DEPTH],
        example.siblings,
        len(example.relevant),
        item.near.share.largest,
    )


def held_out(judgements: Sequence[Sequence[Judgement]], groups: Sequence[int], folds: int) -> HeldOut:
    """The figures of all queries; each has a warm judgement, and a cold one if it has siblings.

    `groups` are those of the queries: siblings share one. Warm figures are means over the queries as they were. Cold
    ones are what a draft of today on a new subject can expect, beside the `plain` means: of siblings only the first is
    ever on a new subject, so that each group counts as one.
    """
    how = f"{folds} folds, each held out in turn"
    warm = [items[0] for items in judgements]
    cold = [
        (items[-1], group)
        for items, group in zip(judgements, groups, strict=True)
        if not items[-1].siblings and items[-1].relevant >= MIN_RELEVANT
    ]
    with_siblings = [item for item in warm if item.siblings]
    without = [item for item, _ in cold]
    kinds = kind_rule(*(np.array([item.share for item in items]) for items in (with_siblings, without)))
    calibrated = with_siblings if kinds is not None else warm
    return HeldOut(
        {"judged": len(warm), "calibrated": len(calibrated), "how": how, **_plain(warm)},
        {
            "judged": len(cold),
            "calibrated": len(cold),
            "how": f"{how}, siblings hidden, as of today",
            **_expected(cold),
        },
        _calibration(calibrated),
        _calibration(without),
        kinds,
    )


def _metrics(relevant: np.ndarray, total: int) -> dict[str, float]:
    """The metrics of a ranking, marks of relevant documents by rank, of `total` in all."""
    ranking = JudgedRanking(relevant.astype(np.int64), np.ones(total, dtype=np.int64))
    return {
        asked.text: asked.metric.ranked(ranking, asked.k) for asked in parse_metrics(METRICS) if asked.metric.ranked
    }


def _plain(judgements: Sequence[Judgement]) -> dict[str, float]:
    return {name: float(np.mean([item.metrics[name] for item in judgements])) for name in METRICS if judgements}


def _expected(judgements: Sequence[tuple[Judgement, int]]) -> dict[str, Any]:
    """Means over groups of the rankings of today, their intervals from groups drawn again, and plain means."""
    if not judgements:
        return {}
    _, places = np.unique([group for _, group in judgements], return_inverse=True)
    table = np.array([[item.today[name] for name in METRICS] for item, _ in judgements])
    means = np.stack([np.bincount(places, column) for column in table.T], axis=1) / np.bincount(places)[:, None]
    random = np.random.default_rng(_SEED)
    drawn = [means[random.integers(0, len(means), len(means))].mean(axis=0) for _ in range(_SAMPLES)]
    low, high = np.quantile(drawn, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0).tolist()
    return {
        **dict(zip(METRICS, means.mean(axis=0).tolist(), strict=True)),
        "groups": len(means),
        "intervals": {name: list(ends) for name, *ends in zip(METRICS, low, high, strict=True)},
        "plain": _plain([item for item, _ in judgements]),
    }


def _calibration(judgements: Sequence[Judgement]) -> Calibration:
    if not judgements:
        return Calibration()
    scores, cited = (np.concatenate([getattr(item, name) for item in judgements]) for name in ("scores", "cited"))
    return calibrate(scores, cited)
