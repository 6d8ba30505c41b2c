"""View model of a waterfall chart: the contributions of channels to a score, one step after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from foreart.report.wording.phrases import signed
from foreart.search.explaining import ChannelReason

_WIDTH, _LEFT, _RIGHT, _ROW = 760, 170, 110, 26


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """A bar from `start`, `width` wide; the next one starts at `end`."""

    name: str
    kind: str
    top: int
    start: float
    width: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class Waterfall:
    """The steps of all channels that contribute, largest first, and the score as the last."""

    label: str
    steps: tuple[WaterfallStep, ...]
    zero: float
    height: int
    width: int = _WIDTH
    left: int = _LEFT


def waterfall(channels: Sequence[ChannelReason], score: float) -> Waterfall:
    """The chart, in which each bar starts where the previous one ends."""
    shown = sorted(
        (item for item in channels if item.contribution), key=lambda item: (-item.contribution, item.channel)
    )
    ends = list(accumulate((item.contribution for item in shown), initial=0.0))
    scale = (_WIDTH - _LEFT - _RIGHT) / ((max(ends) - min(ends)) or 1.0)

    def across(value: float) -> float:
        return round(_LEFT + (value - min(ends)) * scale, 1)

    rows = [
        (item.channel, kind_of(item), span, signed(item.contribution, 3))
        for item, span in zip(shown, pairwise(ends), strict=True)
    ]
    rows.append(("score", "total", (0.0, score), f"{score:.3f}"))
    steps = []
    for number, (name, kind, span, text) in enumerate(rows):
        start, end = sorted(map(across, span))
        width = max(1.0, round(end - start, 1))
        steps.append(WaterfallStep(name, kind, 8 + number * _ROW, start, width, across(span[1]), text))
    label = "; ".join(f"{step.name} {step.text}" for step in steps)
    return Waterfall(label, tuple(steps), across(0.0), _ROW * len(steps) + 14)


def kind_of(item: ChannelReason) -> str:
    """The CSS class of a channel: words, similar documents, other facts, or a negative contribution."""
    if item.contribution < 0:
        return "c-less"
    if item.words is not None:
        return "c-text"
    return "c-near" if any(cause.similarity is not None for cause in item.causes) else "c-other"
