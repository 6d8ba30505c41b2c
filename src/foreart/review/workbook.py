"""The sheet an expert fills in, as an Excel workbook: instructions, targets and pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from foreart.document.patent import Patent
from foreart.durable import replacing
from foreart.errors import BadFile, MissingExtra
from foreart.review.sheet import COLUMNS, INSTRUCTIONS, NEEDED, SCALE, SheetRow, link, rows_of

_WIDTHS = {"target": 18, "target title": 30, "document": 18, "title": 34, "abstract": 90, "link": 16, "score": 8}
_WIDTHS |= {"comment": 40, "first claim": 90}
_TARGETS = ("target", "title", "abstract", "first claim", "link")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST = 32_000  # a cell of Excel holds 32,767 characters
_ROW_HEIGHT = 120


def _openpyxl() -> Any:  # noqa: ANN401 it has no types
    try:
        import openpyxl
    except ImportError:
        raise MissingExtra("an Excel sheet", "sheets") from None
    return openpyxl


def available() -> bool:
    """Whether the library that writes workbooks is installed."""
    try:
        _openpyxl()
    except MissingExtra:
        return False
    return True


def write_workbook(rows: Sequence[SheetRow], targets: Iterable[Patent], path: Path) -> None:
    """Writes the workbook; the column score accepts only 0 to 5."""
    book = _openpyxl().Workbook()
    book.properties.creator = "foreart"
    pairs = book.active
    pairs.title = "Pairs"
    _fill(pairs, tuple(COLUMNS), ([getattr(row, name) for name in COLUMNS.values()] for row in rows))
    _only_scores(pairs, len(rows))
    firsts = (
        (patent.id, patent.title, patent.abstract, patent.claims[0].text if patent.claims else "", link(patent.id))
        for patent in targets
    )
    _fill(book.create_sheet("Targets"), _TARGETS, firsts)
    instructions = [
        [line] for line in (*INSTRUCTIONS, "", *(f"{score}  {meaning}" for score, meaning in SCALE.items()))
    ]
    _fill(book.create_sheet("Instructions", 0), ("How to fill in the sheet Pairs",), instructions, width=110)
    with replacing(path) as file:
        book.save(file)


def _fill(
    page: Any,  # noqa: ANN401 openpyxl has no types
    header: Sequence[str],
    lines: Iterable[Sequence[str]],
    *,
    width: int = 0,
) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    for row, line in enumerate((header, *lines), start=1):
        for column, text in enumerate(line, start=1):
            _write(page.cell(row, column), text)
    for cells in page.iter_rows():
        for cell in cells:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.font = Font(bold=cell.row == 1, underline="single" if cell.hyperlink else None)
    for column, name in enumerate(header, start=1):
        page.column_dimensions[get_column_letter(column)].width = width or _WIDTHS[name]
    page.freeze_panes = "A2"
    page.auto_filter.ref = page.dimensions if not width else None


def _write(cell: Any, text: str) -> None:  # noqa: ANN401 openpyxl has no types
    cell.value = _CONTROL.sub(" ", text)[:_LONGEST] or None
    if text:
        cell.data_type = "s"  # a title that begins with = is no formula
    if text.startswith("https://"):
        cell.hyperlink = text


def _only_scores(page: Any, rows: int) -> None:  # noqa: ANN401 openpyxl has no types
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = DataValidation(type="whole", operator="between", formula1="0", formula2="5", allow_blank=True)
    rule.errorTitle, rule.error = "Score", "A whole number from 0 to 5, or nothing."
    rule.promptTitle, rule.prompt = "Score", "\n".join(f"{score} {meaning}" for score, meaning in SCALE.items())[:255]
    rule.showErrorMessage = rule.showInputMessage = True
    page.add_data_validation(rule)
    letter = get_column_letter(list(COLUMNS).index("score") + 1)
    rule.add(f"{letter}2:{letter}{max(rows, 1) + 1}")
    for row in range(2, rows + 2):
        page.row_dimensions[row].height = _ROW_HEIGHT


def read_workbook(path: Path) -> list[SheetRow]:
    """The rows of the first worksheet that has the columns of a sheet."""
    openpyxl = _openpyxl()
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (OSError, BadZipFile, KeyError, ValueError, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise BadFile(f"{path} cannot be read as an Excel workbook: {error}") from None
    try:
        for page in book.worksheets:
            cells = [[_text(value) for value in line] for line in page.iter_rows(values_only=True)]
            if cells and set(NEEDED) <= {cell.strip().lower() for cell in cells[0]}:
                return rows_of(cells, path)
    finally:
        book.close()
    raise BadFile(f"{path} has no worksheet whose first row names {', '.join(NEEDED)}")


def _text(value: object) -> str:
    """A cell as a person reads it: Excel keeps 3 as 3.0."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
