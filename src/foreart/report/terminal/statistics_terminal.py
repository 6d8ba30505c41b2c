"""The statistics of a corpus for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foreart.corpus.corpus_counts import SECTIONS, CorpusStatistics, Histogram
from foreart.document.patent import DEPTHS
from foreart.report.spans import grouped_years
from foreart.report.wording.phrases import count, plain

_WIDTH = 66  # of the chart of years, which with its scale fits 80 columns
_HEIGHT = 6
_BAR = 18
_TITLE = 40
_SUBCLASSES = 15
_COUNTRIES = 10
_VALUES = 8  # maximum values listed of languages, kinds and so on
_COLUMN_BLOCKS = " ▁▂▃▄▅▆▇█"
_BAR_BLOCKS = " ▏▎▍▌▋▊▉█"
_STEPS = ((0, 0), (1, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, None))  # ranges of citation counts


def terminal_statistics(statistics: CorpusStatistics) -> RenderableType:
    """All statistics, to be printed with rich; fits 80 columns."""
    parts = [_head(statistics)]
    if statistics.documents:
        parts += [
            *_titled("Year of publication", _years(statistics)),
            *_titled("Subclasses", _subclasses(statistics)),
            *_titled("Citations", _citations(statistics)),
            *_titled("Depth of text", _depth(statistics)),
            *_titled("Length in words", _lengths(statistics)),
            *_titled("Values", _values(statistics)),
            *_titled("Missing", _missing(statistics)),
        ]
    parts += _titled("Families and rejects", _families(statistics))
    return Group(*parts)


def _titled(heading: str, body: RenderableType) -> list[RenderableType]:
    return [Text(f"\n{heading}", style="bold"), Padding(body, (0, 0, 0, 2))]


def _head(statistics: CorpusStatistics) -> RenderableType:
    text = Text(count(statistics.documents, "patent"), style="bold")
    if statistics.documents != statistics.stored:
        text.append(f" of {statistics.stored:,} stored")
    size = f"{statistics.size / 1e9:,.1f} GB" if statistics.size >= 1e9 else f"{statistics.size / 1e6:,.1f} MB"
    return text.append(f" · {size}").append(f"\nfingerprint {statistics.fingerprint}", style="dim")


def _years(statistics: CorpusStatistics) -> RenderableType:
    step, counts = grouped_years(statistics.years, limit=_WIDTH)
    lines = _columns(counts) if counts else []
    if step > 1:
        lines.append(f"each column is {step} years")
    if statistics.undated:
        lines.append(f"{count(statistics.undated, 'patent')} without a publication date")
    return Text("\n".join(lines), no_wrap=True)


def _columns(counts: Mapping[int, int]) -> list[str]:
    """Columns of block characters above their years, with the maximum on the scale."""
    wide = min(6, max(1, _WIDTH // len(counts)))
    maximum = max(counts.values())
    scale = len(f"{maximum:,}")
    # Any count above 0 shows at least the lowest block.
    heights = [max(1, round(number / maximum * _HEIGHT * 8)) if number else 0 for number in counts.values()]
    lines = []
    for floor in reversed(range(_HEIGHT)):
        blocks = (_COLUMN_BLOCKS[min(8, max(0, height - 8 * floor))] for height in heights)
        row = "".join((block * max(1, wide - 1)).ljust(wide) for block in blocks)
        label = f"{maximum:,}" if floor == _HEIGHT - 1 else "0" if floor == 0 else ""
        lines.append(f"{label:>{scale}} {row}".rstrip())
    years = ""
    for position, year in enumerate(counts):
        if position * wide >= len(years) + (2 if years else 0):
            years = years.ljust(position * wide) + str(year)
    return [*lines, " " * (scale + 1) + years]


def _subclasses(statistics: CorpusStatistics) -> RenderableType:
    counted = statistics.subclasses
    if not counted.counts:
        return Text("no patent has a class")
    shown, rest = counted.counts[:_SUBCLASSES], counted.counts[_SUBCLASSES:]
    table = _grid("", "", ">patents", "")
    table.columns[1].max_width = _TITLE
    maximum = shown[0].patents
    for row in shown:
        table.add_row(row.symbol, Text(row.title), f"{row.patents:,}", _bar(row.patents / maximum))
    if rest:
        table.add_row(
            "…",
            Text(count(len(rest), "other subclass", "other subclasses")),
            f"{sum(counts.patents for counts in rest):,}",
            "",
        )
    parts = [f"{count(counted.cpc, 'patent')} by CPC"]
    if counted.ipc:
        parts.append(f"{counted.ipc:,} by IPC, because they have no CPC")
    if statistics.missing["classes"]:
        parts.append(f"{statistics.missing['classes']:,} without a class")
    return Group(table, Text("; ".join(parts), style="dim"))


def _citations(statistics: CorpusStatistics) -> RenderableType:
    counted = statistics.citations
    named = ", ".join(f"{number:,} {category}" for category, number in counted.categories.items() if number)
    lines = Text(f"{count(counted.total, 'citation')} of patents" + (f": {named}" if named else ""))
    if not counted.total:
        return lines
    lines.append(f"\n{counted.into_corpus:,} ({counted.into_corpus / counted.total:.1%}) to patents in this corpus")
    table = _grid("number", *(f">{_range(first, last)}" for first, last in _STEPS))
    for label, histogram in (("by citations made", counted.made), ("by citations received", counted.received)):
        table.add_row(label, *(f"{_between(histogram, first, last):,}" for first, last in _STEPS))
    return Group(lines, table)


def _range(first: int, last: int | None) -> str:
    if last is None:
        return f"{first}+"
    return str(first) if first == last else f"{first}–{last}"


def _between(histogram: Histogram, first: int, last: int | None) -> int:
    return sum(patents for value, patents in histogram if value >= first and (last is None or value <= last))


def _depth(statistics: CorpusStatistics) -> RenderableType:
    table = _grid("country", ">patents", *(f">{depth}" for depth in DEPTHS))
    names = list(statistics.depth_by_country)
    shown, rest = names[:_COUNTRIES], names[_COUNTRIES:]
    rows = [(plain(name), statistics.depth_by_country[name]) for name in shown]
    if rest:
        others: Mapping[str, int] = {
            depth: sum(statistics.depth_by_country[name][depth] for name in rest) for depth in DEPTHS
        }
        rows.append((count(len(rest), "other"), others))
    if len(rows) > 1:
        rows.append(("all", statistics.depth))
    for name, counts in rows:
        table.add_row(Text(name), f"{sum(counts.values()):,}", *(f"{counts[depth]:,}" for depth in DEPTHS))
    return table


def _lengths(statistics: CorpusStatistics) -> RenderableType:
    table = _grid("section", ">patents", ">mean", ">median", ">5 % below", ">5 % above", ">longest")
    for section in SECTIONS:
        counts = statistics.lengths[section]
        figures = (counts.mean, counts.median, counts.low, counts.high, counts.max)
        table.add_row(section, f"{counts.count:,}", *(f"{figure:,.0f}" if counts.count else "–" for figure in figures))
    return table


def _values(statistics: CorpusStatistics) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in ("languages", "countries", "kinds", "document_types", "collections"):
        counts: Mapping[str, int] = getattr(statistics, name)
        parts = [f"{plain(value)} {number:,}" for value, number in list(counts.items())[:_VALUES]]
        rest = list(counts.values())[_VALUES:]
        if rest:
            parts.append(f"and {len(rest):,} more with {sum(rest):,}")
        table.add_row(Text(name.replace("_", " "), style="dim"), Text(" · ".join(parts)))
    return table


def _missing(statistics: CorpusStatistics) -> RenderableType:
    table = _grid("without", ">patents", ">share", "")
    for field, number in statistics.missing.items():
        share = statistics.share(number)
        table.add_row(field, f"{number:,}", f"{share:.1%}", _bar(share))
    return table


def _families(statistics: CorpusStatistics) -> RenderableType:
    counted = statistics.families
    text = Text(f"{count(counted.families, 'family', 'families')} with more than one publication")
    if counted.patents:
        text.append(f", {count(counted.patents, 'patent')} in them\n")
        text.append(
            "linked by " + ", ".join(f"{reason} {number:,}" for reason, number in counted.reasons.items()), "dim"
        )
    return text.append(f"\n{count(statistics.rejects, 'rejected record')}")


def _grid(*columns: str) -> Table:
    """A table without lines; columns whose names start with > are right-aligned."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in columns:
        table.add_column(name.removeprefix(">"), justify="right" if name.startswith(">") else "left", no_wrap=True)
    return table


def _bar(share: float) -> Text:
    eighths = max(1, round(share * _BAR * 8)) if share else 0
    full, part = divmod(eighths, 8)
    return Text("█" * full + _BAR_BLOCKS[part].strip(), style="cyan")
