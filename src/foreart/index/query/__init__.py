"""Which documents are nearest to a query: exact, in two stages, filtered, in batches, all near pairs."""

__all__: list[str] = []
