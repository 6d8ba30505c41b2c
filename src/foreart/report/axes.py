"""One style for all figures, and the only module that imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foreart.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

_WIDTH = 8.0  # inches


def figure_with_axes(height: float) -> tuple[Figure, Axes]:
    """A figure with one plot."""
    figure, (axes,) = figures(height, 1)
    return figure, axes


def figures(height: float, rows: int, *, sharex: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure that is not registered with pyplot's global state."""
    try:
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise MissingExtra("Plots", "plots") from None
    figure = Canvas(figsize=(_WIDTH, height), layout="constrained")
    grid = figure.subplots(rows, 1, sharex=sharex, squeeze=False)
    axes: list[Axes] = list(grid[:, 0])
    for part in axes:
        part.spines[["top", "right"]].set_visible(False)
        part.set_axisbelow(True)
    return figure, axes


def name_axes(axes: Axes, heading: str, x: str, y: str) -> None:
    """Sets heading, axis labels and font sizes, the same in every figure."""
    axes.set_title(heading, loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8.5)


def remark(axes: Axes, text: str) -> None:
    """A remark to the right of the heading."""
    if text:
        axes.set_title(text, loc="right", fontsize=8.5, color="#444444")


def name_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Names the rows of horizontal bars, the first on top."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def write_at_ends(axes: Axes, ends: Sequence[float], texts: Sequence[str]) -> None:
    """Writes each row's value at the end of its bar."""
    for row, (end, text) in enumerate(zip(ends, texts, strict=True)):
        axes.annotate(text, (end, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)


def in_percent(axes: Axes, *, room: int) -> None:
    """An axis from 0 to 100 %, with room for the values at the ends of the bars."""
    axes.set_xlim(0, 100 + room)
    axes.set_xticks(range(0, 101, 20))


def whole_numbers(axis: Axis, *, grouped: bool = True) -> None:
    """Ticks at integers only, with thousands separators unless they are years."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(integer=True, nbins=8, steps=(1, 2, 5, 10), min_n_ticks=1))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}" if grouped else "{x:.0f}"))


def plain_logarithm(axis: Axis, *, zero: bool = False, maximum: int = 0) -> None:
    """Ticks at powers of ten, and at 2 and 5 times these over a short range."""
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator, StrMethodFormatter

    if zero or maximum:
        steps = (1, 2, 5) if maximum < 1000 else (1,)
        ticks = [step * 10**power for power in range(8) for step in steps if step * 10**power <= 2 * maximum]
        axis.set_major_locator(FixedLocator([0, *ticks] if zero else ticks))
    else:
        axis.set_major_locator(LogLocator(numticks=12))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def nothing(figure: Figure, axes: Axes, heading: str, note: str) -> Figure:
    """A figure without data."""
    name_axes(axes, heading, "", "")
    remark(axes, note)
    empty(axes)
    return figure


def empty(axes: Axes) -> None:
    """A plot without data."""
    axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", va="center", color="#666666")
    axes.set_yticks([])
    axes.tick_params(axis="x", bottom=False, labelbottom=False)
