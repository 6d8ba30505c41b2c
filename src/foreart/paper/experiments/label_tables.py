"""What the expert's labels tell: T2, T3, T4, and the pairs that F3 and F9 show."""

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
    """Judged pairs in columns. `places` are those of the pairs among all that are compared, −1 where they are not."""

    pairs: tuple[JudgedPair, ...]
    cosine: np.ndarray
    places: np.ndarray

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def cited(self) -> np.ndarray:
        """1 for pairs of the search report."""
        return np.array([item.cited for item in self.pairs], dtype=np.int64)

    @property
    def relevant(self) -> np.ndarray:
        """1 for pairs the expert called relevant."""
        return np.array([item.relevant for item in self.pairs], dtype=np.int64)

    @property
    def score(self) -> np.ndarray:
        """0 to 5."""
        return np.array([item.score for item in self.pairs], dtype=np.float64)


def labels_of(study: Study, bow: np.ndarray | None) -> Labels | None:
    """The labels, with the cosine their sheet gives, else that of the bag of words; None if there are none."""
    if not study.judged:
        return None
    places = study.compared.places(study.ids, [(item.target, item.document) for item in study.judged])
    cosine = np.full(len(places), np.nan)
    if bow is not None:
        cosine[places >= 0] = bow[places[places >= 0]]
    given = np.array([np.nan if item.cosine is None else item.cosine for item in study.judged], dtype=np.float64)
    return Labels(study.judged, np.where(np.isnan(given), cosine, given), places)


def agreement(labels: Labels) -> Confusion:
    """T2: the search report held against the expert."""
    return confusion(labels.relevant, labels.cited)


def correlations(labels: Labels) -> dict[tuple[str, str], float | None]:
    """T3: Spearman's ρ; None where one of the two does not differ."""
    known = ~np.isnan(labels.cosine)
    columns = {"cosine": labels.cosine[known], "score": labels.score[known], "cited": labels.cited[known]}
    return {(one, other): _rho(columns[one], columns[other])
            for one, other in (("cosine", "cited"), ("cosine", "score"), ("score", "cited"))}  # fmt: skip


def told_apart(labels: Labels, scores: np.ndarray) -> dict[tuple[str, str], float | None]:
    """T4: AUC and AP of one line of scores, held against the expert and against the search report."""
    known = labels.places >= 0
    values = scores[labels.places[known]]
    found: dict[tuple[str, str], float | None] = {}
    for name, truth in (("relevant", labels.relevant[known]), ("cited", labels.cited[known])):
        both = 0 < truth.sum() < len(truth)
        found["auc", name] = auc(values, truth) if both else None
        found["ap", name] = average_precision(values, truth) if both else None
    return found


def outliers(labels: Labels) -> dict[str, tuple[str, int] | None]:
    """Target and place of the pairs to mark: those of the paper if they are there, else the highest of their kind."""
    kinds: Sequence[tuple[str, tuple[str, str], np.ndarray]] = (
        ("missed", FALSE_NEGATIVE, (labels.cited == 0) & (labels.relevant == 1)),
        ("like", FALSE_POSITIVE, (labels.cited == 0) & (labels.relevant == 0)),
        ("cited", FALSE_POSITIVE_OF_BOTH, (labels.cited == 1) & (labels.relevant == 0)),
    )
    return {name: _outlier(labels, paper, chosen) for name, paper, chosen in kinds}


def panel(labels: Labels, target: str, marked: int | None) -> Mapping[str, Any]:
    """The pairs of one target as F3 and F9 draw them."""
    chosen = [place for place, item in enumerate(labels.pairs) if item.target == target]
    chosen = [place for place in chosen if not np.isnan(labels.cosine[place])]
    return {
        "heading": f"Target {target}",
        "ids": [labels.pairs[place].document for place in chosen],
        "cosine": [float(labels.cosine[place]) for place in chosen],
        "score": [float(labels.pairs[place].score) for place in chosen],
        "groups": _groups(labels, chosen),
        "marked": chosen.index(marked) if marked in chosen else None,
        "marked_id": labels.pairs[marked].document if marked is not None else "",
    }


def _outlier(labels: Labels, paper: tuple[str, str], kind: np.ndarray) -> tuple[str, int] | None:
    for place, item in enumerate(labels.pairs):
        if item.target.startswith(paper[0]) and item.document.startswith(paper[1]):
            return item.target, place
    found = np.flatnonzero(kind & ~np.isnan(labels.cosine))
    if not len(found):
        return None
    best = min(found.tolist(), key=lambda place: (-labels.cosine[place], labels.pairs[place].document))
    return labels.pairs[best].target, best


def _groups(labels: Labels, chosen: Sequence[int]) -> list[str]:
    """Cited, or random of high, middle or low cosine: by the sample's strata, else by thirds of the ranking."""
    others = sorted((place for place in chosen if not labels.pairs[place].cited), key=lambda at: -labels.cosine[at])
    third = {place: ("high", "middle", "low")[3 * rank // len(others)] for rank, place in enumerate(others)}
    strata = {"high", "middle", "low"}
    return [
        "cited"
        if labels.pairs[place].cited
        else f"random, {labels.pairs[place].stratum if labels.pairs[place].stratum in strata else third[place]}"
        for place in chosen
    ]


def _rho(one: np.ndarray, other: np.ndarray) -> float | None:
    try:
        return spearman(one, other)
    except ForeartError:
        return None
