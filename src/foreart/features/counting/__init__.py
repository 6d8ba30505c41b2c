"""Word counts and token streams of texts."""

__all__: list[str] = []
