"""Documents in passages: a document is as near as its nearest passage."""

from foreart.index.passages.kind import AGGREGATES, Passages

__all__ = ["AGGREGATES", "Passages"]
