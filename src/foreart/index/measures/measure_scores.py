"""Scores of pairs of rows by any measures; all of them cost one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np

from foreart.errors import ForeartError, IndexingError
from foreart.features import RowArray
from foreart.index.measures.measure_rows import NOT_FINITE, PreparedRows, prepare
from foreart.index.measures.measures import MEASURES, Measure, Overlap, Own, Parameters, measure
from foreart.parallel import cores

Measurable: TypeAlias = RowArray | PreparedRows
PairRows: TypeAlias = tuple[np.ndarray, np.ndarray]

_PAPER = Parameters()
_STEP = 4096  # pairs of dense rows per step


def pair_scores(
    queries: Measurable,
    documents: Measurable,
    pairs: PairRows,
    *,
    measures: Iterable[str] | None = None,
    parameters: Parameters = _PAPER,
    threads: int | None = None,
) -> dict[str, np.ndarray]:
    """The scores of pairs (query row, document row), by measure; higher is better, a distance is -d.

    By default all measures that these rows allow: 22 for rows of words, 7 for dense rows.
    """
    found = pair_values(queries, documents, pairs, measures=measures, parameters=parameters, threads=threads)
    return {name: MEASURES[name].score(values) for name, values in found.items()}


def pair_values(
    queries: Measurable,
    documents: Measurable,
    pairs: PairRows,
    *,
    measures: Iterable[str] | None = None,
    parameters: Parameters = _PAPER,
    threads: int | None = None,
) -> dict[str, np.ndarray]:
    """As `pair_scores`, but with the values of the paper's formulas: a distance is d."""
    left_rows, right_rows = _ready(queries, documents)
    rows = _checked(pairs, len(left_rows), len(right_rows))
    chosen = _chosen(measures, left_rows, right_rows)
    if isinstance(left_rows, PreparedRows) and isinstance(right_rows, PreparedRows):
        overlap = _sparse(left_rows, right_rows, rows, chosen, parameters, threads or cores())
    else:
        overlap = _dense(np.asarray(left_rows), np.asarray(right_rows), rows)
    return {each.name: each.formula(overlap, parameters) for each in chosen}


def _ready(queries: Measurable, documents: Measurable) -> tuple[PreparedRows | np.ndarray, PreparedRows | np.ndarray]:
    left_rows = _checked_rows(queries)
    right_rows = left_rows if documents is queries else _checked_rows(documents)
    if isinstance(left_rows, PreparedRows) != isinstance(right_rows, PreparedRows):
        raise IndexingError("one side has dense rows and the other sparse rows; encode both with the same features")
    if _width(left_rows) != _width(right_rows):
        raise IndexingError(
            f"queries have {_width(left_rows)} columns and documents {_width(right_rows)}; "
            "encode both with the same features"
        )
    return left_rows, right_rows


def _checked_rows(rows: Measurable) -> PreparedRows | np.ndarray:
    if not isinstance(rows, np.ndarray):
        return prepare(rows)
    if rows.ndim != 2:
        raise ForeartError(f"rows must be a matrix, not an array of {rows.ndim} dimensions")
    return rows


def _width(rows: PreparedRows | np.ndarray) -> int:
    return rows.width if isinstance(rows, PreparedRows) else int(rows.shape[1])


def _checked(pairs: PairRows, queries: int, documents: int) -> PairRows:
    left, right = (np.ascontiguousarray(side, dtype=np.int64) for side in pairs)
    if left.shape != right.shape or left.ndim != 1:
        raise ForeartError(f"pairs must be two lists of equal length, not of {left.shape} and {right.shape}")
    for side, number, what in ((left, queries, "query"), (right, documents, "document")):
        if len(side) and not 0 <= int(side.min()) <= int(side.max()) < number:
            raise ForeartError(f"pairs name {what} rows {side.min()} to {side.max()}; there are 0 to {number - 1}")
    return left, right


def _chosen(
    names: Iterable[str] | None, queries: PreparedRows | np.ndarray, documents: PreparedRows | np.ndarray
) -> list[Measure]:
    """The requested measures without duplicates; raises an error if the rows do not allow one."""
    dense = not isinstance(queries, PreparedRows)
    limited = dense or any(isinstance(rows, PreparedRows) and rows.negative for rows in (queries, documents))
    if names is None:
        return [each for each in MEASURES.values() if each.dense or not limited]
    chosen = list(dict.fromkeys(measure(name) for name in ([names] if isinstance(names, str) else names)))
    refused = [each.name for each in chosen if limited and not each.dense]
    if refused:
        why = "dense rows" if dense else "rows with negative weights"
        allowed = ", ".join(each.name for each in MEASURES.values() if each.dense)
        raise IndexingError(
            f"{', '.join(refused)}: not defined on {why}; use rows of words (tfidf), or one of {allowed}"
        )
    return chosen


def _sparse(
    queries: PreparedRows,
    documents: PreparedRows,
    pairs: PairRows,
    chosen: list[Measure],
    parameters: Parameters,
    threads: int,
) -> Overlap:
    # Compiled code is imported on first use, not to list names.
    from foreart.index.measures.overlap_pairs import sums

    needs = {each.needs for each in chosen}
    found = sums(queries, documents, pairs, names=needs, power=parameters.power, threads=threads)
    x, y = (_own(rows, side, parameters.power) for rows, side in zip((queries, documents), pairs, strict=True))
    return Overlap(x, y, **found)


def _own(rows: PreparedRows, chosen: np.ndarray, power: float) -> Own:
    sums: dict[str, Callable[[], np.ndarray]] = {
        "terms": lambda: rows.terms,
        "total": lambda: rows.totals,
        "squares": lambda: rows.squares,
        "powers": lambda: rows.powers(power),
    }
    return Own(lambda name: sums[name]()[chosen])


def _dense(queries: np.ndarray, documents: np.ndarray, pairs: PairRows) -> Overlap:
    """Products and squares by the same routine, so that equal rows have a distance of exactly 0."""
    x, y = (_products(rows, rows, (np.arange(len(rows)),) * 2) for rows in (queries, documents))
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise IndexingError(NOT_FINITE)
    left, right = pairs
    return Overlap(Own(lambda _: x[left]), Own(lambda _: y[right]), product=_products(queries, documents, pairs))


def _products(queries: np.ndarray, documents: np.ndarray, pairs: PairRows) -> np.ndarray:
    """The dot products of pairs in double precision, in steps."""
    found = np.empty(len(pairs[0]))
    for start in range(0, len(found), _STEP):
        left, right = (side[start : start + _STEP] for side in pairs)
        x, y = queries[left].astype(np.float64), documents[right].astype(np.float64)
        np.einsum("ij,ij->i", x, y, out=found[start : start + _STEP])
    return found
