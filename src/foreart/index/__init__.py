"""Rows in order of likeness."""

from foreart.index.folder import load, write
from foreart.index.index import Description, Index
from foreart.index.rows import Rows

__all__ = ["Description", "Index", "Rows", "load", "write"]
