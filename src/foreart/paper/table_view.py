"""View model of a table: our value, and below it, in small print, the paper's and the difference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from foreart.paper.exhibits.exhibit import Number, TableExhibit, TableRow, Value


@dataclass(frozen=True, slots=True)
class CellView:
    """One formatted value; `heat` is its shade from 0 to 10, None if the table is not shaded."""

    ours: str
    best: bool
    paper: str
    difference: str
    heat: int | None


@dataclass(frozen=True, slots=True)
class TableView:
    """`spans` are names over several columns, `groups` the grouped rows, `more` the number of rows not shown.

    A row without any figure has no cells: its remark replaces them.
    """

    table: TableExhibit
    spans: tuple[tuple[str, int], ...]
    groups: tuple[tuple[str, tuple[tuple[TableRow, tuple[CellView, ...]], ...]], ...]
    more: int


def table_view(table: TableExhibit) -> TableView:
    """The full table, or its first rows if it is long."""
    rows = table.rows[: table.shown] if table.shown else table.rows
    best = [_best(table, column) for column in range(len(table.columns))]
    spans = [(over, len(list(columns))) for over, columns in groupby(table.columns, key=lambda column: column.over)]
    return TableView(
        table=table,
        spans=tuple(spans) if any(over for over, _ in spans) else (),
        groups=tuple(
            (group, tuple((row, _cells(row, table, best)) for row in members))
            for group, members in groupby(rows, key=lambda row: row.group)
        ),
        more=len(table.rows) - len(rows),
    )


def _cells(row: TableRow, table: TableExhibit, best: list[Number | None]) -> tuple[CellView, ...]:
    if row.remark and all(value.ours is None and value.paper is None for value in row.values):
        return ()
    return tuple(_cell(value, table, top) for value, top in zip(row.values, best, strict=True))


def _cell(value: Value, table: TableExhibit, best: Number | None) -> CellView:
    heat = None
    if table.shaded and value.ours is not None:  # 0 at an AUC of one half and below, 10 at 1
        heat = round(max(0.0, min(1.0, (float(value.ours) - 0.5) * 2)) * 10)
    return CellView(
        ours=_printed(value.ours, table.digits) or ("–" if value.paper is not None else ""),
        best=value.ours is not None and value.ours == best,
        paper=_short(_printed(value.paper, table.digits)),
        difference=_short(_printed(value.difference, table.digits, sign="+")),
        heat=heat,
    )


def _printed(number: Number | None, digits: int, sign: str = "") -> str:
    """A formatted number; `""` for None."""
    if number is None:
        return ""
    return f"{number:{sign},}" if isinstance(number, int) else f"{number:{sign}.{digits}f}"


def _short(text: str) -> str:
    """Without the zero before the decimal point, as papers print shares."""
    return re.sub(r"^([+−]?)0\.", r"\1.", text.replace("-", "−"))


def _best(table: TableExhibit, column: int) -> Number | None:
    """The largest value of a column of shares; counts have no best."""
    if not table.ranked:
        return None
    ours = [row.values[column].ours for row in table.rows]
    shares = [number for number in ours if isinstance(number, float)]
    return max(shares) if len(shares) > 1 else None
