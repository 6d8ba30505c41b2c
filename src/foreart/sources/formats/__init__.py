"""One module per format: parses a record into a patent."""

__all__: list[str] = []
