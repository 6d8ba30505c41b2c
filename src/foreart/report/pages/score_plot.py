"""View model of the histogram of all scores, with the hits marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from foreart.report.wording.phrases import count
from foreart.search import Hit, Scores, Status

_MAX_TICKS = 12
_LEFT, _RIGHT, _TOP, _FLOOR = 66, 694, 36, 138


@dataclass(frozen=True, slots=True)
class HitDot:
    """The dot of a hit."""

    x: float
    status: Status
    tooltip: str


@dataclass(frozen=True, slots=True)
class ScorePlot:
    """Coordinates in a frame of `width` × `height`; `columns` are x, y and width, their heights logarithmic counts."""

    label: str
    ticks: tuple[tuple[float, str], ...]
    grid: tuple[tuple[float, str], ...]
    columns: tuple[tuple[float, float, float], ...]
    dots: tuple[HitDot, ...]
    width: int = 720
    height: int = 190
    left: int = _LEFT
    right: int = _RIGHT
    top: int = _TOP
    floor: int = _FLOOR


@dataclass(frozen=True, slots=True)
class _Axis:
    """From `first` to `last` in `steps` round steps."""

    first: float
    step: float
    steps: int

    @property
    def last(self) -> float:
        return self.first + self.step * self.steps

    def x(self, score: float) -> float:
        share = (score - self.first) / (self.last - self.first)
        return round(_LEFT + (_RIGHT - _LEFT) * min(max(share, 0.0), 1.0), 1)

    def ticks(self) -> tuple[tuple[float, str], ...]:
        digits = max(0, -math.floor(math.log10(self.step) + 1e-9))
        values = (self.first + position * self.step + 0.0 for position in range(self.steps + 1))
        return tuple((self.x(value), f"{value:.{digits}f}") for value in values)


def score_plot(scores: Scores, hits: Sequence[Hit]) -> ScorePlot | None:
    """The histogram; None if no document has a score."""
    if not scores.greatest:
        return None
    axis, maximum = _axis(scores), max(scores.counts)
    label = f"Scores of {count(sum(scores.counts), 'document')}, from {scores.least:.3g} to {scores.greatest:.3f}."
    if hits:
        label += f" The {count(len(hits), 'hit')} listed are between {hits[-1].score:.3f} and {hits[0].score:.3f}."
    return ScorePlot(
        label=label,
        ticks=axis.ticks(),
        grid=tuple(
            (_y(number, maximum), f"{number:,}") for number in (10**power for power in range(7)) if number <= maximum
        ),
        columns=_columns(scores, axis),
        # The best hit last, so that its dot is on top.
        dots=tuple(HitDot(axis.x(hit.score), hit.status, f"{hit.rank}: {hit.score:.3f}") for hit in reversed(hits)),
    )


def _axis(scores: Scores) -> _Axis:
    """At most twelve round steps that cover all scores."""
    width = (scores.greatest - scores.least) / _MAX_TICKS
    power = 10.0 ** math.floor(math.log10(width))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= width * (1 - 1e-9))
    first = math.floor(scores.least / step + 1e-9)
    return _Axis(first * step, step, max(1, math.ceil(scores.greatest / step - 1e-9) - first))


def _y(number: int, maximum: int) -> float:
    return round(_FLOOR - (_FLOOR - _TOP) * math.log1p(number) / math.log1p(maximum), 1)


def _columns(scores: Scores, axis: _Axis) -> tuple[tuple[float, float, float], ...]:
    step, maximum = (scores.greatest - scores.least) / len(scores.counts), max(scores.counts)
    spans = (
        (scores.least + position * step, scores.least + (position + 1) * step) for position in range(len(scores.counts))
    )
    return tuple(
        (axis.x(start), _y(number, maximum), round(max(axis.x(end) - axis.x(start) - 1, 1), 1))
        for (start, end), number in zip(spans, scores.counts, strict=True)
        if number
    )
