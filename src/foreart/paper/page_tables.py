"""Tables as HTML: our value, and below it, small, the paper's and the difference."""

from __future__ import annotations

import re
from itertools import groupby

from foreart.paper.exhibits.exhibit import Column, Number, Row, Table, Value
from foreart.report.pages.marked_text import escape

_FEW = 3  # columns of values, which would be lost in the width of the page


def table_html(table: Table) -> str:
    """The whole table, or its first rows where it is long."""
    rows = table.rows[: table.shown] if table.shown else table.rows
    best = [_best(table, place) for place in range(len(table.columns))]
    body = []
    for group, members in groupby(rows, key=lambda row: row.group):
        if group:
            width = len(table.labels) + len(table.columns)
            body.append(f'<tr class="group"><th colspan="{width}" scope="rowgroup">{escape(group)}</th></tr>')
        body.extend(_row(table, row, best) for row in members)
    left = len(table.rows) - len(rows)
    more = f'<p class="caption">… and {left:,} more rows in tables/{table.id}.csv</p>' if left else ""
    shade = " shaded" if table.shaded else " narrow" if 0 < len(table.columns) <= _FEW else ""
    return (
        f'<div class="scroll"><table class="exhibit{shade}"><thead>{_head(table)}</thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>{more}"
    )


def number_text(number: Number | None, digits: int, *, sign: bool = False) -> str:
    """A number as the page writes it; `""` for none."""
    if number is None:
        return ""
    if isinstance(number, int):
        return f"{number:+,}" if sign else f"{number:,}"
    return f"{number:+.{digits}f}" if sign else f"{number:.{digits}f}"


def _head(table: Table) -> str:
    labels = "".join(f'<th scope="col">{escape(label)}</th>' for label in table.labels)
    names = "".join(f'<th scope="col" class="value">{escape(column.name)}</th>' for column in table.columns)
    if not any(column.over for column in table.columns):
        return f"<tr>{labels}{names}</tr>"
    return f'<tr class="over">{"<td></td>" * len(table.labels)}{_over(table.columns)}</tr><tr>{labels}{names}</tr>'


def _over(columns: tuple[Column, ...]) -> str:
    parts = []
    for over, members in groupby(columns, key=lambda column: column.over):
        parts.append(f'<th scope="colgroup" colspan="{len(list(members))}">{escape(over)}</th>')
    return "".join(parts)


def _row(table: Table, row: Row, best: list[Number | None]) -> str:
    first, *others = row.labels
    labels = f'<th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(text)}</td>" for text in others)
    if row.remark and all(value.ours is None for value in row.values):
        papers = [value.paper is not None for value in row.values]
        if not any(papers):
            return f'<tr>{labels}<td class="none" colspan="{len(table.columns)}">{escape(row.remark)}</td></tr>'
    cells = "".join(_cell(value, table, top) for value, top in zip(row.values, best, strict=True))
    extra = ""
    if row.remark:
        width = len(table.labels) + len(table.columns)
        extra = f'<tr class="remark"><td class="none" colspan="{width}">{escape(row.remark)}</td></tr>'
    return f"<tr>{labels}{cells}</tr>{extra}"


def _cell(value: Value, table: Table, best: Number | None) -> str:
    ours = number_text(value.ours, table.digits) or ("–" if value.paper is not None else "")
    if value.ours is not None and value.ours == best:
        ours = f"<strong>{ours}</strong>"
    beside = ""
    if value.paper is not None:
        paper, less = _short(value.paper, table.digits), _short(value.difference, table.digits, sign=True)
        beside = f"<small>{paper}{f' <i>{less}</i>' if less else ''}</small>"
    style = f' style="--heat:{_heat(value.ours):.2f}"' if table.shaded and value.ours is not None else ""
    return f'<td class="value"{style}>{ours}{beside}</td>'


def _short(number: Number | None, digits: int, *, sign: bool = False) -> str:
    """Without the zero before the point, as papers print shares."""
    text = number_text(number, digits, sign=sign).replace("-", "−")
    return re.sub(r"^([+−]?)0\.", r"\1.", text)


def _heat(auc: Number) -> float:
    """0 at an AUC of one half and below, 1 at 1."""
    return max(0.0, min(1.0, (float(auc) - 0.5) * 2))


def _best(table: Table, place: int) -> Number | None:
    """The greatest of a column of shares; counts have no best."""
    if not table.ranked:
        return None
    found = [row.values[place].ours for row in table.rows]
    shares = [number for number in found if isinstance(number, float)]
    return max(shares) if len(shares) > 1 else None
