"""The scores of all documents as a small drawing, with the hits marked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from foreart.report.wording import count
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


def score_plot(scores: Scores, hits: Sequence[Hit]) -> str:
    """An SVG: columns are numbers of documents on a logarithmic scale, lines with a dot are the hits."""
    if not scores.greatest:
        return ""
    top = _ceiling(scores.greatest)
    label = f"Scores of {count(sum(scores.counts), 'document')}, from 0 to {scores.greatest:.3f}."
    if hits:
        label += f" The {count(len(hits), 'hit')} listed lie between {hits[-1].score:.3f} and {hits[0].score:.3f}."
    return (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{_axes(top, max(scores.counts))}{_columns(scores, top)}{_dots(hits, top)}</svg>"
    )


def _ceiling(greatest: float) -> float:
    return min(1.0, math.ceil(greatest * 10 + 0.2) / 10)


def _x(score: float, top: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * min(score / top, 1.0)


def _y(number: int, most: int) -> float:
    return _FLOOR - (_FLOOR - _TOP) * math.log1p(number) / math.log1p(most)


def _axes(top: float, most: int) -> str:
    parts = [f'<line class="axis" x1="{_LEFT}" y1="{_FLOOR}" x2="{_WIDTH - _RIGHT}" y2="{_FLOOR}"/>']
    step = 0.1 if top > 0.35 else 0.05
    for place in range(round(top / step) + 1):
        x = _x(place * step, top)
        parts.append(f'<text class="tick" x="{x:.1f}" y="{_FLOOR + 20}" text-anchor="middle">{place * step:.2f}</text>')
    for number in (1, 10, 100, 1000, 10_000, 100_000, 1_000_000):
        if number <= most:
            y = _y(number, most)
            parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick" x="{_LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{number:,}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text class="tick" x="{middle:.1f}" y="{_FLOOR + 42}" text-anchor="middle">score</text>')
    return "".join(parts)


def _columns(scores: Scores, top: float) -> str:
    width = scores.greatest / len(scores.counts)
    parts = []
    for place, number in enumerate(scores.counts):
        if number:
            x, end = _x(place * width, top), _x((place + 1) * width, top)
            y = _y(number, max(scores.counts))
            parts.append(
                f'<rect class="column" x="{x:.1f}" y="{y:.1f}" '
                f'width="{max(end - x - 1, 1):.1f}" height="{_FLOOR - y:.1f}"/>'
            )
    return "".join(parts)


def _dots(hits: Sequence[Hit], top: float) -> str:
    parts = []
    for hit in reversed(hits):
        x = _x(hit.score, top)
        parts.append(
            f'<g class="hit {CLASSES[hit.status]}"><line x1="{x:.1f}" y1="{_TOP - 12}" x2="{x:.1f}" y2="{_FLOOR}"/>'
            f'<circle cx="{x:.1f}" cy="{_TOP - 15}" r="4.5"><title>{hit.rank}: {hit.score:.3f}</title></circle></g>'
        )
    return "".join(parts)
