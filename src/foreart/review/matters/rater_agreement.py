"""How far two raters of a matter agree: Cohen's kappa on what both judged, with an interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from foreart.review.agreement import weighted_kappa
from foreart.review.matters.matter_state import MatterState

# Scores of judgements for `weighted_kappa`; `later` is none.
_SCORES = {"no": 0, "maybe": 1, "relevant": 2}
# With fewer documents the large-sample interval means nothing.
FEWEST = 10
_NORMAL = 1.959964


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Two raters on the families that both judged.

    `kappa` is Cohen's, without weights; `interval` its 95 % confidence interval (Fleiss, Cohen and Everitt 1969), None
    if both judged fewer than ten families or agree on all: then nothing can be said by it. `differing` are the
    documents on which they differ.
    """

    raters: tuple[str, str]
    common: int
    equal: int
    kappa: float | None
    interval: tuple[float, float] | None
    linear: float | None
    differing: tuple[str, ...]


def rater_agreements(state: MatterState) -> tuple[RaterAgreement, ...]:
    """The agreement of every two raters who judged something."""
    raters = sorted({item.rater for item in state.judgements})
    return tuple(_agreement(state, one, other) for one, other in combinations(raters, 2))


def kappa_interval(one: Sequence[int], other: Sequence[int]) -> tuple[float, float] | None:
    """The 95 % interval of Cohen's kappa for large samples."""
    kappa = weighted_kappa(one, other, weights="unweighted")
    if kappa is None or len(one) < FEWEST or list(one) == list(other):
        return None
    half = _NORMAL * kappa_error(one, other, kappa)
    return max(-1.0, kappa - half), min(1.0, kappa + half)


def kappa_error(one: Sequence[int], other: Sequence[int], kappa: float) -> float:
    """The standard error of kappa: Fleiss, Cohen and Everitt 1969, equation 13."""
    n = len(one)
    cells = {pair: count / n for pair, count in Counter(zip(one, other, strict=True)).items()}
    rows = {score: count / n for score, count in Counter(one).items()}
    columns = {score: count / n for score, count in Counter(other).items()}
    chance = sum(share * columns.get(score, 0.0) for score, share in rows.items())
    variance = -((kappa - chance * (1 - kappa)) ** 2)
    for (row, column), share in cells.items():
        if row == column:
            variance += share * (1 - (rows[row] + columns[column]) * (1 - kappa)) ** 2
        else:
            variance += share * (1 - kappa) ** 2 * (columns.get(row, 0.0) + rows.get(column, 0.0)) ** 2
    return sqrt(max(0.0, variance) / n) / (1 - chance)


def _agreement(state: MatterState, one: str, other: str) -> RaterAgreement:
    common = list(_common(state, one, other))
    first, second = [a for _, a, _ in common], [b for _, _, b in common]
    return RaterAgreement(
        raters=(one, other),
        common=len(common),
        equal=sum(a == b for a, b in zip(first, second, strict=True)),
        kappa=weighted_kappa(first, second, weights="unweighted"),
        interval=kappa_interval(first, second),
        linear=weighted_kappa(first, second),
        differing=tuple(document for document, a, b in common if a != b),
    )


def _common(state: MatterState, one: str, other: str) -> Iterator[tuple[str, int, int]]:
    """The families that both judged, by the document that the first rater named, and both scores."""
    theirs = state.judged_by(other)
    for item in state.judgements:
        if item.rater != one or item.event.judgement not in _SCORES:
            continue
        numbers = (item.event.document, *item.event.family)
        found = next((theirs[number] for number in numbers if number in theirs), None)
        if found is not None and found.event.judgement in _SCORES:
            yield item.event.document, _SCORES[item.event.judgement], _SCORES[found.event.judgement]
