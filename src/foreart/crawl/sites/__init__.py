"""Where a crawl gets documents from."""

__all__: list[str] = []
