"""OpenSearch as a home of indexes: weights of words and rows of topics in the index of a cluster that others keep."""

__all__: list[str] = []
