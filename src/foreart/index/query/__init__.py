"""Search of postings: exact, in two stages, filtered; and all near pairs."""

__all__: list[str] = []
