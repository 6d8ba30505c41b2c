"""Asks an OpenSearch cluster for candidates and scores, and has them look like an index of this machine."""

__all__: list[str] = []
