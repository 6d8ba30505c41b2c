"""Pages of servers, fetched politely."""

__all__: list[str] = []
