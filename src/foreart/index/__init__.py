"""Rows in order of likeness."""

from foreart.index.folder import load, write
from foreart.index.index import Description, Explanation, Index
from foreart.index.measure_rows import Prepared, prepare
from foreart.index.measure_scores import pair_scores, pair_values, query_scores
from foreart.index.measures import MEASURES, Measure, Parameters, measure
from foreart.index.rows import DenseRows, Rows, SparseRows

__all__ = [
    "MEASURES",
    "DenseRows",
    "Description",
    "Explanation",
    "Index",
    "Measure",
    "Parameters",
    "Prepared",
    "Rows",
    "SparseRows",
    "load",
    "measure",
    "pair_scores",
    "pair_values",
    "prepare",
    "query_scores",
    "write",
]
