"""Commands that load and show a corpus."""

__all__: list[str] = []
