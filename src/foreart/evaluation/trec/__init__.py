"""TREC files: qrels, runs, topics."""

__all__: list[str] = []
