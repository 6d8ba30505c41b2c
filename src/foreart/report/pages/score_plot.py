"""The scores of all documents as a small drawing, with the hits marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from foreart.report.wording.phrases import count
from foreart.search import Hit, Scores, Status

CLASSES: dict[Status, str] = {
    "prior art": "prior",
    "novelty only": "novelty",
    "date unknown": "unknown",
    "own family": "own",
    "after the date": "after",
}
_WIDTH, _HEIGHT = 720, 190
_LEFT, _RIGHT, _TOP, _FLOOR = 66, 26, 36, 138
_MOST_TICKS = 12


def score_plot(scores: Scores, hits: Sequence[Hit]) -> str:
    """An SVG: columns are numbers of documents on a logarithmic scale, lines with a dot are the hits."""
    if not scores.greatest:
        return ""
    axis = _axis(scores)
    label = f"Scores of {count(sum(scores.counts), 'document')}, from {scores.least:.3g} to {scores.greatest:.3f}."
    if hits:
        label += f" The {count(len(hits), 'hit')} listed lie between {hits[-1].score:.3f} and {hits[0].score:.3f}."
    return (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{_axes(axis, max(scores.counts))}{_columns(scores, axis)}{_dots(hits, axis)}</svg>"
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    """From `first` to `last` in so many round steps."""

    first: float
    step: float
    steps: int

    @property
    def last(self) -> float:
        return self.first + self.step * self.steps

    def text(self, place: int) -> str:
        digits = max(0, -math.floor(math.log10(self.step) + 1e-9))
        return f"{self.first + place * self.step + 0.0:.{digits}f}"


def _axis(scores: Scores) -> _Axis:
    """Round steps that hold all scores, at most twelve."""
    width = (scores.greatest - scores.least) / _MOST_TICKS
    power = 10.0 ** math.floor(math.log10(width))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= width * (1 - 1e-9))
    first = math.floor(scores.least / step + 1e-9)
    return _Axis(first * step, step, max(1, math.ceil(scores.greatest / step - 1e-9) - first))


def _x(score: float, axis: _Axis) -> float:
    share = (score - axis.first) / (axis.last - axis.first)
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * min(max(share, 0.0), 1.0)


def _y(number: int, most: int) -> float:
    return _FLOOR - (_FLOOR - _TOP) * math.log1p(number) / math.log1p(most)


def _axes(axis: _Axis, most: int) -> str:
    parts = [f'<line class="axis" x1="{_LEFT}" y1="{_FLOOR}" x2="{_WIDTH - _RIGHT}" y2="{_FLOOR}"/>']
    for place in range(axis.steps + 1):
        x = _x(axis.first + place * axis.step, axis)
        parts.append(f'<text class="tick" x="{x:.1f}" y="{_FLOOR + 20}" text-anchor="middle">{axis.text(place)}</text>')
    for number in (1, 10, 100, 1000, 10_000, 100_000, 1_000_000):
        if number <= most:
            y = _y(number, most)
            parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick" x="{_LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{number:,}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text class="tick" x="{middle:.1f}" y="{_FLOOR + 42}" text-anchor="middle">score</text>')
    return "".join(parts)


def _columns(scores: Scores, axis: _Axis) -> str:
    width = (scores.greatest - scores.least) / len(scores.counts)
    parts = []
    for place, number in enumerate(scores.counts):
        if number:
            x, end = _x(scores.least + place * width, axis), _x(scores.least + (place + 1) * width, axis)
            y = _y(number, max(scores.counts))
            parts.append(
                f'<rect class="column" x="{x:.1f}" y="{y:.1f}" '
                f'width="{max(end - x - 1, 1):.1f}" height="{_FLOOR - y:.1f}"/>'
            )
    return "".join(parts)


def _dots(hits: Sequence[Hit], axis: _Axis) -> str:
    parts = []
    for hit in reversed(hits):
        x = _x(hit.score, axis)
        parts.append(
            f'<g class="hit {CLASSES[hit.status]}"><line x1="{x:.1f}" y1="{_TOP - 12}" x2="{x:.1f}" y2="{_FLOOR}"/>'
            f'<circle cx="{x:.1f}" cy="{_TOP - 15}" r="4.5"><title>{hit.rank}: {hit.score:.3f}</title></circle></g>'
        )
    return "".join(parts)
