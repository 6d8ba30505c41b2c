"""Figures of a corpus: years, subclasses, citations, depth of text, lengths, what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from foreart.corpus.counts import SECTIONS, Histogram, Statistics
from foreart.errors import MissingExtra
from foreart.patent import DEPTHS
from foreart.report.spans import grouped_years
from foreart.report.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which remain distinct for the colour-blind.
BLUE, SKY, GREEN, ORANGE, RED, GREY = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#999999"
_DEPTH_COLOURS = dict(zip(DEPTHS, (BLUE, SKY, ORANGE, GREY), strict=True))
_SECTION_COLOURS = dict(zip(SECTIONS, (SKY, ORANGE, BLUE), strict=True))

_WIDTH = 8.0  # inches
_MOST_YEARS = 130  # bars, before years are taken together
_MOST_SUBCLASSES = 25
_MOST_COUNTRIES = 15
_WIDE = 60  # citation counts, from which on the axis is logarithmic


def plot(statistics: Statistics, folder: str | Path, formats: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Draws every figure into a folder, one file a format; the files written."""
    folder = Path(folder)
    made: list[Path] = []
    for name, draw in FIGURES.items():
        figure = draw(statistics)
        folder.mkdir(parents=True, exist_ok=True)
        for form in formats:
            path = folder / f"{name}.{form}"
            figure.savefig(path, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
            made.append(path)
    return made


def years(statistics: Statistics) -> Figure:
    """Patents per year of publication (figure 6 of the paper)."""
    step, counts = grouped_years(statistics.years, most=_MOST_YEARS)
    figure, axes = _figure(4.0)
    if not counts:
        return _nothing(figure, axes, "Patents per year of publication", _undated(statistics))
    axes.bar(list(counts), list(counts.values()), width=0.85 * step, align="edge" if step > 1 else "center", color=BLUE)
    unit = "year" if step == 1 else f"{step} years"
    _name(axes, f"Patents per {unit} of publication", "year of publication", f"patents per {unit}")
    _note(axes, _undated(statistics))
    first, last = min(counts), max(counts) + (step if step > 1 else 0)
    room = max(0.8 * step, (7 * step - (last - first)) / 2)  # a single year is no wall
    axes.set_xlim(first - room, last + room)
    _whole(axes.yaxis)
    _whole(axes.xaxis, grouped=False)
    axes.grid(axis="y", alpha=0.3)
    return figure


def subclasses(statistics: Statistics) -> Figure:
    """Patents per subclass, the largest on top (figure 7 and table 6 of the paper)."""
    found = statistics.subclasses
    shown = found.counts[:_MOST_SUBCLASSES]
    heading = "Patents per subclass"
    figure, axes = _figure(1.5 + 0.27 * max(len(shown), 4))
    if not shown:
        return _nothing(figure, axes, heading, "")
    labels = [f"{row.symbol}  {_short(row.title)}".strip() for row in shown]
    places = range(len(shown))
    by_cpc = [row.cpc for row in shown]
    if found.cpc:
        axes.barh(places, by_cpc, color=BLUE, label=f"by CPC ({found.cpc:,} patents)")
    if found.ipc:
        label = f"by IPC, no CPC known ({found.ipc:,} patents)"
        axes.barh(places, [row.ipc for row in shown], left=by_cpc, color=ORANGE, label=label)
        axes.legend(loc="lower right", fontsize=8, frameon=False)
    _rows(axes, labels)
    _behind(axes, [row.patents for row in shown], [f"{row.patents:,}" for row in shown])
    axes.set_xlim(0, 1.12 * shown[0].patents)
    _whole(axes.xaxis)
    _name(axes, heading, "patents (each counts in all its subclasses)", "")
    rest = len(found.counts) - len(shown)
    _note(axes, f"the largest {len(shown)} of {len(found.counts)} subclasses" if rest else "")
    return figure


def citations(statistics: Statistics) -> Figure:
    """Patents by the number of citations they make and receive (figure 8 of the paper)."""
    figure, (made, received) = _figures(6.0, 2)
    found = statistics.citations
    _degrees(made, found.made, BLUE, "Citations made", "citations a patent makes")
    _degrees(received, found.received, ORANGE, "Citations received", "citations a patent receives from the corpus")
    if found.total:
        _note(made, f"{found.total:,} citations, {found.into_corpus:,} of them of patents in the corpus")
    return figure


def depth(statistics: Statistics) -> Figure:
    """How much text there is, by country."""
    shown = _top_countries(statistics.depth_by_country)
    heading = "Depth of text by country"
    figure, axes = _figure(1.7 + 0.3 * max(len(shown), 3))
    if not shown:
        return _nothing(figure, axes, heading, "")
    totals = [sum(of.values()) for of in shown.values()]
    left = [0.0] * len(shown)
    for level in DEPTHS:
        shares = [100 * of[level] / total for of, total in zip(shown.values(), totals, strict=True)]
        label = f"{level} ({statistics.depth[level]:,})"
        axes.barh(range(len(shown)), shares, left=left, color=_DEPTH_COLOURS[level], label=label)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    labels = [f"{country} ({total:,})" for country, total in zip(shown, totals, strict=True)]
    _rows(axes, labels)
    _percent(axes, room=0)
    _name(axes, heading, "share of the country's patents (%)", "")
    figure.legend(loc="outside lower center", ncols=len(DEPTHS), fontsize=8, frameon=False)
    return figure


def lengths(statistics: Statistics) -> Figure:
    """Patents by the length of each section."""
    figure, rows = _figures(6.5, len(SECTIONS), sharex=True)
    most = max((of.histogram[-1][1] for of in statistics.lengths.values() if of.histogram), default=10)
    least = min((of.histogram[0][0] for of in statistics.lengths.values() if of.histogram), default=1)
    for axes, section in zip(rows, SECTIONS, strict=True):
        of = statistics.lengths[section]
        _name(axes, section.capitalize(), "", "patents")
        if not of.count:
            _empty(axes)
            continue
        starts, ends, counts = zip(*of.histogram, strict=True)
        widths = [end - start for start, end in zip(starts, ends, strict=True)]
        axes.bar(
            starts,
            counts,
            width=widths,
            align="edge",
            color=_SECTION_COLOURS[section],
            edgecolor="white",
            linewidth=0.5,
        )
        axes.axvline(of.median, color="black", linewidth=1.2)
        span = f"90 % from {of.low:,.0f} to {of.high:,.0f}"
        _note(axes, f"{count(of.count, 'patent')}; median {of.median:,.0f} words (line), {span}")
        _whole(axes.yaxis)
        axes.grid(axis="y", alpha=0.3)
    last = rows[-1]
    last.set_xscale("log")
    last.set_xlim(0.9 * 10 ** floor(log10(least)), 1.1 * 10 ** ceil(log10(most)))
    last.tick_params(axis="x", bottom=True, labelbottom=True)
    _plain_log(last.xaxis)
    last.set_xlabel("words (logarithmic steps)")
    return figure


def missing(statistics: Statistics) -> Figure:
    """Which fields patents lack."""
    heading = "Patents without a field"
    figure, axes = _figure(1.5 + 0.3 * len(statistics.missing))
    if not statistics.documents:
        return _nothing(figure, axes, heading, "")
    shares = [100 * statistics.share(number) for number in statistics.missing.values()]
    axes.barh(range(len(shares)), shares, color=RED)
    labels = [_FIELD_NAMES.get(field, field) for field in statistics.missing]
    texts = [f"{share:.1f} %  ({number:,})" for share, number in zip(shares, statistics.missing.values(), strict=True)]
    _rows(axes, labels)
    _behind(axes, shares, texts)
    _percent(axes, room=24)
    _name(axes, heading, f"share of {count(statistics.documents, 'patent')} (%)", "")
    return figure


FIGURES: Mapping[str, Callable[[Statistics], Figure]] = {
    "years": years,
    "subclasses": subclasses,
    "citations": citations,
    "depth": depth,
    "lengths": lengths,
    "missing": missing,
}
_FIELD_NAMES = {
    "published": "publication date",
    "filed": "filing date",
    "priority": "priority date",
    "classes": "CPC or IPC classes",
    "citations": "citations of patents",
}


def _figure(height: float) -> tuple[Figure, Axes]:
    figure, (axes,) = _figures(height, 1)
    return figure, axes


def _figures(height: float, rows: int, *, sharex: bool = False) -> tuple[Figure, list[Axes]]:
    """The only door to matplotlib: a figure of its own, that no global state of pyplot knows of."""
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


def _degrees(axes: Axes, histogram: Histogram, colour: str, heading: str, unit: str) -> None:
    """Bars of counts; over a wide range dots, because bars of a logarithmic axis would run into one."""
    _name(axes, heading, unit, "patents")
    if not histogram:
        _empty(axes)
        return
    values, counts = zip(*histogram, strict=True)
    most = values[-1]
    axes.set_yscale("log")
    axes.set_ylim(0.7, 2.0 * max(counts))
    if most <= _WIDE:
        axes.bar(values, counts, width=0.85, color=colour)
        axes.set_xlim(-0.7, max(most, 5) + 0.7)
        _whole(axes.xaxis)
    else:
        axes.plot(values, counts, linestyle="none", marker="o", markersize=3.5, color=colour)
        axes.set_xscale("symlog", linthresh=1)  # none stands beside one, as the logarithm has no place for it
        axes.set_xlim(-0.2, 1.3 * most)
        _plain_log(axes.xaxis, zero=True, most=most)
    _plain_log(axes.yaxis, most=max(counts))
    axes.grid(axis="y", alpha=0.3)


def _top_countries(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    """The countries with most patents, the rest as one."""
    names = list(counts)
    if len(names) <= _MOST_COUNTRIES:
        return dict(counts)
    kept, rest = names[: _MOST_COUNTRIES - 1], names[_MOST_COUNTRIES - 1 :]
    others: dict[str, int] = {level: sum(counts[name][level] for name in rest) for level in DEPTHS}
    return {**{name: counts[name] for name in kept}, f"{len(rest)} others": others}


def _short(text: str) -> str:
    return shorten(text, 50, placeholder=" …").replace(", …", " …").replace("; …", " …")


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    """Names the rows of horizontal bars, the first on top."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _behind(axes: Axes, ends: Sequence[float], texts: Sequence[str]) -> None:
    """Writes each row's value behind its bar."""
    for row, (end, text) in enumerate(zip(ends, texts, strict=True)):
        axes.annotate(text, (end, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)


def _percent(axes: Axes, *, room: int) -> None:
    axes.set_xlim(0, 100 + room)
    axes.set_xticks(range(0, 101, 20))


def _name(axes: Axes, heading: str, x: str, y: str) -> None:
    axes.set_title(heading, loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8.5)


def _note(axes: Axes, text: str) -> None:
    if text:
        axes.set_title(text, loc="right", fontsize=8.5, color="#444444")


def _undated(statistics: Statistics) -> str:
    return f"{statistics.undated:,} without a publication date" if statistics.undated else ""


def _nothing(figure: Figure, axes: Axes, heading: str, note: str) -> Figure:
    _name(axes, heading, "", "")
    _note(axes, note)
    _empty(axes)
    return figure


def _empty(axes: Axes) -> None:
    axes.text(0.5, 0.5, "nothing to show", transform=axes.transAxes, ha="center", va="center", color="#666666")
    axes.set_yticks([])
    axes.tick_params(axis="x", bottom=False, labelbottom=False)


def _whole(axis: Axis, *, grouped: bool = True) -> None:
    """Ticks at whole numbers only, with commas at the thousands unless they are years."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(integer=True, nbins=8, steps=(1, 2, 5, 10), min_n_ticks=1))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}" if grouped else "{x:.0f}"))


def _plain_log(axis: Axis, *, zero: bool = False, most: int = 0) -> None:
    """Powers of ten written out; over a short range 2 and 5 of each as well."""
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator, StrMethodFormatter

    if zero or most:
        steps = (1, 2, 5) if most < 1000 else (1,)
        ticks = [step * 10**power for power in range(8) for step in steps if step * 10**power <= 2 * most]
        axis.set_major_locator(FixedLocator([0, *ticks] if zero else ticks))
    else:
        axis.set_major_locator(LogLocator(numticks=12))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
