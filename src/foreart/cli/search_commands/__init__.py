"""Commands that build, search and explain."""

__all__: list[str] = []
