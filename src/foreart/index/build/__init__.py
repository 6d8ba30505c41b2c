"""Builds segments from texts, and updates snapshots to the state of the corpus."""

__all__: list[str] = []
