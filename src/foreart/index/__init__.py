"""Indexes of documents: which are most similar to a query, and why."""

from foreart.index.index import Description, Explanation, Index
from foreart.index.registry import load, stored_at, verify
from foreart.index.row_folder import write

__all__ = ["Description", "Explanation", "Index", "load", "stored_at", "verify", "write"]
