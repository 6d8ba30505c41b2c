"""Rows in order of likeness."""

from foreart.index.dense.dense_rows import DenseRows
from foreart.index.index import Description, Explanation, Index
from foreart.index.measures.measure_rows import Prepared, prepare
from foreart.index.measures.measure_scores import pair_scores, pair_values, query_scores
from foreart.index.measures.measures import MEASURES, Measure, Parameters, measure
from foreart.index.registry import load, stored_at, verify
from foreart.index.row_folder import write
from foreart.index.row_index import RowIndex

__all__ = [
    "MEASURES",
    "DenseRows",
    "Description",
    "Explanation",
    "Index",
    "Measure",
    "Parameters",
    "Prepared",
    "RowIndex",
    "load",
    "measure",
    "pair_scores",
    "pair_values",
    "prepare",
    "query_scores",
    "stored_at",
    "verify",
    "write",
]
