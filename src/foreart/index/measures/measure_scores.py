"""Scores of pairs of rows by any of the measures, all of them at the price of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np

from foreart.errors import ForeartError, IndexingError
from foreart.features import RowArray
from foreart.index.measures.measure_rows import NOT_FINITE, Prepared, prepare
from foreart.index.measures.measures import MEASURES, Measure, Overlap, Own, Parameters, measure
from foreart.parallel import cores

Measurable: TypeAlias = RowArray | Prepared
PairRows: TypeAlias = tuple[np.ndarray, np.ndarray]

_PAPER = Parameters()
_STEP = 4096  # pairs of dense rows taken together


def pair_scores(
    queries: Measurable,
    documents: Measurable,
    pairs: PairRows,
    *,
    measures: Iterable[str] | None = None,
    parameters: Parameters = _PAPER,
    threads: int | None = None,
) -> dict[str, np.ndarray]:
    """The scores of pairs, each a query row and a document row, by name of measure; higher is better, a distance is -d.

    Without names, all the measures that these rows allow: 22 on rows of words, 7 on dense ones.
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
    """As `pair_scores`, but values as the paper's formulas give them: a distance as d."""
    asked, others = _ready(queries, documents)
    rows = _checked(pairs, len(asked), len(others))
    chosen = _chosen(measures, asked, others)
    if isinstance(asked, Prepared) and isinstance(others, Prepared):
        overlap = _sparse(asked, others, rows, chosen, parameters, threads or cores())
    else:
        overlap = _dense(np.asarray(asked), np.asarray(others), rows)
    return {each.name: each.formula(overlap, parameters) for each in chosen}


def _ready(queries: Measurable, documents: Measurable) -> tuple[Prepared | np.ndarray, Prepared | np.ndarray]:
    asked = _one(queries)
    others = asked if documents is queries else _one(documents)
    if isinstance(asked, Prepared) != isinstance(others, Prepared):
        raise IndexingError("one side has dense rows and the other sparse ones; encode both with the same features")
    if _width(asked) != _width(others):
        raise IndexingError(
            f"queries have {_width(asked)} columns and documents {_width(others)}; encode both with the same features"
        )
    return asked, others


def _one(rows: Measurable) -> Prepared | np.ndarray:
    if not isinstance(rows, np.ndarray):
        return prepare(rows)
    if rows.ndim != 2:
        raise ForeartError(f"rows are a matrix, not an array of {rows.ndim} dimensions")
    return rows


def _width(rows: Prepared | np.ndarray) -> int:
    return rows.width if isinstance(rows, Prepared) else int(rows.shape[1])


def _checked(pairs: PairRows, queries: int, documents: int) -> PairRows:
    left, right = (np.ascontiguousarray(side, dtype=np.int64) for side in pairs)
    if left.shape != right.shape or left.ndim != 1:
        raise ForeartError(f"pairs are two lists of equal length, not of {left.shape} and {right.shape}")
    for side, number, what in ((left, queries, "query"), (right, documents, "document")):
        if len(side) and not 0 <= int(side.min()) <= int(side.max()) < number:
            raise ForeartError(f"pairs name {what} rows {side.min()} to {side.max()}; there are 0 to {number - 1}")
    return left, right


def _chosen(
    names: Iterable[str] | None, queries: Prepared | np.ndarray, documents: Prepared | np.ndarray
) -> list[Measure]:
    """The measures asked for, each once, if the rows allow them."""
    dense = not isinstance(queries, Prepared)
    limited = dense or any(isinstance(rows, Prepared) and rows.negative for rows in (queries, documents))
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
    queries: Prepared, documents: Prepared, pairs: PairRows, chosen: list[Measure], parameters: Parameters, threads: int
) -> Overlap:
    # Compiled code is loaded by the first who measures, not by who asks for names.
    from foreart.index.measures.overlap_pairs import sums

    needs = {each.needs for each in chosen}
    found = sums(queries, documents, pairs, names=needs, power=parameters.power, threads=threads)
    x, y = (_own(rows, side, parameters.power) for rows, side in zip((queries, documents), pairs, strict=True))
    return Overlap(x, y, **found)


def _own(rows: Prepared, chosen: np.ndarray, power: float) -> Own:
    sums: dict[str, Callable[[], np.ndarray]] = {
        "terms": lambda: rows.terms,
        "total": lambda: rows.totals,
        "squares": lambda: rows.squares,
        "powers": lambda: rows.powers(power),
    }
    return Own(lambda name: sums[name]()[chosen])


def _dense(queries: np.ndarray, documents: np.ndarray, pairs: PairRows) -> Overlap:
    """Products and squares, by one and the same routine, so that equal rows have a distance of exactly 0."""
    x, y = (_products(rows, rows, (np.arange(len(rows)),) * 2) for rows in (queries, documents))
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise IndexingError(NOT_FINITE)
    left, right = pairs
    return Overlap(Own(lambda _: x[left]), Own(lambda _: y[right]), product=_products(queries, documents, pairs))


def _products(queries: np.ndarray, documents: np.ndarray, pairs: PairRows) -> np.ndarray:
    """In double precision, some thousand pairs at a time."""
    found = np.empty(len(pairs[0]))
    for start in range(0, len(found), _STEP):
        left, right = (side[start : start + _STEP] for side in pairs)
        one, other = queries[left].astype(np.float64), documents[right].astype(np.float64)
        np.einsum("ij,ij->i", one, other, out=found[start : start + _STEP])
    return found
