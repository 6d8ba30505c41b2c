"""Few dimensions out of many words: LSA, kernel PCA."""

__all__: list[str] = []
