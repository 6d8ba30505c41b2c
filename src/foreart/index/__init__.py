"""Rows in order of likeness."""

from foreart.index.folder import load, write
from foreart.index.index import Description, Explanation, Index
from foreart.index.rows import DenseRows, Rows, SparseRows

__all__ = ["DenseRows", "Description", "Explanation", "Index", "Rows", "SparseRows", "load", "write"]
