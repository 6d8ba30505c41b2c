"""Which words a text has, and how often: counts and token streams."""

__all__: list[str] = []
