"""Figures of a corpus: years, subclasses, citations, depth of text, lengths, missing fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from foreart.corpus.corpus_counts import SECTIONS, CorpusStatistics, Histogram
from foreart.document.patent import DEPTHS
from foreart.durable import replacing
from foreart.report.axes import (
    empty,
    figure_with_axes,
    figures,
    in_percent,
    name_axes,
    name_rows,
    nothing,
    plain_logarithm,
    remark,
    whole_numbers,
    write_at_ends,
)
from foreart.report.spans import grouped_years
from foreart.report.wording.phrases import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which remain distinct for the colour-blind.
BLUE, SKY, GREEN, ORANGE, RED, GREY = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#999999"
_DEPTH_COLOURS = dict(zip(DEPTHS, (BLUE, SKY, ORANGE, GREY), strict=True))
_SECTION_COLOURS = dict(zip(SECTIONS, (SKY, ORANGE, BLUE), strict=True))

_MAX_YEARS = 130  # bars; more years are grouped
_MAX_SUBCLASSES = 25
_MAX_COUNTRIES = 15
_WIDE = 60  # citation counts above which the axis is logarithmic


def plot(statistics: CorpusStatistics, folder: str | Path, formats: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Writes every figure into a folder, one file per format, and returns the files."""
    folder = Path(folder)
    files: list[Path] = []
    for name, draw in FIGURES.items():
        figure = draw(statistics)
        folder.mkdir(parents=True, exist_ok=True)
        for form in formats:
            path = folder / f"{name}.{form}"
            with replacing(path) as file:
                figure.savefig(file, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
            files.append(path)
    return files


def years(statistics: CorpusStatistics) -> Figure:
    """Patents per year of publication (figure 6 of the paper)."""
    step, counts = grouped_years(statistics.years, limit=_MAX_YEARS)
    figure, axes = figure_with_axes(4.0)
    if not counts:
        return nothing(figure, axes, "Patents per year of publication", _undated(statistics))
    axes.bar(list(counts), list(counts.values()), width=0.85 * step, align="edge" if step > 1 else "center", color=BLUE)
    unit = "year" if step == 1 else f"{step} years"
    name_axes(axes, f"Patents per {unit} of publication", "year of publication", f"patents per {unit}")
    remark(axes, _undated(statistics))
    first, last = min(counts), max(counts) + (step if step > 1 else 0)
    room = max(0.8 * step, (7 * step - (last - first)) / 2)  # so that a single year is not as wide as the plot
    axes.set_xlim(first - room, last + room)
    whole_numbers(axes.yaxis)
    whole_numbers(axes.xaxis, grouped=False)
    axes.grid(axis="y", alpha=0.3)
    return figure


def subclasses(statistics: CorpusStatistics) -> Figure:
    """Patents per subclass, the largest on top (figure 7 and table 6 of the paper)."""
    counted = statistics.subclasses
    shown = counted.counts[:_MAX_SUBCLASSES]
    heading = "Patents per subclass"
    figure, axes = figure_with_axes(1.5 + 0.27 * max(len(shown), 4))
    if not shown:
        return nothing(figure, axes, heading, "")
    labels = [f"{row.symbol}  {_short(row.title)}".strip() for row in shown]
    positions = range(len(shown))
    by_cpc = [row.cpc for row in shown]
    if counted.cpc:
        axes.barh(positions, by_cpc, color=BLUE, label=f"by CPC ({counted.cpc:,} patents)")
    if counted.ipc:
        label = f"by IPC, no CPC known ({counted.ipc:,} patents)"
        axes.barh(positions, [row.ipc for row in shown], left=by_cpc, color=ORANGE, label=label)
        axes.legend(loc="lower right", fontsize=8, frameon=False)
    name_rows(axes, labels)
    write_at_ends(axes, [row.patents for row in shown], [f"{row.patents:,}" for row in shown])
    axes.set_xlim(0, 1.12 * shown[0].patents)
    whole_numbers(axes.xaxis)
    name_axes(axes, heading, "patents (each counts in all its subclasses)", "")
    rest = len(counted.counts) - len(shown)
    remark(axes, f"the largest {len(shown)} of {len(counted.counts)} subclasses" if rest else "")
    return figure


def citations(statistics: CorpusStatistics) -> Figure:
    """Patents by the number of citations they make and receive (figure 8 of the paper)."""
    figure, (made_axes, received_axes) = figures(6.0, 2)
    counted = statistics.citations
    _degrees(made_axes, counted.made, BLUE, "Citations made", "citations a patent makes")
    _degrees(
        received_axes, counted.received, ORANGE, "Citations received", "citations a patent receives from the corpus"
    )
    if counted.total:
        remark(made_axes, f"{counted.total:,} citations, {counted.into_corpus:,} of them to patents in the corpus")
    return figure


def depth(statistics: CorpusStatistics) -> Figure:
    """How much text there is, by country."""
    shown = _top_countries(statistics.depth_by_country)
    heading = "Depth of text by country"
    figure, axes = figure_with_axes(1.7 + 0.3 * max(len(shown), 3))
    if not shown:
        return nothing(figure, axes, heading, "")
    totals = [sum(by_depth.values()) for by_depth in shown.values()]
    left = [0.0] * len(shown)
    for level in DEPTHS:
        shares = [100 * by_depth[level] / total for by_depth, total in zip(shown.values(), totals, strict=True)]
        label = f"{level} ({statistics.depth[level]:,})"
        axes.barh(range(len(shown)), shares, left=left, color=_DEPTH_COLOURS[level], label=label)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    labels = [f"{country} ({total:,})" for country, total in zip(shown, totals, strict=True)]
    name_rows(axes, labels)
    in_percent(axes, room=0)
    name_axes(axes, heading, "share of the country's patents (%)", "")
    figure.legend(loc="outside lower center", ncols=len(DEPTHS), fontsize=8, frameon=False)
    return figure


def lengths(statistics: CorpusStatistics) -> Figure:
    """Patents by the length of each section."""
    figure, rows = figures(6.5, len(SECTIONS), sharex=True)
    maximum = max((words.histogram[-1][1] for words in statistics.lengths.values() if words.histogram), default=10)
    minimum = min((words.histogram[0][0] for words in statistics.lengths.values() if words.histogram), default=1)
    for axes, section in zip(rows, SECTIONS, strict=True):
        words = statistics.lengths[section]
        name_axes(axes, section.capitalize(), "", "patents")
        if not words.count:
            empty(axes)
            continue
        starts, ends, counts = zip(*words.histogram, strict=True)
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
        axes.axvline(words.median, color="black", linewidth=1.2)
        span = f"90 % from {words.low:,.0f} to {words.high:,.0f}"
        remark(axes, f"{count(words.count, 'patent')}; median {words.median:,.0f} words (line), {span}")
        whole_numbers(axes.yaxis)
        axes.grid(axis="y", alpha=0.3)
    last = rows[-1]
    last.set_xscale("log")
    last.set_xlim(0.9 * 10 ** floor(log10(minimum)), 1.1 * 10 ** ceil(log10(maximum)))
    last.tick_params(axis="x", bottom=True, labelbottom=True)
    plain_logarithm(last.xaxis)
    last.set_xlabel("words (logarithmic steps)")
    return figure


def missing(statistics: CorpusStatistics) -> Figure:
    """Which fields patents lack."""
    heading = "Patents without a field"
    figure, axes = figure_with_axes(1.5 + 0.3 * len(statistics.missing))
    if not statistics.documents:
        return nothing(figure, axes, heading, "")
    shares = [100 * statistics.share(number) for number in statistics.missing.values()]
    axes.barh(range(len(shares)), shares, color=RED)
    labels = [_FIELD_NAMES.get(field, field) for field in statistics.missing]
    texts = [f"{share:.1f} %  ({number:,})" for share, number in zip(shares, statistics.missing.values(), strict=True)]
    name_rows(axes, labels)
    write_at_ends(axes, shares, texts)
    in_percent(axes, room=24)
    name_axes(axes, heading, f"share of {count(statistics.documents, 'patent')} (%)", "")
    return figure


FIGURES: Mapping[str, Callable[[CorpusStatistics], Figure]] = {
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


def _degrees(axes: Axes, histogram: Histogram, colour: str, heading: str, unit: str) -> None:
    """Bars of counts; dots over a wide range, because bars merge on a logarithmic axis."""
    name_axes(axes, heading, unit, "patents")
    if not histogram:
        empty(axes)
        return
    values, counts = zip(*histogram, strict=True)
    maximum = values[-1]
    axes.set_yscale("log")
    axes.set_ylim(0.7, 2.0 * max(counts))
    if maximum <= _WIDE:
        axes.bar(values, counts, width=0.85, color=colour)
        axes.set_xlim(-0.7, max(maximum, 5) + 0.7)
        whole_numbers(axes.xaxis)
    else:
        axes.plot(values, counts, linestyle="none", marker="o", markersize=3.5, color=colour)
        axes.set_xscale("symlog", linthresh=1)  # linear below 1, to include 0
        axes.set_xlim(-0.2, 1.3 * maximum)
        plain_logarithm(axes.xaxis, zero=True, maximum=maximum)
    plain_logarithm(axes.yaxis, maximum=max(counts))
    axes.grid(axis="y", alpha=0.3)


def _top_countries(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    """The countries with most patents; the others are summed."""
    names = list(counts)
    if len(names) <= _MAX_COUNTRIES:
        return dict(counts)
    kept, rest = names[: _MAX_COUNTRIES - 1], names[_MAX_COUNTRIES - 1 :]
    others: dict[str, int] = {level: sum(counts[name][level] for name in rest) for level in DEPTHS}
    return {**{name: counts[name] for name in kept}, f"{len(rest)} others": others}


def _short(text: str) -> str:
    return shorten(text, 50, placeholder=" …").replace(", …", " …").replace("; …", " …")


def _undated(statistics: CorpusStatistics) -> str:
    return f"{statistics.undated:,} without a publication date" if statistics.undated else ""
