"""A claim chart as a page: a heat map whose cells open their quotes."""

from __future__ import annotations

from itertools import groupby

from foreart.report.pages.marked_text import quote_segments
from foreart.report.pages.templating import render
from foreart.report.wording import chart_wording
from foreart.search.charting import GRADES, Chart
from foreart.search.charting.coverage import counted


def chart_html(chart: Chart, *, made: str = "") -> str:
    """The page as HTML. `made` is the time to print on it; without one, the same chart gives the same bytes."""
    by_claim = groupby(enumerate(chart.rows), key=lambda item: item[1].claim)
    return render(
        "chart.html",
        chart=chart,
        made=made,
        counted=counted,
        claims=[(claim, list(rows)) for claim, rows in by_claim],
        gaps=frozenset(chart.findings[0].undisclosed),
        grades=GRADES,
        quote_segments=quote_segments,
        wording=chart_wording,
    )
