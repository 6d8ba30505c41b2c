"""A claim chart for the terminal: the table, the findings, and the best quote of each element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foreart.report.wording.chart_wording import sentences, size
from foreart.report.wording.phrases import plain, whole_percent
from foreart.search.charting import Cell, Chart, ChartRow, Grade, Quote
from foreart.search.charting.coverage import counted

_STYLES: dict[Grade, str] = {
    "disclosed": "bold green",
    "mostly": "green",
    "partly": "yellow",
    "hardly": "dim",
    "not found": "dim",
}
_NARROW = 4  # columns of a figure
_ELEMENT = 44  # minimum columns of an element's text


def terminal_chart(chart: Chart, *, width: int = 100) -> RenderableType:
    """The chart, to be printed with rich in `width` columns."""
    parts: list[RenderableType] = [
        Text(plain(chart.draft_title) or "(draft without a title)", style="bold"),
        Text(f"{size(chart)} · coverage in percent, the best of each row underlined", style="dim"),
    ]
    parts += [Text(plain(note), style="yellow") for note in chart.notes]
    step = max(3, (width - _ELEMENT) // (_NARROW + 1))
    for first in range(0, len(chart.references), step):
        parts += [Text(""), _table(chart, range(first, min(first + step, len(chart.references))))]
    parts += [Text(""), _references(chart), *_findings(chart), *_quotes(chart)]
    return Group(*parts)


def _table(chart: Chart, columns: Sequence[int]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", expand=True)
    table.add_column("")
    table.add_column("Element", ratio=1, no_wrap=True, overflow="ellipsis")
    for column in columns:
        table.add_column(f"D{column + 1}", justify="right", min_width=_NARROW - 1, no_wrap=True)
    claim = -1
    for row, cells, best in zip(chart.rows, chart.cells, chart.best, strict=True):
        if claim not in (-1, row.claim):
            table.add_section()
        claim = row.claim
        figures = [_figure(cells[column], best) for column in columns]
        table.add_row(Text(row.label, style="bold"), Text(" ".join(plain(row.text).split())), *figures)
    totals = [Text(f"{chart.references[column].coverage * 100:.0f}", style="bold") for column in columns]
    table.add_row("", Text("all elements, weighted by word rarity", style="dim"), *totals)
    return table


def _figure(cell: Cell, best: str) -> Text:
    own = "*" if cell.own_grade else ""
    if cell.judged == "not found":
        return Text(f"·{own}", style="dim")
    style = _STYLES[cell.judged] + (" underline" if cell.reference == best else "")
    return Text(f"{counted(cell) * 100:.0f}{own}", style=style)


def _references(chart: Chart) -> Table:
    table = Table.grid(padding=(0, 2))
    for number, reference in enumerate(chart.references, start=1):
        title = Text(plain(reference.title) or "(no title)")
        for note in reference.notes:
            title.append(f"  {note}", style="yellow")
        facts = (Text(plain(reference.id), style="bold"), Text(reference.published or "no date"))
        table.add_row(Text(f"D{number}", style="dim"), *facts, Text(whole_percent(reference.coverage)), title)
    return table


def _findings(chart: Chart) -> Iterator[RenderableType]:
    for about, lines in sentences(chart):
        yield Text(f"\n{about[0].upper()}{about[1:]}", style="bold")
        for line in lines:
            yield Padding(Text(plain(line)), (0, 0, 0, 2))


def _quotes(chart: Chart) -> Iterator[RenderableType]:
    """The best quote of each element, with the words that matched."""
    yield Text("\nBest quotes", style="bold")
    for row, cells, best in zip(chart.rows, chart.cells, chart.best, strict=True):
        cell = next((cell for cell in cells if cell.reference == best), None)
        yield Padding(_heading(row, cell), (0, 0, 0, 2))
        if cell is not None and cell.quotes:
            yield Padding(_quote(cell.quotes[0], cell), (0, 0, 0, 4))


def _heading(row: ChartRow, cell: Cell | None) -> Text:
    text = Text(f"{row.label} ", style="bold").append(" ".join(plain(row.text).split()), style="not bold")
    return text if cell is not None else text.append("  in no reference", style="bold yellow")


def _quote(quote: Quote, cell: Cell) -> Text:
    text = Text("“").append_text(_marked(quote)).append("”\n")
    text.append(
        f"{plain(cell.reference)}, {plain(quote.place.label)} · {cell.grade}, {whole_percent(cell.coverage)}", "dim"
    )
    missing = ", ".join(cell.missing)
    return text.append(f" · not in the quotes: {plain(missing)}", "dim") if missing else text


def _marked(quote: Quote) -> Text:
    """The quote with its matched words in bold; control characters become spaces."""
    shown = Text(plain(quote.text).replace("\n", " ").replace("\t", " "))
    for match in quote.matches:
        shown.stylize("bold cyan" if not match.bridge else "bold magenta", match.start, match.end)
    return shown
