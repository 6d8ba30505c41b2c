"""A report as an Excel workbook: documents, quotes, families, and the record of the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from foreart.report.exports.chart_xlsx import QUOTES_SHEET, openpyxl, saved_workbook, write_line
from foreart.report.forms.report_data import NOTICE, SearchReport
from foreart.report.writers.report_rows import (
    DOCUMENT_COLUMNS,
    PASSAGE_COLUMNS,
    document_rows,
    passage_rows,
    record_rows,
)

_WIDTHS = {
    "cite no": 8, "document": 19, "title": 44, "rule": 50, "category and claims": 20, "proposed letters": 34,
    "notes": 44, "quote": 90, "place": 16, "fingerprint": 19, "value": 100, "name": 34, "part": 14,
    "Patent family member": 22,
}  # fmt: skip
_USUAL = 15
_FAMILY_COLUMNS = ("document", "published", "Patent family member", "member published")
_RECORD_COLUMNS = ("part", "name", "value")


def report_xlsx(report: SearchReport) -> bytes:
    """The workbook; `foreart verify` reads back its sheet of quotes."""
    book = openpyxl().Workbook()
    book.properties.creator = "foreart"
    book.properties.title = NOTICE
    book.active.title = "Documents"
    _sheet(book.active, DOCUMENT_COLUMNS, (tuple(row.values()) for row in document_rows(report)))
    quotes = (tuple(row.values()) for row in passage_rows(report))
    _sheet(book.create_sheet(QUOTES_SHEET), ("document", *PASSAGE_COLUMNS), quotes)
    if report.contents.families:
        _sheet(book.create_sheet("Families"), _FAMILY_COLUMNS, _families(report))
    _sheet(book.create_sheet("Record"), _RECORD_COLUMNS, (("notice", "notice", NOTICE), *record_rows(report)))
    return saved_workbook(book)


def _families(report: SearchReport) -> Iterable[tuple[str, ...]]:
    for item in report.documents:
        for member in item.family:
            yield item.id, item.published, member.id, member.published


def _sheet(page: Any, names: Sequence[str], rows: Iterable[Sequence[str | float]]) -> None:  # noqa: ANN401
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    write_line(page, 1, names)
    wrapped = Alignment(wrap_text=True, vertical="top")
    for number, row in enumerate(rows, start=2):
        write_line(page, number, row)
        for cell in page[number]:
            cell.alignment = wrapped
            if isinstance(cell.value, float):
                cell.number_format = "0 %"
    for column, name in enumerate(names, start=1):
        page.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, _USUAL)
        page.cell(1, column).font = Font(bold=True)
        page.cell(1, column).fill = PatternFill("solid", start_color="E9F1F6")
    page.freeze_panes = "C2" if "title" in names else "A2"
    page.auto_filter.ref = page.dimensions
    page.page_setup.orientation, page.page_setup.fitToHeight = "landscape", 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    page.print_title_rows = "1:1"
    page.oddFooter.left.text, page.oddFooter.right.text = NOTICE, "Page &P of &N"
