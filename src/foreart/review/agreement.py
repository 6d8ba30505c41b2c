"""Agreement between raters: weighted Cohen's kappa."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from foreart.errors import ForeartError
from foreart.review.labels import HIGHEST, LOWEST, Pair

# Penalty of a disagreement by the distance of the two scores.
WEIGHTS: dict[str, Callable[[int], int]] = {
    "linear": abs,
    "quadratic": lambda distance: distance**2,
    "unweighted": lambda distance: int(distance != 0),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters on the pairs that both judged; a kappa is None where all scores are the same."""

    raters: tuple[str, str]
    common: int
    equal: float
    linear: float | None
    quadratic: float | None


@dataclass(frozen=True, slots=True)
class MeanAgreement:
    """The mean over all pairs of raters with common judgements."""

    equal: float
    linear: float | None
    quadratic: float | None


def weighted_kappa(one: Sequence[int], other: Sequence[int], *, weights: str = "linear") -> float | None:
    """1 − observed / expected disagreement; None where no disagreement is expected, or nothing was judged.

    Distances are those of the scores, whether or not all scores of the scale occur.
    """
    if weights not in WEIGHTS:
        raise ForeartError(f"there are no weights {weights!r}; there are {', '.join(WEIGHTS)}")
    cost = WEIGHTS[weights]
    scale = range(LOWEST, HIGHEST + 1)
    observed = sum(cost(a - b) for a, b in zip(one, other, strict=True))
    expected = sum(cost(a - b) * one.count(a) * other.count(b) for a in scale for b in scale)
    return 1.0 - len(one) * observed / expected if expected else None


def agreements(raters: Mapping[str, Mapping[Pair, int]]) -> tuple[Agreement, ...]:
    """The agreement of every two raters, from their scores."""
    return tuple(_agreement(one, other, raters) for one, other in combinations(raters, 2))


def _agreement(one: str, other: str, raters: Mapping[str, Mapping[Pair, int]]) -> Agreement:
    common = sorted(raters[one].keys() & raters[other].keys())
    first, second = ([raters[rater][pair] for pair in common] for rater in (one, other))
    return Agreement(
        raters=(one, other),
        common=len(common),
        equal=fmean(a == b for a, b in zip(first, second, strict=True)) if common else 0.0,
        linear=weighted_kappa(first, second, weights="linear"),
        quadratic=weighted_kappa(first, second, weights="quadratic"),
    )


def agreement_record(raters: Mapping[str, Mapping[Pair, int]]) -> dict[str, Any]:
    """How far raters agree, as JSON holds it: how many pairs each judged, every two raters, and their mean."""
    if len(raters) < 2:
        raise ForeartError(
            f"only {next(iter(raters), 'nobody')} has judged pairs of this set: agreement needs two raters"
        )
    found = agreements(raters)
    judged = {name: len(given) for name, given in raters.items()}
    return {"judged": judged, "pairs": [asdict(item) for item in found], "mean": asdict(mean_agreement(found))}


def mean_agreement(found: Sequence[Agreement]) -> MeanAgreement:
    """Every two raters with common judgements count the same."""
    usable = [item for item in found if item.common]
    if not usable:
        raise ForeartError("no two raters have judged the same pair yet")
    return MeanAgreement(
        equal=fmean(item.equal for item in usable),
        linear=_mean([item.linear for item in usable]),
        quadratic=_mean([item.quadratic for item in usable]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
