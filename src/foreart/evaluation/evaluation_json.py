"""An evaluation as JSON and CSV."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

from foreart.durable import replace_text
from foreart.errors import BadFile
from foreart.evaluation.breakdown import QueryGroup
from foreart.evaluation.evaluation import Evaluation
from foreart.evaluation.significance import Contrast, Interval


def evaluation_record(evaluation: Evaluation, intervals: Mapping[str, Interval] | None = None) -> dict[str, Any]:
    """The metrics by requested spelling, with counts of queries and pairs; null if undefined."""
    pooled = [requested.text for requested in evaluation.metrics if requested.metric.pooled]
    record: dict[str, Any] = {"metrics": numbers(evaluation.values)}
    if intervals is not None:
        record["intervals"] = {name: [number(span.low), number(span.high)] for name, span in intervals.items()}
    if pooled:
        record["mean_over_queries"] = {name: _mean(evaluation.per_query[name].tolist()) for name in pooled}
    record["queries"] = len(evaluation.queries)
    record["unranked_queries"] = list(evaluation.unranked)
    record["left_out_queries"] = list(evaluation.left_out)
    pairs = evaluation.pairs
    record["pairs"] = None if pairs is None else {"relevant": pairs.cited, "other": len(pairs) - pairs.cited}
    return record


def cold_record(cold: Evaluation | None, with_siblings: int) -> dict[str, Any] | None:
    """The metrics without siblings, on how many queries, and how many of all queries have siblings."""
    if cold is None:
        return None
    return {**numbers(cold.values), "queries": len(cold.queries), "queries_with_siblings": with_siblings}


def per_query_record(evaluation: Evaluation) -> dict[str, dict[str, float | None]]:
    """Every metric of every query."""
    return {
        query: {name: number(float(values[position])) for name, values in evaluation.per_query.items()}
        for position, query in enumerate(evaluation.queries)
    }


def contrast_records(contrasts: Iterable[Contrast]) -> list[dict[str, Any]]:
    """Comparisons, one object per metric."""
    return [
        {
            **{key: number(value) if isinstance(value, float) else value for key, value in asdict(contrast).items()},
            "interval": [number(contrast.interval.low), number(contrast.interval.high)],
        }
        for contrast in contrasts
    ]


def group_records(groups: Iterable[QueryGroup]) -> list[dict[str, Any]]:
    """Groups of queries, one object each."""
    return [{"group": group.name, "queries": group.queries, "metrics": numbers(group.values)} for group in groups]


def write_per_query(evaluation: Evaluation, path: str | Path) -> None:
    """Writes a CSV table: one row per query, one column per metric, empty if undefined."""
    file = StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["query", *evaluation.per_query])
    for query, values in per_query_record(evaluation).items():
        table.writerow([query, *("" if value is None else repr(value) for value in values.values())])
    output = Path(path)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        replace_text(output, file.getvalue())
    except OSError as error:
        raise BadFile(f"{output}: {error.strerror or error}") from None


def numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    """Values that JSON can represent."""
    return {name: number(value) for name, value in values.items()}


def number(value: float) -> float | None:
    """A value that JSON can represent: None instead of NaN."""
    return value if math.isfinite(value) else None


def _mean(values: list[float]) -> float | None:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else None
