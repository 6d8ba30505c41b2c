"""Tables with our values next to the paper's, and figures as plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Number = float | int


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a table and the paper's value; None if there is none."""

    ours: Number | None
    paper: Number | None = None

    @property
    def difference(self) -> Number | None:
        """Ours minus the paper's."""
        return None if self.ours is None or self.paper is None else self.ours - self.paper


@dataclass(frozen=True, slots=True)
class Column:
    """A column of values; `over` is the heading shared by several columns."""

    name: str
    over: str = ""

    def __str__(self) -> str:
        return f"{self.over} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class TableRow:
    """Texts, then values. `group` is its part of the table, `remark` the reason for missing values."""

    labels: tuple[str, ...]
    values: tuple[Value, ...] = ()
    group: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class TableExhibit:
    """A table of the paper (T1 to T7) or beyond it (X…).

    `digits` are decimals; in a `ranked` table the largest value of each column is the best; the page shows the first
    `shown` rows, or all if that is 0.
    """

    id: str
    title: str
    caption: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    digits: int = 4
    ranked: bool = False
    shaded: bool = False
    shown: int = 0
    remark: str = ""

    def records(self) -> list[dict[str, str | Number | None]]:
        """One record per row for CSV and JSON: texts, then each value, the paper's, and the difference."""
        grouped = any(row.group for row in self.rows)
        remarked = any(row.remark for row in self.rows)
        paired = [
            any(row.values[position].paper is not None for row in self.rows) for position in range(len(self.columns))
        ]
        return [self._record(row, paired, grouped=grouped, remarked=remarked) for row in self.rows]

    def _record(
        self, row: TableRow, paired: list[bool], *, grouped: bool, remarked: bool
    ) -> dict[str, str | Number | None]:
        record: dict[str, str | Number | None] = {"group": row.group} if grouped else {}
        record.update(zip(self.labels, row.labels, strict=True))
        for column, value, pair in zip(self.columns, row.values, paired, strict=True):
            record[str(column)] = value.ours
            if pair:
                record[f"{column} (paper)"] = value.paper
                record[f"{column} (difference)"] = None if value.difference is None else round(value.difference, 10)
        return record | ({"remark": row.remark} if remarked else {})


@dataclass(frozen=True, slots=True)
class FigureExhibit:
    """A figure of the paper (F2 to F9) or beyond it: the `kind` of drawing, its `data`, or the reason for no data."""

    id: str
    title: str
    caption: str
    kind: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""


Exhibit = TableExhibit | FigureExhibit
