"""Opens files and splits them into records."""

__all__: list[str] = []
