"""Learned and default weights of signals, what held-out folds showed of them, and their files."""

__all__: list[str] = []
