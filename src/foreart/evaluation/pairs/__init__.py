"""Labelled pairs and the pooled metrics of the paper."""

__all__: list[str] = []
