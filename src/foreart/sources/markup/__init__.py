"""Converts marked-up text to plain, readable text."""

__all__: list[str] = []
