"""Dimensionality reduction of bags of words: LSA, kernel PCA."""

__all__: list[str] = []
