"""A claim chart as flat rows, one per quote, for tables, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from foreart.search.charting import Cell, Chart, ChartRow, Quote, Reference

COLUMNS = (
    "element", "element text", "document", "title", "published", "grade", "own grade", "coverage", "place", "quote",
    "matched words", "missing words", "nowhere in the document", "fingerprint",
)  # fmt: skip
# Spreadsheets execute cells that start like this; a leading apostrophe prevents it, and `foreart verify` removes it.
_RUN = ("=", "+", "-", "@", "\t", "\r")
SHIELD = "'"


def chart_lines(chart: Chart) -> Iterator[dict[str, str | float]]:
    """A row for each quote, and one for each cell without quotes."""
    for row, cells in zip(chart.rows, chart.cells, strict=True):
        for reference, cell in zip(chart.references, cells, strict=True):
            for quote in cell.quotes or (None,):
                values = (*_cell_values(row, reference, cell), *_quote_values(cell, quote), reference.fingerprint)
                yield dict(zip(COLUMNS, values, strict=True))


def chart_csv(chart: Chart) -> str:
    """The rows as CSV, with a byte order mark for Excel."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for line in chart_lines(chart):
        writer.writerow([shielded(value) if isinstance(value, str) else value for value in line.values()])
    return "\ufeff" + file.getvalue()


def shielded(text: str) -> str:
    """A text that a spreadsheet shows instead of executing it."""
    return SHIELD + text if text.startswith((*_RUN, SHIELD)) else text


def unshielded(text: str) -> str:
    """The inverse of `shielded`."""
    return text[1:] if text.startswith(SHIELD) and text[1:].startswith((*_RUN, SHIELD)) else text


def _cell_values(row: ChartRow, reference: Reference, cell: Cell) -> Sequence[str | float]:
    return (
        row.label,
        row.text,
        reference.id,
        reference.title,
        reference.published,
        cell.grade,
        cell.own_grade or "",
        cell.coverage,
    )


def _quote_values(cell: Cell, quote: Quote | None) -> Sequence[str]:
    matched = dict.fromkeys(_matched(quote)) if quote else ()
    nowhere = [word for word in cell.missing if word not in cell.elsewhere]
    place, text = (quote.place.label, quote.text) if quote else ("", "")
    return place, text, ", ".join(matched), ", ".join(cell.missing), ", ".join(nowhere)


def _matched(quote: Quote) -> Iterator[str]:
    for match in quote.matches:
        matched_word = quote.text[match.start : match.end].lower()
        yield f"{matched_word} ~ {match.word}" if match.bridge else match.word
