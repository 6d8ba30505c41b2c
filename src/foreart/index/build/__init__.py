"""Texts become segments, and a snapshot follows the corpus."""

__all__: list[str] = []
