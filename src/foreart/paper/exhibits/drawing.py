"""Draws figures from plain numbers in the colours of Okabe and Ito; colour is never the only distinction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from foreart.paper.exhibits.exhibit import FigureExhibit
from foreart.report.axes import (
    figure_with_axes,
    figures,
    name_axes,
    name_rows,
    plain_logarithm,
    remark,
    whole_numbers,
    write_at_ends,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

BLUE, SKY, GREEN, ORANGE, RED, PURPLE, BLACK = (
    "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#222222",
)  # fmt: skip
# Label of a pair: colour, line, filling.
_LABELS = {"random": (RED, "--", 0.18), "cited": (BLUE, "-", 0.25), "duplicate": (GREEN, ":", 0.0)}
# Group of a labelled pair: colour and marker.
_MARKS = {
    "cited": (BLUE, "o"),
    "random, high": (GREEN, "^"),
    "random, middle": (ORANGE, "s"),
    "random, low": (RED, "v"),
}
_CURVES = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY, BLACK)
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
_LONG_TAIL = 60  # citations above which the axis is logarithmic


def draw(figure: FigureExhibit) -> Canvas:
    """The picture of a figure that has data."""
    return KINDS[figure.kind](figure.data)


def png(canvas: Canvas) -> bytes:
    """The picture as PNG."""
    data = BytesIO()
    canvas.savefig(data, format="png", dpi=150)
    return data.getvalue()


def svg(canvas: Canvas, salt: str) -> str:
    """The picture as SVG text; the same figure and salt give the same text."""
    from matplotlib import rc_context

    text = StringIO()
    with rc_context({"svg.hashsalt": salt}):
        canvas.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def side_by_side(height: float, columns: int) -> tuple[Canvas, list[Axes]]:
    """A figure with plots side by side that share their vertical axis."""
    figure, (whole,) = figures(height, 1)
    whole.remove()
    axes: list[Axes] = list(figure.subplots(1, columns, sharey=True, squeeze=False)[0])
    for part in axes:
        part.spines[["top", "right"]].set_visible(False)
        part.set_axisbelow(True)
    return figure, axes


def histograms(data: Mapping[str, Any]) -> Canvas:
    """F2: the scores of random, cited and duplicate pairs, one panel per section."""
    figure, axes = side_by_side(3.8, len(data["panels"]))
    for part, panel in zip(axes, data["panels"], strict=True):
        for label, shares in panel["shares"].items():
            _steps(part, data["edges"], shares, label, panel["pairs"][label])
        name_axes(part, panel["heading"], "cosine similarity", "share of the label's pairs (%), root scale")
        part.set_xlim(0, 1)
        part.grid(axis="y", alpha=0.3)
    _root_scale(axes)
    for part in axes[1:]:
        part.set_ylabel("")
    _legend(figure, axes[0])
    return figure


def roc(data: Mapping[str, Any]) -> Canvas:
    """F4: distributions of scores on the left, the curves that follow from them on the right."""
    figure, (whole,) = figures(2.1 * max(len(data["panels"]), 2), 1)
    whole.remove()
    grid = figure.add_gridspec(len(data["panels"]), 2, width_ratios=(1, 1.15))
    for row, panel in enumerate(data["panels"]):
        part = figure.add_subplot(grid[row, 0])
        _plain(part)
        for label in ("random", "cited"):
            _steps(part, data["edges"], panel["shares"][label], label, panel["pairs"][label])
        last = row == len(data["panels"]) - 1
        name_axes(part, panel["heading"], "cosine similarity" if last else "", "share (%), root scale")
        part.set_xlim(0, 1)
        _root_scale([part])
        if row == 0:
            part.legend(fontsize=8, frameon=False, loc="upper right")
    curves = figure.add_subplot(grid[:, 1])
    _plain(curves)
    _curves(curves, data["panels"], "ROC curves")
    return figure


def roc_of_all(data: Mapping[str, Any]) -> Canvas:
    """ROC curves of all representations, in full and for low false positive rates."""
    figure, (left, right) = side_by_side(4.8, 2)
    _curves(left, data["curves"], "ROC curves", legend=False)
    _curves(right, data["curves"], "The first 10 % of random pairs", legend=False)
    right.set_xlim(0, 0.1)
    right.set_ylabel("")
    _legend(figure, left, columns=3)
    return figure


def years(data: Mapping[str, Any]) -> Canvas:
    """F6: patents per year, the targets among them."""
    figure, axes = figure_with_axes(3.6)
    spans, counts, targets = data["years"], data["patents"], data["targets"]
    step = data["step"]
    align: Any = "edge" if step > 1 else "center"
    rest = [count - target for count, target in zip(counts, targets, strict=True)]
    axes.bar(spans, rest, width=0.85 * step, align=align, color=BLUE, label=f"other patents ({sum(rest):,})")
    axes.bar(
        spans, targets, width=0.85 * step, align=align, bottom=rest, color=ORANGE, hatch="///", edgecolor="white",
        linewidth=0, label=f"target patents ({sum(targets):,})",
    )  # fmt: skip
    unit = "year" if step == 1 else f"{step} years"
    name_axes(axes, f"Patents per {unit} of publication", "year of publication", f"patents per {unit}")
    remark(axes, f"{data['undated']:,} without a date" if data["undated"] else "")
    whole_numbers(axes.yaxis)
    whole_numbers(axes.xaxis, grouped=False)
    last = spans[-1] + (step if step > 1 else 0)
    room = max(0.8 * step, (7 * step - (last - spans[0])) / 2)  # keeps the bar of a single year narrow
    axes.set_xlim(spans[0] - room, last + room)
    axes.grid(axis="y", alpha=0.3)
    _legend(figure, axes)
    return figure


def subclasses(data: Mapping[str, Any]) -> Canvas:
    """F7: patents per subclass, the largest on top."""
    shown = data["symbols"]
    figure, axes = figure_with_axes(1.3 + 0.25 * max(len(shown), 4))
    axes.barh(range(len(shown)), data["patents"], color=BLUE)
    name_rows(axes, [f"{symbol}  {title}".strip() for symbol, title in zip(shown, data["titles"], strict=True)])
    write_at_ends(axes, data["patents"], [f"{count:,}" for count in data["patents"]])
    axes.set_xlim(0, 1.12 * max(data["patents"], default=1))
    whole_numbers(axes.xaxis)
    name_axes(axes, "Patents per subclass", "patents (each counts in all its subclasses)", "")
    remark(axes, f"the largest {len(shown)} of {data['of']:,} subclasses" if data["of"] > len(shown) else "")
    return figure


def citations(data: Mapping[str, Any]) -> Canvas:
    """F8: how many patents make how many citations."""
    figure, axes = figure_with_axes(3.6)
    values, counts = data["citations"], data["patents"]
    axes.plot(values, counts, linestyle="none", marker="o", markersize=3.5, color=BLUE)
    axes.set_yscale("log")
    axes.set_ylim(0.7, 2.0 * max(counts, default=1))
    if max(values, default=0) > _LONG_TAIL:
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(-0.2, 1.3 * max(values))
        plain_logarithm(axes.xaxis, zero=True, maximum=max(values))
    else:
        whole_numbers(axes.xaxis)
    plain_logarithm(axes.yaxis, maximum=max(counts, default=1))
    name_axes(axes, "Patents by the number of citations they make", "citations of patents", "patents (logarithmic)")
    remark(axes, f"{data['sampled']:,} of {data['of']:,} patents" + (", drawn at random" if data["drawn"] else ""))
    axes.grid(alpha=0.3)
    return figure


def correlations(data: Mapping[str, Any]) -> Canvas:
    """F3 and F9: cosine against the expert's score, one panel per target, one pair marked in each."""
    figure, axes = side_by_side(4.0, len(data["panels"]))
    for part, panel in zip(axes, data["panels"], strict=True):
        _scatter(part, panel)
    for part in axes[1:]:
        part.set_ylabel("")
    _legend(figure, axes[0])
    return figure


KINDS: Mapping[str, Callable[[Mapping[str, Any]], Canvas]] = {
    "histograms": histograms,
    "roc": roc,
    "roc of all": roc_of_all,
    "years": years,
    "subclasses": subclasses,
    "citations": citations,
    "correlations": correlations,
}


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)


def _root_scale(axes: Sequence[Axes]) -> None:
    """A square root scale, on which 1 % is visible next to a peak of 80 %."""
    maximum = max(part.get_ylim()[1] for part in axes)
    for part in axes:
        part.set_yscale("function", functions=(lambda y: np.sqrt(np.maximum(y, 0.0)), np.square))
        part.set_ylim(0, min(maximum, 105.0))
        part.set_yticks([tick for tick in (0, 1, 5, 10, 20, 40, 60, 80, 100) if tick <= maximum])


def _legend(figure: Canvas, axes: Axes, *, columns: int = 5) -> None:
    """A legend below the plots."""
    handles, names = axes.get_legend_handles_labels()
    columns = min(columns, max(1, len(names)))
    figure.legend(handles, names, loc="outside lower center", ncols=columns, fontsize=8, frameon=False)


def _steps(axes: Axes, edges: Sequence[float], shares: Sequence[float], label: str, pairs: int) -> None:
    colour, line, filled = _LABELS[label]
    if not pairs:
        return
    if filled:
        axes.stairs(shares, edges, fill=True, color=colour, alpha=filled)
    axes.stairs(shares, edges, color=colour, linestyle=line, linewidth=1.6, label=f"{label} ({pairs:,} pairs)")


def _curves(axes: Axes, curves: Sequence[Mapping[str, Any]], heading: str, *, legend: bool = True) -> None:
    axes.plot((0, 1), (0, 1), color="#999999", linewidth=0.9)
    for row, curve in enumerate(curves):
        number = curve.get("place", row)
        axes.plot(
            curve["false"], curve["true"], color=_CURVES[number % len(_CURVES)], linestyle=_LINES[number % len(_LINES)],
            linewidth=1.7, label=f"{curve['heading']} (AUC {curve['auc']:.4f})",
        )  # fmt: skip
    name_axes(axes, heading, "false positive rate (random pairs)", "true positive rate (cited pairs)")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.01)
    axes.grid(alpha=0.3)
    if legend:
        axes.legend(fontsize=8, frameon=True, framealpha=0.9, edgecolor="none", loc="lower right")


def _scatter(axes: Axes, panel: Mapping[str, Any]) -> None:
    groups = np.array(panel["groups"])
    cosine, score = np.array(panel["cosine"], dtype=float), np.array(panel["score"], dtype=float)
    # Scores are integers: jitter keeps points of equal score from hiding each other.
    shift = np.random.default_rng(0).uniform(-0.12, 0.12, len(score))
    for group, (colour, marker) in _MARKS.items():
        chosen = groups == group
        axes.scatter(
            cosine[chosen], (score + shift)[chosen], s=34, c=colour, marker=marker, alpha=0.85, edgecolors="white",
            linewidths=0.5, label=group,
        )  # fmt: skip
    if panel["marked"] is not None:
        row = panel["marked"]
        axes.scatter(cosine[row], (score + shift)[row], s=210, facecolors="none", edgecolors="#555555", linewidths=2.0)
        axes.annotate(
            panel["marked_id"], (cosine[row], (score + shift)[row]), xytext=(0, -17), textcoords="offset points",
            ha="center", fontsize=8, color="#333333",
        )  # fmt: skip
    axes.axhline(2.5, color="#999999", linewidth=0.9, linestyle=":")
    axes.set_ylim(-0.6, 5.4)
    wide = 1.12 * max(float(cosine.max(initial=0.0)), 0.1)
    axes.set_xlim(-0.025 * wide, wide)
    name_axes(axes, panel["heading"], "cosine similarity (bag of words)", "expert's score (relevant above the line)")
