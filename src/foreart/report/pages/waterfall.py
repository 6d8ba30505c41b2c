"""A waterfall of what channels add to a score, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from foreart.report.pages.marked_text import escape
from foreart.report.wording.explain_wording import figure
from foreart.search.explaining import ChannelReason

_WIDTH, _LEFT, _RIGHT, _ROW, _BAR = 760, 170, 110, 26, 16


def waterfall(channels: Sequence[ChannelReason], score: float) -> str:
    """A bar for each channel that adds something, each beginning where the one before ended; the last is the score."""
    shown = sorted(
        (item for item in channels if item.contribution), key=lambda item: (-item.contribution, item.channel)
    )
    ends = [0.0]
    for item in shown:
        ends.append(ends[-1] + item.contribution)
    low, high = min(ends), max(ends)
    scale = (_WIDTH - _LEFT - _RIGHT) / ((high - low) or 1.0)

    def across(value: float) -> float:
        return round(_LEFT + (value - low) * scale, 1)

    rows = [
        _row(number, item.channel, kind_of(item), (across(start), across(end)), figure(item.contribution))
        for number, (item, start, end) in enumerate(zip(shown, ends, ends[1:], strict=False))
    ]
    rows.append(_row(len(shown), "score", "total", (across(0.0), across(score)), f"{score:.3f}"))
    height = _ROW * (len(shown) + 1) + 14
    zero = across(0.0)
    told = "; ".join(f"{item.channel} {figure(item.contribution)}" for item in shown)
    return (
        f'<svg class="waterfall" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(told)}; score {score:.3f}">'
        f'<line class="zero" x1="{zero}" y1="4" x2="{zero}" y2="{height - 4}"/>{"".join(rows)}</svg>'
    )


def kind_of(item: ChannelReason) -> str:
    """`text`, `near` documents, or `other`; `less` for what takes from the score."""
    if item.contribution < 0:
        return "less"
    if item.words is not None:
        return "text"
    return "near" if any(cause.likeness is not None for cause in item.causes) else "other"


def _row(number: int, name: str, kind: str, span: tuple[float, float], told: str) -> str:
    top = 8 + number * _ROW
    start, end = min(span), max(span)
    base = top + _BAR - 4
    return (
        f'<g class="{kind}"><text class="name" x="{_LEFT - 10}" y="{base}" text-anchor="end">{escape(name)}</text>'
        f'<rect x="{start}" y="{top}" width="{max(1.0, round(end - start, 1))}" height="{_BAR}" rx="2"/>'
        f'<line class="step" x1="{span[1]}" y1="{top + _BAR}" x2="{span[1]}" y2="{top + _ROW}"/>'
        f'<text class="told" x="{end + 6}" y="{base}">{escape(told)}</text></g>'
    )
