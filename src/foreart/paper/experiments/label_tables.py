"""Evaluation of the expert labels: T2, T3, T4, and the pairs of F3 and F9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.errors import ForeartError
from foreart.evaluation.pairs.pooled import Confusion, auc, average_precision, confusion, spearman
from foreart.paper.experiments.published_values import FALSE_NEGATIVE, FALSE_POSITIVE, FALSE_POSITIVE_OF_BOTH
from foreart.paper.experiments.study import Study
from foreart.review import JudgedPair


@dataclass(frozen=True)
class Labels:
    """Judged pairs in columns. `positions` are those among all compared pairs, −1 for pairs that are not compared."""

    pairs: tuple[JudgedPair, ...]
    cosine: np.ndarray
    positions: np.ndarray

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def cited(self) -> np.ndarray:
        """1 for pairs of the search report."""
        return np.array([item.cited for item in self.pairs], dtype=np.int64)

    @property
    def relevant(self) -> np.ndarray:
        """1 for pairs the expert judged relevant."""
        return np.array([item.relevant for item in self.pairs], dtype=np.int64)

    @property
    def score(self) -> np.ndarray:
        """0 to 5."""
        return np.array([item.score for item in self.pairs], dtype=np.float64)


def labels_of(study: Study, bow: np.ndarray | None) -> Labels | None:
    """The labels, with the cosine of their sheet, else that of the bag of words; None without labels."""
    if not study.judged:
        return None
    positions = study.compared.positions(study.ids, [(item.target, item.document) for item in study.judged])
    cosine = np.full(len(positions), np.nan)
    if bow is not None:
        cosine[positions >= 0] = bow[positions[positions >= 0]]
    given = np.array([np.nan if item.cosine is None else item.cosine for item in study.judged], dtype=np.float64)
    return Labels(study.judged, np.where(np.isnan(given), cosine, given), positions)


def agreement(labels: Labels) -> Confusion:
    """T2: the search report compared with the expert."""
    return confusion(labels.relevant, labels.cited)


def correlations(labels: Labels) -> dict[tuple[str, str], float | None]:
    """T3: Spearman's ρ; None if one of the two is constant."""
    known = ~np.isnan(labels.cosine)
    columns = {"cosine": labels.cosine[known], "score": labels.score[known], "cited": labels.cited[known]}
    return {(left, right): _rho(columns[left], columns[right])
            for left, right in (("cosine", "cited"), ("cosine", "score"), ("score", "cited"))}  # fmt: skip


def label_metrics(labels: Labels, scores: np.ndarray) -> dict[tuple[str, str], float | None]:
    """T4: AUC and AP of an array of scores, with the expert and with the search report as truth."""
    known = labels.positions >= 0
    values = scores[labels.positions[known]]
    metrics: dict[tuple[str, str], float | None] = {}
    for name, truth in (("relevant", labels.relevant[known]), ("cited", labels.cited[known])):
        has_both = 0 < truth.sum() < len(truth)
        metrics["auc", name] = auc(values, truth) if has_both else None
        metrics["ap", name] = average_precision(values, truth) if has_both else None
    return metrics


def outliers(labels: Labels) -> dict[str, tuple[str, int] | None]:
    """Target and position of the pairs to mark: those of the paper if present, else the highest of their kind."""
    kinds: Sequence[tuple[str, tuple[str, str], np.ndarray]] = (
        ("missed", FALSE_NEGATIVE, (labels.cited == 0) & (labels.relevant == 1)),
        ("like", FALSE_POSITIVE, (labels.cited == 0) & (labels.relevant == 0)),
        ("cited", FALSE_POSITIVE_OF_BOTH, (labels.cited == 1) & (labels.relevant == 0)),
    )
    return {name: _outlier(labels, paper, chosen) for name, paper, chosen in kinds}


def panel(labels: Labels, target: str, marked: int | None) -> Mapping[str, Any]:
    """The pairs of one target as F3 and F9 draw them."""
    chosen = [position for position, item in enumerate(labels.pairs) if item.target == target]
    chosen = [position for position in chosen if not np.isnan(labels.cosine[position])]
    return {
        "heading": f"Target {target}",
        "ids": [labels.pairs[position].document for position in chosen],
        "cosine": [float(labels.cosine[position]) for position in chosen],
        "score": [float(labels.pairs[position].score) for position in chosen],
        "groups": _groups(labels, chosen),
        "marked": chosen.index(marked) if marked in chosen else None,
        "marked_id": labels.pairs[marked].document if marked is not None else "",
    }


def _outlier(labels: Labels, paper: tuple[str, str], kind: np.ndarray) -> tuple[str, int] | None:
    for position, item in enumerate(labels.pairs):
        if item.target.startswith(paper[0]) and item.document.startswith(paper[1]):
            return item.target, position
    candidates = np.flatnonzero(kind & ~np.isnan(labels.cosine))
    if not len(candidates):
        return None
    best = min(candidates.tolist(), key=lambda position: (-labels.cosine[position], labels.pairs[position].document))
    return labels.pairs[best].target, best


def _groups(labels: Labels, chosen: Sequence[int]) -> list[str]:
    """Cited, or random of high, middle or low cosine: by the sample's strata, else by thirds of the ranking."""
    others = sorted((row for row in chosen if not labels.pairs[row].cited), key=lambda row: -labels.cosine[row])
    third = {row: ("high", "middle", "low")[3 * rank // len(others)] for rank, row in enumerate(others)}
    strata = {"high", "middle", "low"}
    return [
        "cited"
        if labels.pairs[row].cited
        else f"random, {labels.pairs[row].stratum if labels.pairs[row].stratum in strata else third[row]}"
        for row in chosen
    ]


def _rho(left: np.ndarray, right: np.ndarray) -> float | None:
    try:
        return spearman(left, right)
    except ForeartError:
        return None
