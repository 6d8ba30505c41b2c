"""The sources of a crawl."""

__all__: list[str] = []
