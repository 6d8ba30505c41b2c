"""Scores documents from postings: blocks, compiled kernels, sums."""

__all__: list[str] = []
