"""Stores a published state in an OpenSearch cluster: exactly once, resumable, switched by an alias."""

__all__: list[str] = []
