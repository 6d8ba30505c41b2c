"""Evaluations as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from foreart.cli.printing import messages, output
from foreart.evaluation import Contrast, Evaluation, EvaluationReport, Interval, QueryGroup


def show_report(report: EvaluationReport, *, per_query: bool = False) -> None:
    """Tables on standard output, notes on standard error."""
    console, evaluation = output(), report.evaluation
    console.print(figures(evaluation, report.intervals, report.level, report.cold))
    tables = contrasts(report.contrasts, report.level)
    if report.by:
        tables.append(groups(report.groups, report.by, evaluation.values))
    if per_query:
        tables.append(values_by_query(evaluation))
    print_wide(console, tables)
    pairs = evaluation.pairs
    pair_counts = f", {len(pairs):,} pairs of which {pairs.cited:,} are relevant" if pairs is not None else ""
    console.print(f"\n{report.systems[0].name}: {len(evaluation.queries):,} queries{pair_counts}")
    if report.cold is not None:
        siblings = report.systems[0].assessment.with_siblings
        console.print(
            f"cold: without siblings, documents with nearly the same citations, which {siblings:,} queries have; "
            f"{len(report.cold.queries):,} queries with enough relevant documents left"
        )
    lists = (
        (report.missing, "queries were not found and do not count"),
        (evaluation.unranked, "queries are not ranked and count 0"),
        (evaluation.left_out, "queries have no relevant document and are left out"),
    )
    for note in (*(f"{len(names):,} {what}: {', '.join(names)}" for names, what in lists if names), *report.notes):
        messages().print(f"note: {note}", style="yellow")


def figures(
    evaluation: Evaluation, spans: Mapping[str, Interval] | None, level: float, cold: Evaluation | None = None
) -> Table:
    """Each metric with its interval, its value without siblings of the queries, and its description."""
    head = ("metric", "value", *([f"{level:.0%} interval"] if spans else []), *(["cold"] if cold else []))
    table = _table(*head, "description")
    for choice in evaluation.metrics:
        interval = [_span(spans[choice.text])] if spans else []
        interval += [_figure(cold.values[choice.text])] if cold else []
        title = choice.metric.title.replace(" K", f" {choice.k}") if choice.k else choice.metric.title
        table.add_row(Text(choice.text, style="bold"), _figure(evaluation.values[choice.text]), *interval, Text(title))
    return table


def contrasts(found: Sequence[Contrast], level: float) -> list[Table]:
    """One run against others: both values, the difference with its interval, p, and queries won and lost."""
    tables: list[Table] = []
    for other in dict.fromkeys(contrast.other for contrast in found):
        rows = [contrast for contrast in found if contrast.other == other]
        head = (
            "metric",
            rows[0].baseline,
            other,
            "difference",
            f"{level:.0%} interval",
            "p",
            "better",
            "same",
            "worse",
        )
        table = _table(*head)
        for item in rows:
            values = (_figure(item.baseline_value), _figure(item.other_value), f"{item.difference:+.4f}")
            counts = (f"{item.wins:,}", f"{item.ties:,}", f"{item.losses:,}")
            table.add_row(Text(item.metric, style="bold"), *values, _span(item.interval), _p(item.p), *counts)
        tables.append(table)
    return tables


def groups(found: Iterable[QueryGroup], by: str, metrics: Iterable[str]) -> Table:
    """One row per group of queries, one column per metric."""
    names = list(metrics)
    table = _table(by, "queries", *names)
    for group in found:
        table.add_row(group.name, f"{group.queries:,}", *(_figure(group.values[name]) for name in names))
    return table


def values_by_query(evaluation: Evaluation) -> Table:
    """One row per query, one column per metric."""
    table = _table("query", *evaluation.per_query)
    for position, query in enumerate(evaluation.queries):
        table.add_row(Text(query), *(_figure(float(values[position])) for values in evaluation.per_query.values()))
    return table


def print_wide(console: Console, found: Iterable[Table]) -> None:
    """Prints tables without truncating figures, wider than the terminal if necessary."""
    for table in found:
        needed = Measurement.get(console, console.options.update(max_width=1000), table).maximum
        output(max(console.width, needed)).print("", table)


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for position, name in enumerate(names):
        last = name == "description"
        table.add_column(Text(name), justify="left" if position == 0 or last else "right", no_wrap=not last)
    return table


def _figure(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else "–"


def _span(interval: Interval) -> str:
    return f"{_figure(interval.low)} to {_figure(interval.high)}"


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"
