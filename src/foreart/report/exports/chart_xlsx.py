"""A claim chart as an Excel workbook: the heat map, the findings, and one row per quote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from foreart.errors import MissingExtra
from foreart.report.exports.chart_lines import COLUMNS, chart_lines
from foreart.report.wording.chart_wording import METHOD, grades_text, own_grades_text, sentences
from foreart.search.charting import Cell, Chart, Grade
from foreart.search.charting.coverage import counted
from foreart.search.charting.verifying import holdable

QUOTES_SHEET = "Quotes"
_WIDTHS = (9, 50, 17, 34, 12, 11, 11, 10, 14, 90, 34, 34, 30, 19)
_FILLS: dict[Grade, tuple[str, str]] = {
    "disclosed": ("1F5F8B", "FFFFFF"),
    "mostly": ("7FB0D1", "000000"),
    "partly": ("BFD8E8", "000000"),
    "hardly": ("E9F1F6", "000000"),
    "not found": ("FFFFFF", "9AA3A9"),
}


def openpyxl() -> Any:  # noqa: ANN401 it has no types
    """The module, or an error that names the extra to install."""
    try:
        import openpyxl as library
    except ImportError:
        raise MissingExtra("An Excel workbook", "sheets") from None
    return library


def chart_xlsx(chart: Chart) -> bytes:
    """The workbook; `foreart verify` reads back its sheet of quotes."""
    book = openpyxl().Workbook()
    book.properties.creator = "foreart"
    _heat(book.active, chart)
    _lines(book.create_sheet("Findings"), [line for item in sentences(chart) for line in _indented(*item)])
    _quotes(book.create_sheet(QUOTES_SHEET), chart)
    _lines(
        book.create_sheet("Method"),
        [METHOD, f"Grades: {grades_text()}.", *filter(None, [own_grades_text(chart)]), *chart.notes, *_facts(chart)],
    )
    return saved_workbook(book)


def saved_workbook(book: Any) -> bytes:  # noqa: ANN401 openpyxl has no types
    """The bytes of a workbook, built in memory: openpyxl's own `save` writes each sheet to a temporary file."""
    from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
    from openpyxl.worksheet._writer import WorksheetWriter
    from openpyxl.writer.excel import ExcelWriter

    class InMemory(ExcelWriter):  # type: ignore[misc] # it has no types
        def write_worksheet(self, ws: Any) -> None:  # noqa: ANN401
            ws._drawing = SpreadsheetDrawing()
            writer = WorksheetWriter(ws, BytesIO())
            writer.write()
            ws._rels = writer._rels
            self._archive.writestr(ws.path[1:], writer.read())
            self.manifest.append(ws)

    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        InMemory(book, archive).write_data()
    return file.getvalue()


def _heat(page: Any, chart: Chart) -> None:  # noqa: ANN401 openpyxl has no types
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    page.title = "Chart"
    write_line(page, 1, ("", "Element", *(reference.id for reference in chart.references)))
    write_line(page, 2, ("", "all elements"))
    for column, reference in enumerate(chart.references, start=3):
        page.cell(2, column, reference.coverage).number_format = "0 %"
    for number, (row, cells) in enumerate(zip(chart.rows, chart.cells, strict=True), start=3):
        write_line(page, number, (row.label, row.text))
        page.cell(number, 2).alignment = Alignment(wrap_text=True, vertical="top")
        for column, cell in enumerate(cells, start=3):
            _shade(page.cell(number, column), cell, best=chart.best[number - 3] == cell.reference)
    for column in range(3, len(chart.references) + 3):
        page.cell(1, column).alignment = Alignment(text_rotation=90, horizontal="center")
        page.column_dimensions[get_column_letter(column)].width = 7
    for cell in (*page[1], *page[2], *page["A"]):
        cell.font = Font(bold=True)
    page.column_dimensions["A"].width, page.column_dimensions["B"].width = 7, 70
    page.freeze_panes = "C3"


def _shade(target: Any, cell: Cell, *, best: bool) -> None:  # noqa: ANN401
    from openpyxl.styles import Alignment, Font, PatternFill

    fill, ink = _FILLS[cell.judged]
    target.value = counted(cell)
    target.number_format = "0 %" if cell.own_grade is None else '0 %" *"'
    target.fill = PatternFill("solid", start_color=fill)
    target.font = Font(color=ink, bold=best)
    target.alignment = Alignment(horizontal="center", vertical="top")


def _quotes(page: Any, chart: Chart) -> None:  # noqa: ANN401
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    write_line(page, 1, COLUMNS)
    wrapped = Alignment(wrap_text=True, vertical="top")
    for number, line in enumerate(chart_lines(chart), start=2):
        write_line(page, number, tuple(line.values()))
        for cell in page[number]:
            cell.alignment = wrapped
    for column, width in enumerate(_WIDTHS, start=1):
        page.column_dimensions[get_column_letter(column)].width = width
        page.cell(1, column).font = Font(bold=True)
    page.freeze_panes = "A2"
    page.auto_filter.ref = page.dimensions


def _lines(page: Any, lines: Iterable[str]) -> None:  # noqa: ANN401
    from openpyxl.styles import Alignment

    page.column_dimensions["A"].width = 120
    for number, line in enumerate(lines, start=1):
        write_line(page, number, (line,))
        page.cell(number, 1).alignment = Alignment(wrap_text=True, vertical="top")


def write_line(page: Any, number: int, values: Sequence[str | float]) -> None:  # noqa: ANN401
    """Values in a row: texts as texts, so that none is executed as a formula."""
    for column, value in enumerate(values, start=1):
        cell = page.cell(number, column)
        if isinstance(value, str):
            cell.value = holdable(value)
            cell.data_type = "s"  # text, even if it starts with =
        else:
            cell.value = value


def _indented(about: str, lines: Iterable[str]) -> list[str]:
    return [f"{about[0].upper()}{about[1:]}", *(f"    {line}" for line in lines), ""]


def _facts(chart: Chart) -> list[str]:
    return [
        f"Draft: {chart.draft_title} (fingerprint {chart.draft_fingerprint})",
        f"Corpus: {chart.documents:,} documents (fingerprint {chart.corpus_fingerprint}); foreart {chart.foreart}",
    ]
